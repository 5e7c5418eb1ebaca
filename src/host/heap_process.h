/* SPDX-License-Identifier: MIT */
/* The heaps of a live process, read from outside: it is neither stopped nor touched, and no page of it is brought
 * in. */
#ifndef HOST_HEAP_PROCESS_H
#define HOST_HEAP_PROCESS_H

#include "host/heap_walk.h"

struct heap_reader; /* what walks need, 120 KiB; opaque */

struct heap_cost {
	int64_t cpu_ns; /* of this thread */
	uint64_t reads, read_bytes;
};

struct heap_limits {
	int64_t cpu_ns;          /* at most this for one walk; HEAP_OVER_BUDGET beyond */
	bool (*stop)(void *ctx); /* asked before every read, true ends the walk as over budget; NULL never */
	void *ctx;
};

struct heap_reader *heap_reader_new(void);
void heap_reader_free(struct heap_reader *r);

/* One walk of process pid, whose directory in /proc is open as dir_fd: that it is still this process and this
 * program is checked, so a reused number or an exec gives HEAP_GONE. own_pages as in heap_walk(). cost is set
 * whatever comes out. */
enum heap_state heap_process_walk(struct heap_reader *r, int dir_fd, pid_t pid, bool own_pages,
				  const struct heap_limits *limits, struct heap_sizes *out,
				  struct heap_cost *cost);
/* The allocator that the last walk found mapped, after HEAP_ALLOCATOR. Lent until the next walk. */
const char *heap_reader_allocator(const struct heap_reader *r);

#endif
