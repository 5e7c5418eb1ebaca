/* SPDX-License-Identifier: MIT */
/* What passes through a heap: in use at this moment, but free at an earlier look, as the arrays of a batch are. Parts of a
 * walk (heap_walk.h). */
#ifndef HOST_HEAP_PASSING_H
#define HOST_HEAP_PASSING_H

#include "host/heap_walk.h"

/* Notes where the heaps of an arena are, at the moment its blocks are counted: what the program puts behind their ends a
 * moment later is not in use by that count. end: of the main heap. */
enum heap_state heap_passing_extents(struct heap_walk *w, struct heap_part *part, const struct heap_arena *a,
				     uint64_t end);
/* One heap of the arena that is being walked. */
void heap_passing_extent(struct heap_walk *w, uint64_t start, uint64_t end);
/* What was noted of an arena does not hold. */
void heap_passing_forget(struct heap_walk *w, struct heap_part *part);

/* Puts all that is not in use into unused: what lies between the heaps is so as much as the free blocks that were
 * found. Returns how many there are; 0 where that is not known. */
size_t heap_passing_unused(struct heap_walk *w);
/* Counts what was not in use before and is now: soon after the large blocks of all arenas, and again in the end where one
 * of them was counted again. */
enum heap_state heap_passing_count(struct heap_walk *w);
void heap_passing_tell(const struct heap_walk *w, struct heap_sizes *out);

#endif
