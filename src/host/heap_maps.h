/* SPDX-License-Identifier: MIT */
/* What the mappings of a process say about its allocator. Pure: text in the form of /proc/PID/maps in, line by
 * line. */
#ifndef HOST_HEAP_MAPS_H
#define HOST_HEAP_MAPS_H

#include "host/heap_arena.h"

enum { HEAP_DATA_MAX = 8, HEAP_ALLOCATOR_MAX = 16 };

struct heap_maps {                             /* zeros to begin with */
	struct heap_range brk;                 /* "[heap]", which may be several mappings in a row */
	struct heap_range libc[HEAP_DATA_MAX]; /* writable data of libc, where the main arena is */
	int libc_count;
	struct heap_range
	    program[HEAP_DATA_MAX]; /* of the program itself, for one that is linked statically */
	int program_count;
	char
	    allocator[HEAP_ALLOCATOR_MAX]; /* "jemalloc", ...: another allocator that is mapped; empty none */
	char path[256];                    /* the program's, from the first line */
	uint64_t main_bins;                /* of the main arena, once a walk has found it; 0 before */
};

/* Takes one line, without its end. */
void heap_maps_line(struct heap_maps *m, const char *line);

#endif
