/* SPDX-License-Identifier: MIT */
/* The heaps of a live process, read from outside: it is neither stopped nor touched, and no page of it is brought
 * in. */
#ifndef HOST_HEAP_PROCESS_H
#define HOST_HEAP_PROCESS_H

#include "host/heap_walk.h"

enum { HEAP_PROCESSES_MAX = 4 }; /* processes of which something is kept from walk to walk */

struct heap_reader; /* what walks need; opaque */

struct heap_cost {
	int64_t cpu_ns; /* of this thread */
	uint64_t reads, read_bytes;
};

/* After each turn it gives way to others, between two reads: who is interrupted in one keeps the mappings of the process
 * locked, and it may wait for them. */
struct heap_limits {
	int64_t cpu_ns;          /* at most this for one walk; HEAP_OVER_BUDGET beyond */
	int64_t turn_ns;         /* of that; 0: never gives way */
	bool quick;              /* large blocks as they are, small ones as the last walk found them */
	bool looks;              /* what was free at looks before tells what passes through */
	bool (*stop)(void *ctx); /* asked before every read, true ends the walk as over budget; NULL never */
	void (*counted)(void *ctx); /* at the moment that the figures are of, once at most; may be NULL */
	void *ctx;
};

struct heap_reader *heap_reader_new(void);
void heap_reader_free(struct heap_reader *r);

/* Between two walks of a process that is no fork of another one: what is not in use now passes through its heaps, whatever
 * it is used for when the next walk comes. HEAP_GONE where it was not walked before. */
enum heap_state heap_process_look(struct heap_reader *r, pid_t pid, const struct heap_limits *limits,
				  struct heap_cost *cost);
/* An epoch ends. What was seen in it is forgotten if there were enough looks, else with one of the next ones. */
void heap_process_end_epoch(struct heap_reader *r, pid_t pid);

/* One walk of process pid, whose directory in /proc is open as dir_fd: that it is still this process and this
 * program is checked, so a reused number or an exec gives HEAP_GONE. own_pages as in heap_walk(). cost is set
 * whatever comes out. */
enum heap_state heap_process_walk(struct heap_reader *r, int dir_fd, pid_t pid, bool own_pages,
				  const struct heap_limits *limits, struct heap_sizes *out,
				  struct heap_cost *cost);
/* The allocator that the last walk found mapped, after HEAP_ALLOCATOR. Lent until the next walk. */
const char *heap_reader_allocator(const struct heap_reader *r);

#endif
