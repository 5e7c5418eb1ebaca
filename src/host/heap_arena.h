/* SPDX-License-Identifier: MIT */
/* The arenas of glibc's malloc, found by their shape: what malloc_state and heap_info hold and where. It is the
 * one file that knows their layout; it was compared with the sources of glibc 2.26 to 2.42 on 64-bit machines.
 *
 *     heap_info     ar_ptr prev size mprotect_size [pagesize, since 2.35]         32 or 48 bytes
 *     malloc_state  mutex flags [fastbins] top last_remainder bins binmap next next_free threads system_mem max
 *
 * All versions agree on what stands around the bins, so an arena is held by the address of its bins. Each bin is the
 * head of a ring; an empty one points to itself and the last one is never used, which makes bins unmistakable.
 * All arenas form a ring through next, the main one among them. */
#ifndef HOST_HEAP_ARENA_H
#define HOST_HEAP_ARENA_H

#include "host/heap_ranges.h"
#include "host/heap_view.h"

enum {
	HEAP_FAST_BINS = 10,
	HEAP_BIN_WORDS = 252, /* two for each bin; those of the last one, which is never used, are left out */
	HEAP_ARENAS_MAX = 4096,
	HEAP_HEAPS_MAX = 1 << 20 /* of one arena: 64 TiB */
};
#define HEAP_MAX_BYTES (UINT64_C(64) << 20) /* room of a thread arena's heap, to which it is aligned */

struct heap_arena {
	uint64_t bins;  /* address */
	uint64_t start; /* address of the malloc_state, which the ring names */
	bool main;
	bool contiguous; /* the main arena is one piece, from brk alone */
	uint64_t top, system_bytes;
	uint64_t fast[HEAP_FAST_BINS]; /* heads of the lists; zeros where this version has none */
	uint64_t bin[HEAP_BIN_WORDS];  /* first and last block of each, all of the same moment */
};

struct heap_segment { /* one heap of a thread's arena */
	uint64_t start, end, prev;
	uint64_t first; /* first block */
};

/* Looks for the main arena in a mapping of libc's data. HEAP_UNUSED when it is not there. */
enum heap_state heap_arena_find(struct heap_view *v, struct heap_range data, uint64_t *out_bins);
/* Reads the arena with bins at an address. front: bytes of malloc_state before the bins. */
enum heap_state heap_arena_read(struct heap_view *v, uint64_t bins, uint64_t front, struct heap_arena *out);
/* The head of a list of small blocks, as it is now. */
enum heap_state heap_arena_fast(struct heap_view *v, const struct heap_arena *a, uint64_t list,
				uint64_t *out_head);
/* The malloc_state that follows in the ring. */
enum heap_state heap_arena_next(struct heap_view *v, uint64_t bins, uint64_t *out_next);
/* How many bytes of malloc_state stand before the bins in this program's glibc, seen from the main arena. */
enum heap_state heap_arena_front(struct heap_view *v, uint64_t main_bins, uint64_t *out_front);
/* The heap that holds an address of a thread's arena. */
enum heap_state heap_arena_segment(struct heap_view *v, const struct heap_arena *a, uint64_t at,
				   struct heap_segment *out);

#endif
