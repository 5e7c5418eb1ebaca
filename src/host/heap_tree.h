/* SPDX-License-Identifier: MIT */
/* One walk of the heaps of all processes of the tree, and one look at the largest. */
#ifndef HOST_HEAP_TREE_H
#define HOST_HEAP_TREE_H

#include <stdatomic.h>

#include "base/clock.h"
#include "host/heap_budget.h"
#include "host/heap_process.h"
#include "host/heap_targets.h"

/* The turn of the processor that a walk or a look shall have: as long as the large blocks of a heap take to count. */
#define HEAP_TURN_NS NS_PER_MS

struct heap_figures {
	struct heap_outcome end; /* its state says whether the others are known */
	uint64_t used_bytes, kept_bytes;
	uint64_t held_bytes; /* by the tree: as of the last tick before the walk, as of its moment after it */
	struct reading passing, untouched;
	char allocator[HEAP_ALLOCATOR_MAX]; /* after HEAP_ALLOCATOR */
};

/* Ends early, as over budget, after limit_ns of CPU time or once quit is true. Finds out how the targets are related. out
 * comes with held_bytes and with end.quick, by which only large blocks are counted anew. */
void heap_tree_walk(struct heap_reader *reader, struct heap_targets *targets, int64_t limit_ns,
		    const _Atomic bool *quit, struct heap_figures *out);
/* Of the largest only: what the others have in batches is little, or they are forks. Says whether there is any use in
 * further looks, and what it took. */
bool heap_tree_look(struct heap_reader *reader, const struct heap_target *largest, const _Atomic bool *quit,
		    int64_t *cpu_ns);

#endif
