/* SPDX-License-Identifier: MIT */
/* Whose heaps are walked: the processes of the tree, and which of them have pages in common. Knows nothing of heaps. */
#ifndef HOST_HEAP_TARGETS_H
#define HOST_HEAP_TARGETS_H

#include "base/procfile.h"
#include "host/host.h"

enum { HEAP_TARGETS_MAX = 64 };

struct heap_target {
	pid_t pid, ppid;
	bool parent_alive;     /* and in the tree */
	bool own_pages;        /* forked from one that is counted: what both map is counted there */
	bool looked_at;        /* between walks: the largest, if it is no fork */
	uint64_t mapped_bytes; /* in the last tick */
	bool layout_known;
	struct proc_layout layout;
};

struct heap_targets {
	size_t count;
	bool forks;                                /* some have own_pages */
	struct heap_target list[HEAP_TARGETS_MAX]; /* largest first */
};

/* Those that live and have memory, as of host's last tick; of more than there is room for, the largest. */
void heap_targets_list(struct heap_targets *t, const struct host *host);
/* Finds out which of them were forked from another one and have not called exec since. Reads a small file for each,
 * where there are several. */
void heap_targets_relate(struct heap_targets *t);

#endif
