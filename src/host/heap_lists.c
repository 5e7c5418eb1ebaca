/* SPDX-License-Identifier: MIT */
/* Counts free blocks along the lists that an arena keeps of them, as mallinfo2 does: a heap of 400,000 blocks may have
 * 2,000 that are free. Each block must name the one before it, so a list that changed meanwhile does not hold. */
#include "host/heap_lists.h"

#include <string.h>

#include "host/heap_passing.h"

enum { FLAGS = 7, HEADER = 16, BLOCK_MIN = 32, ALIGN = 16, LIST_TRIES = 64, BIN_TRIES = 16, ARENA_TRIES = 3 };
enum { LAST_FREED = 0, SMALL_BINS = 1, LARGE_BINS = 63, LAST_READS = 32 };
enum { READS_SPARED = 8 };     /* a read of one page takes about as long as so many that follow one another */
enum { STEPS_AT_ONCE = 4096 }; /* a ring on one page needs no read: time is asked for by steps */
/* A read for a block of a list takes about as long as so much of a heap from block to block. */
enum { BYTES_PER_READ = 10 * 1024, READS_LEAST = 64 };

bool heap_page_is_shared(uint64_t entry)
{
	return (entry & (HEAP_PAGE_PRESENT | HEAP_PAGE_ALONE)) == HEAP_PAGE_PRESENT;
}

enum heap_state heap_tally_pages(struct heap_walk *w, struct heap_range range, struct heap_tally *t)
{
	uint64_t at = range.start, end = range.end, page_bytes = w->view.image->page_bytes;

	while (at < end) {
		uint64_t stop = (at & ~(page_bytes - 1)) + page_bytes, entry;
		enum heap_state state = heap_view_page(&w->view, at, &entry);

		if (state)
			return state;
		if (stop > end)
			stop = end;
		if (w->own_pages && heap_page_is_shared(entry))
			t->shared += stop - at;
		else if (entry & (HEAP_PAGE_PRESENT | HEAP_PAGE_SWAPPED))
			t->kept += stop - at;
		at = stop;
	}
	return HEAP_KNOWN;
}

enum heap_state heap_tally_free(struct heap_walk *w, uint64_t at, uint64_t size, struct heap_tally *t)
{
	uint64_t seen = w->before ? heap_ranges_common(w->before, at, at + size) : 0;

	t->free += size;
	t->seen += seen;
	if (size < HEAP_LARGE_BYTES) {
		t->small += size;
		t->small_seen += seen;
	}
	if (w->own_pages || !(heap_view_has(&w->view, at, size) || heap_view_has_copy(&w->view, at, size)))
		return heap_tally_pages(w, (struct heap_range){at, at + size}, t);
	t->kept += size;
	return HEAP_KNOWN;
}

/* In small pieces: what is looked at next is elsewhere. */
void heap_read_around(struct heap_walk *w)
{
	uint64_t page_bytes = w->view.image->page_bytes;

	heap_view_reset(&w->view, page_bytes < HEAP_VIEW_BYTES ? (size_t)page_bytes : HEAP_VIEW_BYTES, 1);
}

void heap_read_ahead(struct heap_walk *w)
{
	heap_view_reset(&w->view, HEAP_VIEW_BYTES, HEAP_VIEW_PAGES);
}

/* Since 2.32 a link is stored xored with its own place, before it was stored as it is. */
static uint64_t next_in_list(const struct heap_walk *w, uint64_t at, uint64_t link)
{
	return w->plain_links ? link : link ^ ((at + HEADER) >> 12);
}

/* Where the arena's newest heap begins: it ends with top. */
static uint64_t heap_begin(const struct heap_walk *w, const struct heap_arena *a)
{
	return a->main ? w->brk.start & ~(w->view.image->page_bytes - 1) : a->top & ~(HEAP_MAX_BYTES - 1);
}

/* Small blocks that were freed in no order lie on another page each: from some reads on it is cheaper to read the heap
 * at once. */
static enum heap_state copy_if_cheaper(struct heap_walk *w, const struct heap_arena *a)
{
	uint64_t page_bytes = w->view.image->page_bytes;
	enum heap_state state;

	if (w->view.reads < w->copy_from)
		return HEAP_KNOWN;
	w->copy_from = UINT64_MAX;
	heap_read_ahead(w);
	state = heap_view_take_copy(&w->view, heap_begin(w, a), a->top & ~(page_bytes - 1));
	heap_read_around(w);
	return state;
}

/* Small blocks that were freed last look used; lists of them, one for each size, hang on the arena. */
static enum heap_state walk_list(struct heap_walk *w, const struct heap_arena *a, uint64_t at, uint64_t size,
				 uint64_t max, struct heap_tally *t)
{
	for (uint64_t n = 1; at; n++) {
		uint64_t block[3]; /* header and link */
		enum heap_state state;

		if (at % ALIGN || max < size)
			return HEAP_CHANGING;
		if (n % STEPS_AT_ONCE == 0 && !w->view.image->may_go_on(w->view.image->ctx))
			return HEAP_OVER_BUDGET;
		state = copy_if_cheaper(w, a);
		if (!state)
			state = heap_view_copy(&w->view, at, block, sizeof(block));
		if (state)
			return state;
		if ((block[1] & ~(uint64_t)FLAGS) != size)
			return HEAP_CHANGING;
		state = heap_tally_free(w, at, size, t);
		if (state)
			return state;
		max -= size;
		at = next_in_list(w, at, block[2]);
	}
	return HEAP_KNOWN;
}

/* A link that led to a second block was read as this glibc writes it. A single block proves nothing: taken meanwhile and
 * zeroed, it passes for the end of a plain list. Until it is known, what does not hold may be of the other kind. */
static void learn_links(struct heap_walk *w, enum heap_state state, bool led_on)
{
	if (!state)
		w->links_known = w->links_known || led_on;
	else if (!w->links_known)
		w->plain_links = !w->plain_links;
}

/* A busy program changes the head of some list at any moment: one that changed is counted again, and no other. Or it is
 * the other kind of glibc. */
static enum heap_state try_list(struct heap_walk *w, const struct heap_arena *a, uint64_t i, uint64_t max,
				struct heap_tally *t)
{
	uint64_t head = a->fast[i], size = BLOCK_MIN + i * ALIGN;
	enum heap_state state = HEAP_CHANGING;

	for (int tries = 0; tries < LIST_TRIES && state == HEAP_CHANGING; tries++) {
		struct heap_tally sum = *t;

		w->view.len = 0;
		if (tries > 0)
			heap_view_drop_copy(&w->view);
		state = tries > 0 ? heap_arena_fast(&w->view, a, i, &head) : HEAP_KNOWN;
		if (!state)
			state = walk_list(w, a, head, size, max, &sum);
		learn_links(w, state, sum.free - t->free > size);
		if (!state)
			*t = sum;
	}
	return state;
}

enum heap_state heap_lists_fast(struct heap_walk *w, const struct heap_arena *arena, uint64_t max,
				struct heap_tally *t)
{
	uint64_t before = t->free;
	struct heap_arena a;
	enum heap_state state;

	heap_read_around(w);
	state = heap_arena_read(&w->view, arena->bins, w->front, &a);
	a.main = arena->main;
	w->copy_from = w->view.reads + (a.top - heap_begin(w, &a)) / w->view.image->page_bytes / READS_SPARED;
	for (uint64_t i = 0; i < HEAP_FAST_BINS && !state; i++)
		if (a.fast[i])
			state = try_list(w, &a, i, max - (t->free - before), t);
	heap_view_drop_copy(&w->view);
	return state;
}

/* Where most of a heap is free in small blocks, the lists are the long way. */
static bool is_long_way(const struct heap_walk *w)
{
	return w->view.reads > w->reads_until;
}

/* The sizes of large blocks first, before the program goes on: what of them is there can wait. */
static enum heap_state note_free(struct heap_walk *w, uint64_t at, uint64_t size, struct heap_tally *t)
{
	if (!w->large_first || w->found_count == HEAP_FOUND_MAX || at + size < at)
		return heap_tally_free(w, at, size, t);
	t->free += size;
	w->found[w->found_count++] = (struct heap_range){at, at + size};
	return HEAP_KNOWN;
}

/* One bin: a ring through its head, which stands before its two words as a block does before its links. */
static enum heap_state walk_bin(struct heap_walk *w, uint64_t head, uint64_t first, uint64_t max,
				struct heap_tally *t)
{
	uint64_t before = head, at = first;

	for (uint64_t n = 1; at != head; n++) {
		uint64_t block[4]; /* header, next, before */
		uint64_t size;
		enum heap_state state;

		if (at % ALIGN || is_long_way(w))
			return HEAP_CHANGING;
		if (n % STEPS_AT_ONCE == 0 && !w->view.image->may_go_on(w->view.image->ctx))
			return HEAP_OVER_BUDGET;
		state = heap_view_copy(&w->view, at, block, sizeof(block));
		if (state)
			return state;
		size = block[1] & ~(uint64_t)FLAGS;
		if (size < BLOCK_MIN || size % ALIGN || size > max || block[3] != before)
			return HEAP_CHANGING;
		state = note_free(w, at, size, t);
		if (state)
			return state;
		max -= size;
		before = at;
		at = block[2];
	}
	return HEAP_KNOWN;
}

/* A bin is short: one that changed since its arena was read is soon counted again. */
static enum heap_state try_bin(struct heap_walk *w, const struct heap_arena *a, uint64_t i,
			       struct heap_tally *t)
{
	uint64_t head = a->bins + 16 * i - HEADER, first = a->bin[2 * i];
	enum heap_state state = HEAP_CHANGING;

	for (int tries = 0; tries < BIN_TRIES && state == HEAP_CHANGING && !is_long_way(w); tries++) {
		struct heap_tally sum = *t;
		uint32_t found = w->found_count;

		w->view.len = 0;
		state =
		    tries > 0 ? heap_view_copy(&w->view, head + HEADER, &first, sizeof(first)) : HEAP_KNOWN;
		if (!state)
			state = walk_bin(w, head, first, a->system_bytes - t->free, &sum);
		if (!state)
			*t = sum;
		else
			w->found_count = found;
	}
	return state;
}

static enum heap_state walk_bins(struct heap_walk *w, const struct heap_arena *a, uint64_t from, uint64_t to,
				 struct heap_tally *t)
{
	enum heap_state state = HEAP_KNOWN;

	for (uint64_t i = from; i < to && !state; i++)
		if (a->bin[2 * i] != a->bins + 16 * i - HEADER)
			state = try_bin(w, a, i, t);
	return state;
}

static enum heap_state tally_top(struct heap_walk *w, const struct heap_arena *a, struct heap_tally *t,
				 uint64_t *end)
{
	uint64_t header[2], size;
	enum heap_state state = heap_view_copy(&w->view, a->top, header, sizeof(header));

	if (state)
		return state;
	size = header[1] & ~(uint64_t)FLAGS;
	if (size < BLOCK_MIN || size > a->system_bytes - t->free ||
	    (a->top + size) % w->view.image->page_bytes)
		return HEAP_CHANGING;
	*end = a->top + size;
	return note_free(w, a->top, size, t);
}

static enum heap_state read_arena(struct heap_walk *w, uint64_t bins, struct heap_arena *out)
{
	enum heap_state state;

	heap_read_around(w);
	state = heap_arena_read(&w->view, bins, w->front, out);
	w->reads_until = w->view.reads + READS_LEAST + out->system_bytes / BYTES_PER_READ;
	return state;
}

/* What was freed last is in one bin, whatever its size: large blocks as a rule, or thousands of small ones. These are
 * left for later. */
static enum heap_state walk_last_freed(struct heap_walk *w, const struct heap_arena *a,
				       struct heap_part *part)
{
	uint64_t until = w->reads_until;
	enum heap_state state;

	if (w->reads_until > w->view.reads + LAST_READS)
		w->reads_until = w->view.reads + LAST_READS;
	state = walk_bins(w, a, LAST_FREED, SMALL_BINS, &part->large);
	part->last_known = !state;
	w->reads_until = until;
	return state == HEAP_CHANGING ? HEAP_KNOWN : state;
}

/* For this arena: a thread's small one says nothing of the main one, which may be a hundred times as large. */
static enum heap_state choose_way(struct heap_walk *w, struct heap_part *part, enum heap_state state)
{
	if (!state || !is_long_way(w) || part->long_way)
		return state;
	part->long_way = true;
	w->long_bytes += part->system_bytes;
	return state;
}

void heap_lists_forget(struct heap_walk *w, struct heap_part *part)
{
	for (uint32_t i = part->found; i < part->found_end; i++)
		w->found[i] = (struct heap_range){0};
	part->found = part->found_end = w->found_count;
	heap_passing_forget(w, part);
}

enum heap_state heap_lists_large(struct heap_walk *w, struct heap_part *part)
{
	struct heap_arena a;
	uint64_t end = 0;
	enum heap_state state = read_arena(w, part->bins, &a);

	w->counts++;
	heap_lists_forget(w, part);
	w->large_first = true;
	part->large = (struct heap_tally){0};
	w->all_bytes += a.system_bytes - part->system_bytes;
	part->system_bytes = a.system_bytes;
	if (!state)
		state = tally_top(w, &a, &part->large, &end);
	if (!state)
		state = walk_last_freed(w, &a, part);
	if (!state)
		state = walk_bins(w, &a, LARGE_BINS, HEAP_BIN_WORDS / 2, &part->large);
	if (!state)
		state = heap_passing_extents(w, part, &a, end);
	part->large_known = !state;
	part->found_end = w->found_count;
	w->large_first = false;
	return choose_way(w, part, state);
}

static enum heap_state walk_rest(struct heap_walk *w, struct heap_part *part, struct heap_tally *t)
{
	struct heap_arena a;
	enum heap_state state = read_arena(w, part->bins, &a);

	w->view.pages_max = HEAP_VIEW_PAGES; /* for blocks of many pages */
	a.main = part->main;
	a.system_bytes = part->system_bytes;
	if (!state)
		state = walk_bins(w, &a, part->last_known ? SMALL_BINS : LAST_FREED, LARGE_BINS, t);
	if (!state)
		state = heap_lists_fast(w, &a, a.system_bytes - t->free, t);
	if (!state && t->free > a.system_bytes)
		return HEAP_CHANGING;
	return choose_way(w, part, state);
}

/* A block that went from one bin to another meanwhile was found twice. */
static void count_once(struct heap_walk *w, const struct heap_part *part, struct heap_tally *t)
{
	struct heap_range *list = w->found + part->found;
	uint64_t end = 0;

	heap_ranges_sort(list, part->found_end - part->found);
	for (uint32_t i = 0; i < part->found_end - part->found; i++) {
		uint64_t start = list[i].start < end ? end : list[i].start;

		if (start > list[i].end)
			start = list[i].end;
		t->free -= start - list[i].start;
		list[i].start = start;
		end = list[i].end > end ? list[i].end : end;
	}
}

enum heap_state heap_lists_weigh(struct heap_walk *w, const struct heap_part *part, struct heap_tally *t)
{
	enum heap_state state = HEAP_KNOWN;

	count_once(w, part, t);
	heap_read_ahead(w);
	for (uint32_t i = part->found; i < part->found_end && !state; i++)
		state = heap_tally_pages(w, w->found[i], t);
	return state;
}

enum heap_state heap_lists_arena(struct heap_walk *w, struct heap_part *part, uint64_t *system_bytes,
				 struct heap_tally *t)
{
	enum heap_state state = HEAP_CHANGING;

	for (int tries = 0; tries < ARENA_TRIES && state == HEAP_CHANGING && !part->long_way; tries++) {
		state = part->large_known ? HEAP_KNOWN : heap_lists_large(w, part);
		part->large_known = false;
		*t = part->large;
		if (!state)
			state = walk_rest(w, part, t);
		if (!state)
			state = heap_lists_weigh(w, part, t);
	}
	*system_bytes = part->system_bytes;
	return state;
}
