/* SPDX-License-Identifier: MIT */
/* The walk over all blocks of a process's glibc heaps: what the program has, and what it freed and the allocator
 * keeps. Pure, apart from the image it reads. Bounded in steps and reads for any contents. */
#ifndef HOST_HEAP_WALK_H
#define HOST_HEAP_WALK_H

#include "host/heap_maps.h"

struct heap_sizes {
	uint64_t used_bytes; /* as mallinfo2 says: blocks in use with headers, and what arenas need */
	uint64_t free_bytes; /* as mallinfo2 says: free blocks and the tops, there or not */
	uint64_t kept_bytes; /* the part of free_bytes that is there or swapped: what the allocator keeps */
	bool passing_known;  /* the next two; there were looks before */
	uint64_t passing_bytes;   /* the part of used_bytes that was not in use at an earlier look */
	uint64_t untouched_bytes; /* the part of passing_bytes that is not there yet */
	uint64_t small_bytes, small_seen_bytes; /* free in small blocks; of that, free at an earlier look */
	uint64_t blocks;                        /* that were walked */
	uint32_t arenas;
};

struct heap_tally {
	uint64_t free, kept;
	uint64_t shared; /* part of free on pages that another process accounts for */
	uint64_t seen;   /* part of free, as far as it is not among those found, that was free before */
	uint64_t small, small_seen; /* parts of both in small blocks */
	uint64_t blocks;
};

struct heap_part {             /* an arena that is still to be taken */
	uint64_t bins;         /* address */
	uint64_t system_bytes; /* when its large blocks were counted */
	struct heap_tally large;
	bool main;
	uint32_t found, found_end;   /* which of those found are its */
	uint32_t extent, extent_end; /* which of the extents */
	bool large_known;            /* top and the large bins are counted */
	bool last_known;             /* and the blocks that were freed last */
	bool long_way;               /* its lists take longer than its blocks */
};

struct heap_mark { /* a block boundary, and what was counted up to it */
	uint64_t at;
	struct heap_tally tally;
};

enum { HEAP_LARGE_BYTES = 1024, HEAP_MARKS = 16, HEAP_FOUND_MAX = HEAP_RANGES_MAX, HEAP_EXTENTS_MAX = 1024 };
enum { HEAP_UNUSED_MAX = HEAP_FOUND_MAX + HEAP_EXTENTS_MAX + 1 };

/* By the lists of free blocks, which is quick, and from block to block where they do not hold; or from block to block
 * in any case. */
enum heap_way { HEAP_BY_LISTS, HEAP_BY_BLOCKS };

struct heap_walk {
	struct heap_view view;
	struct heap_range brk;
	enum heap_way way;                  /* in the end, the one to begin the next walk with */
	uint64_t reads_until;               /* of an arena's lists; after that they are the long way */
	uint64_t copy_from;                 /* reads from which on the arena is copied; UINT64_MAX never */
	uint64_t all_bytes, long_bytes;     /* of all arenas; of those whose lists were the long way */
	bool own_pages;                     /* leave out what other processes map too */
	bool plain_links, links_known;      /* in lists of freed blocks; whether one has told */
	bool large_first;                   /* large blocks are to be found, not weighed */
	uint64_t front;                     /* bytes of malloc_state before its bins */
	uint64_t failed_at;                 /* furthest place of the stretch that did not fit */
	uint32_t back, failures;            /* at that place */
	uint32_t mark_low, mark_count;      /* the first mark that is kept, and all so far */
	struct heap_mark marks[HEAP_MARKS]; /* ring of boundaries to go back to */
	const struct heap_ranges *before;   /* what was not in use at earlier looks; NULL not known */
	uint64_t seen_bytes;                /* of all arenas */
	uint32_t found_count;
	struct heap_range found[HEAP_FOUND_MAX]; /* large free blocks; empty ones do not count */
	uint32_t extent_count;
	struct heap_range extents[HEAP_EXTENTS_MAX]; /* the heaps as they were when they were counted */
	struct heap_range unused[HEAP_UNUSED_MAX];   /* they and what lies between the heaps, in order */
	struct heap_ranges left;                     /* not in use before, and in use now */
	struct heap_tally passing;                   /* free: its bytes; kept: those that are there */
	bool passing_known;
	uint32_t counts, passing_counts; /* how often an arena was counted; by then */
	uint32_t arena_count;
	struct heap_part arenas[HEAP_ARENAS_MAX]; /* those that are still to be taken */
};

/* One walk; w needs no other preparation, and maps keeps where the main arena is. own_pages: a process forked from another
 * one that is counted counts only the pages that no other process maps. before: what was not in use when it was looked at
 * before, or NULL. out is set when the result is HEAP_KNOWN. */
enum heap_state heap_walk(struct heap_walk *w, const struct heap_image *image, struct heap_maps *maps,
			  enum heap_way way, bool own_pages, const struct heap_ranges *before,
			  struct heap_sizes *out);

/* Only the large free blocks: small ones count as in use. seen_bytes: how much of
 * before is free in small blocks. */
enum heap_state heap_walk_large(struct heap_walk *w, const struct heap_image *image, struct heap_maps *maps,
				const struct heap_ranges *before, uint64_t seen_bytes,
				struct heap_sizes *out);

/* Finds the large free blocks and the heaps, and nothing else: w->found and w->extents. */
enum heap_state heap_walk_look(struct heap_walk *w, const struct heap_image *image, struct heap_maps *maps);

/* Half a sentence, such as "its heap is swapped out"; "" for HEAP_KNOWN. */
const char *heap_state_text(enum heap_state state);

#endif
