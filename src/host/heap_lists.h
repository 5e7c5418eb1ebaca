/* SPDX-License-Identifier: MIT */
/* What an arena has free, by its own lists; and what free memory weighs. Parts of a walk (heap_walk.h). */
#ifndef HOST_HEAP_LISTS_H
#define HOST_HEAP_LISTS_H

#include "host/heap_walk.h"

/* Counts the large free blocks of an arena, if its lists hold. They are few, are most of what is free and come and go
 * by the megabyte as soon as the program goes on: of all arenas they are counted first. */
enum heap_state heap_lists_large(struct heap_walk *w, struct heap_part *part);
/* Which of the large blocks that were found are there. */
enum heap_state heap_lists_weigh(struct heap_walk *w, const struct heap_part *part, struct heap_tally *t);
/* Counts everything free in an arena: top, bins and the lists of small blocks; what is known of part is not counted
 * again. HEAP_CHANGING after some tries, or where the blocks themselves are the shorter way: they may still be walked. */
enum heap_state heap_lists_arena(struct heap_walk *w, struct heap_part *part, uint64_t *system_bytes,
				 struct heap_tally *t);
/* What was found of an arena's large blocks does not count: its blocks are walked. */
void heap_lists_forget(struct heap_walk *w, struct heap_part *part);
/* The lists of small blocks that were freed last, which look used from block to block; no more than max bytes. */
enum heap_state heap_lists_fast(struct heap_walk *w, const struct heap_arena *arena, uint64_t max,
				struct heap_tally *t);

/* Adds the free block at an address, and what of it takes memory of ours. */
enum heap_state heap_tally_free(struct heap_walk *w, uint64_t at, uint64_t size, struct heap_tally *t);
/* Counts what of a range takes memory of ours. */
enum heap_state heap_tally_pages(struct heap_walk *w, struct heap_range range, struct heap_tally *t);
/* Other processes map it too. */
bool heap_page_is_shared(uint64_t entry);

/* Forgets what was read, for something elsewhere (page by page) or for what follows (in large pieces). */
void heap_read_around(struct heap_walk *w);
void heap_read_ahead(struct heap_walk *w);

#endif
