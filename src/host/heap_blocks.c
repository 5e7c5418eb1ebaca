/* SPDX-License-Identifier: MIT */
/* Walks from block to block. A block is 16 bytes of header (the size of the one before if that is free; its own
 * size and three flags) and what it holds; whether it is free stands in the header of the next one. The program runs
 * on meanwhile: a boundary may vanish between two reads. What does not fit sends the walk back to an earlier
 * boundary, and further back each time, to the start at last; then the arena is taken again. */
#include "host/heap_blocks.h"

#include <string.h>

#include "host/heap_lists.h"
#include "host/heap_passing.h"

enum { PREV_IN_USE = 1, MAPPED = 2, NOT_MAIN = 4, FLAGS = 7 };
enum { HEADER = 16, BLOCK_MIN = 32, ALIGN = 16 };
enum { GO_BACK_MAX = 24 };
#define BRK_SLACK (UINT64_C(1) << 20) /* a static program puts its thread-local data before the first block */

struct header {
	uint64_t prev_size, size;
};

struct stretch { /* blocks in a row: the main heap, or one heap of a thread's arena */
	const struct heap_arena *arena;
	uint64_t first, end;
	uint64_t system_bytes; /* what the arena counts for it */
};

static void put_mark(struct heap_walk *w, const struct heap_mark *m)
{
	if (w->mark_count - w->mark_low == HEAP_MARKS)
		w->mark_low++;
	w->marks[w->mark_count++ % HEAP_MARKS] = *m;
}

/* The header at an address; where the window has to move, the boundary before is kept to go back to. */
static inline enum heap_state get_header(struct heap_walk *w, uint64_t at, const struct heap_mark *before,
					 struct header *out)
{
	if (!heap_view_has(&w->view, at, HEADER)) {
		enum heap_state state;

		put_mark(w, before);
		state = heap_view_get(&w->view, at, HEADER);
		if (state)
			return state;
	}
	memcpy(out, heap_view_at(&w->view, at), HEADER);
	return HEAP_KNOWN;
}

/* An older heap of an arena ends in two fence posts, of sizes 16 and 0. In the main heap two of 16 mark where
 * somebody else has moved the break. */
static enum heap_state check_fence(const struct stretch *s, uint64_t at, uint64_t size, uint64_t next_size)
{
	if (s->arena->main)
		return size == (HEADER | PREV_IN_USE) && next_size == size ? HEAP_SCATTERED : HEAP_CHANGING;
	return s->end - at <= BLOCK_MIN && (size & ~(uint64_t)FLAGS) <= HEADER ? HEAP_KNOWN : HEAP_CHANGING;
}

/* A free block stands between two in use and its size is told twice; one in use says whose it is. */
static enum heap_state take_block(struct heap_walk *w, const struct stretch *s, const struct header *h,
				  const struct header *next, struct heap_mark *m)
{
	uint64_t size = h->size & ~(uint64_t)FLAGS;

	if (next->size & PREV_IN_USE)
		return !(h->size & NOT_MAIN) == s->arena->main ? HEAP_KNOWN : HEAP_CHANGING;
	if (next->prev_size != size || !(h->size & PREV_IN_USE))
		return HEAP_CHANGING;
	return heap_tally_free(w, m->at, size, &m->tally);
}

static enum heap_state walk_blocks(struct heap_walk *w, const struct stretch *s, struct heap_mark *m)
{
	struct header h, next;
	enum heap_state state = get_header(w, m->at, m, &h);

	while (!state) {
		uint64_t size = h.size & ~(uint64_t)FLAGS, left = s->end - m->at;

		if (size % ALIGN || h.size & MAPPED || size > left)
			return HEAP_CHANGING;
		if (size >= BLOCK_MIN && size == left) /* top */
			return h.size & PREV_IN_USE ? heap_tally_free(w, m->at, size, &m->tally)
						    : HEAP_CHANGING;
		if (left - size < HEADER)
			return size ? HEAP_CHANGING : check_fence(s, m->at, h.size, 0);
		state = get_header(w, m->at + size, m, &next);
		if (state)
			return state;
		if (size < BLOCK_MIN)
			return check_fence(s, m->at, h.size, next.size);
		state = take_block(w, s, &h, &next, m);
		if (state)
			return state;
		m->at += size;
		m->tally.blocks++;
		h = next;
	}
	return state;
}

static enum heap_state set_main(struct heap_walk *w, const struct heap_arena *a, uint64_t end,
				struct stretch *out)
{
	uint64_t start = end - a->system_bytes;

	if (end < a->system_bytes || start < w->brk.start || start - w->brk.start > BRK_SLACK ||
	    end % w->view.image->page_bytes)
		return HEAP_CHANGING;
	out->first = (start + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
	out->end = end;
	out->system_bytes = a->system_bytes;
	return out->first < end ? HEAP_KNOWN : HEAP_CHANGING;
}

/* Where the main heap begins and ends. It begins with the break, unless the program is linked statically: then the
 * end is that of top, which only a heap that keeps still for a moment has at the place it was read. */
static enum heap_state find_main(struct heap_walk *w, const struct heap_arena *a, bool by_top,
				 struct stretch *out)
{
	struct header top;
	enum heap_state state;

	if (!a->contiguous || !w->brk.start || a->top < w->brk.start)
		return HEAP_SCATTERED;
	if (!by_top && set_main(w, a, w->brk.start + a->system_bytes, out) == HEAP_KNOWN)
		return HEAP_KNOWN;
	state = heap_view_copy(&w->view, a->top, &top, HEADER);
	return state ? state : set_main(w, a, a->top + (top.size & ~(uint64_t)FLAGS), out);
}

static enum heap_state find_segment(struct heap_walk *w, const struct heap_arena *a, uint64_t at,
				    struct stretch *out, uint64_t *out_prev)
{
	struct heap_segment segment;
	enum heap_state state = heap_arena_segment(&w->view, a, at, &segment);

	if (state)
		return state;
	out->first = segment.first;
	out->end = segment.end;
	out->system_bytes = segment.end - segment.start;
	*out_prev = segment.prev;
	return HEAP_KNOWN;
}

static enum heap_state find_again(struct heap_walk *w, struct stretch *s)
{
	struct heap_arena a;
	uint64_t prev;
	enum heap_state state;

	heap_read_around(w);
	if (!s->arena->main)
		return find_segment(w, s->arena, s->first, s, &prev);
	state = heap_arena_read(&w->view, s->arena->bins, w->front, &a);
	return state ? state : find_main(w, &a, w->failures % 2, s);
}

/* Twice as far as the last time when it is still the same place that does not fit. */
static bool go_back(struct heap_walk *w, const struct stretch *s, struct heap_mark *m)
{
	bool further = m->at > w->failed_at;

	w->failures = further ? 1 : w->failures + 1;
	if (w->failures > GO_BACK_MAX)
		return false;
	w->back = further ? 1 : 2 * w->back;
	if (further)
		w->failed_at = m->at;
	if (w->back > w->mark_count - w->mark_low) {
		*m = (struct heap_mark){.at = s->first};
		w->mark_count = w->mark_low = 0;
		return true;
	}
	w->mark_count -= w->back;
	*m = w->marks[w->mark_count % HEAP_MARKS];
	return true;
}

static enum heap_state walk_stretch(struct heap_walk *w, struct stretch *s, struct heap_tally *out)
{
	struct heap_mark m = {.at = s->first};
	enum heap_state state;

	w->failed_at = w->back = w->failures = w->mark_count = w->mark_low = 0;
	heap_read_ahead(w);
	while ((state = walk_blocks(w, s, &m)) == HEAP_CHANGING && go_back(w, s, &m)) {
		state = find_again(w, s);
		if (state && state != HEAP_CHANGING)
			return state;
		heap_read_ahead(w);
	}
	out->free += m.tally.free;
	out->kept += m.tally.kept;
	out->shared += m.tally.shared;
	out->seen += m.tally.seen;
	out->small += m.tally.small;
	out->small_seen += m.tally.small_seen;
	out->blocks += m.tally.blocks;
	return state;
}

/* Bytes that other processes map too. */
static enum heap_state count_shared(struct heap_walk *w, const struct stretch *s, uint64_t *out)
{
	uint64_t page_bytes = w->view.image->page_bytes;
	uint64_t at = (s->end - s->system_bytes) & ~(page_bytes - 1);

	heap_read_ahead(w);
	for (; at < s->end; at += page_bytes) {
		uint64_t entry;
		enum heap_state state = heap_view_page(&w->view, at, &entry);

		if (state)
			return state;
		if (heap_page_is_shared(entry))
			*out += page_bytes;
	}
	return HEAP_KNOWN;
}

static enum heap_state take_stretch(struct heap_walk *w, struct stretch *s, struct heap_blocks_sum *sum)
{
	enum heap_state state = walk_stretch(w, s, &sum->tally);

	if (!state && w->own_pages)
		state = count_shared(w, s, &sum->shared);
	sum->system_bytes += s->system_bytes;
	heap_passing_extent(w, s->end - s->system_bytes, s->end);
	return state;
}

/* From the newest heap, which top is in, to the first, which the arena itself is in. */
static enum heap_state take_segments(struct heap_walk *w, const struct heap_arena *a,
				     struct heap_blocks_sum *sum)
{
	uint64_t at = a->top, prev;

	for (uint32_t n = 0; n < HEAP_HEAPS_MAX; n++) {
		struct stretch s = {.arena = a};
		enum heap_state state;

		heap_read_around(w);
		state = find_segment(w, a, at, &s, &prev);
		if (!state)
			state = take_stretch(w, &s, sum);
		if (state)
			return state;
		if (sum->system_bytes > a->system_bytes + HEAP_MAX_BYTES)
			return HEAP_CHANGING;
		if (prev == 0)
			return a->start > at - at % HEAP_MAX_BYTES && a->start < s.first ? HEAP_KNOWN
											 : HEAP_CHANGING;
		at = prev;
	}
	return HEAP_CHANGING;
}

static enum heap_state take_main(struct heap_walk *w, const struct heap_arena *a, struct heap_blocks_sum *sum)
{
	struct stretch s = {.arena = a};
	enum heap_state state = find_main(w, a, false, &s);

	return state ? state : take_stretch(w, &s, sum);
}

static enum heap_state sum_blocks(struct heap_walk *w, const struct heap_part *part,
				  struct heap_blocks_sum *sum)
{
	struct heap_arena a;
	enum heap_state state;

	heap_read_around(w);
	state = heap_arena_read(&w->view, part->bins, w->front, &a);
	if (state)
		return state;
	a.main = part->main;
	state = part->main ? take_main(w, &a, sum) : take_segments(w, &a, sum);
	if (!state)
		state = heap_lists_fast(w, &a, sum->system_bytes, &sum->tally);
	if (!state && (sum->tally.free > sum->system_bytes || sum->tally.shared > sum->shared))
		state = HEAP_CHANGING;
	return state;
}

enum heap_state heap_blocks_arena(struct heap_walk *w, struct heap_part *part, struct heap_blocks_sum *sum)
{
	enum heap_state state;

	w->counts++;
	heap_lists_forget(w, part);
	state = sum_blocks(w, part, sum);
	part->extent_end = w->extent_count;
	return state;
}
