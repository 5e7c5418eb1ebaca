/* SPDX-License-Identifier: MIT */
/* All arenas of a process: their large free blocks first, then each by its lists, or by its blocks where these do not
 * hold. An arena that changed meanwhile is taken again. */
#include "host/heap_walk.h"

#include "host/heap_blocks.h"
#include "host/heap_lists.h"
#include "host/heap_passing.h"

enum { ROUNDS = 24 };

/* The lists of free blocks are the quick way. What others map too is known of whole heaps only. */
static bool by_lists(const struct heap_walk *w)
{
	return w->way == HEAP_BY_LISTS && !w->own_pages;
}

static enum heap_state take_arena(struct heap_walk *w, struct heap_part *part, struct heap_sizes *out)
{
	struct heap_blocks_sum sum = {0};
	enum heap_state state = by_lists(w) && !part->long_way
				    ? heap_lists_arena(w, part, &sum.system_bytes, &sum.tally)
				    : HEAP_CHANGING;
	uint64_t used, used_shared;

	if (state == HEAP_CHANGING) {
		sum = (struct heap_blocks_sum){0};
		state = heap_blocks_arena(w, part, &sum);
	}
	if (state)
		return state;
	used = sum.system_bytes - sum.tally.free;
	used_shared = sum.shared - sum.tally.shared;
	out->used_bytes += used > used_shared ? used - used_shared : 0;
	out->free_bytes += sum.tally.free;
	out->kept_bytes += sum.tally.kept;
	out->blocks += sum.tally.blocks;
	out->small_bytes += sum.tally.small;
	out->small_seen_bytes += sum.tally.small_seen;
	out->arenas++;
	w->seen_bytes += sum.tally.seen;
	return HEAP_KNOWN;
}

/* The other arenas: a ring, from the main one's next back to it. */
static enum heap_state list_arenas(struct heap_walk *w, uint64_t main_bins)
{
	enum heap_state state;
	uint64_t next;

	heap_read_around(w);
	state = heap_arena_next(&w->view, main_bins, &next);
	for (; !state && next != main_bins - w->front; w->arena_count++) {
		if (w->arena_count == HEAP_ARENAS_MAX)
			return HEAP_OVER_BUDGET;
		w->arenas[w->arena_count] = (struct heap_part){.bins = next + w->front};
		state = heap_arena_next(&w->view, next + w->front, &next);
	}
	return state;
}

/* Large blocks of the arenas from number first on. One that changed meanwhile is tried again in its turn. */
static enum heap_state take_large(struct heap_walk *w, uint32_t first)
{
	for (uint32_t i = first; i < w->arena_count && by_lists(w); i++) {
		enum heap_state state = heap_lists_large(w, &w->arenas[i]);

		if (state && state != HEAP_CHANGING)
			return state;
	}
	return HEAP_KNOWN;
}

/* What changes fastest is counted before anything else: that of the main arena, in which the program's first thread
 * takes its memory, even before the others are known. */
static enum heap_state begin_arenas(struct heap_walk *w, uint64_t main_bins)
{
	enum heap_state state;

	heap_read_around(w);
	state = heap_arena_front(&w->view, main_bins, &w->front);
	if (state)
		return state;
	w->arenas[0] = (struct heap_part){.bins = main_bins, .main = true};
	w->arena_count = 1;
	state = take_large(w, 0);
	if (!state)
		state = list_arenas(w, main_bins);
	return state ? state : take_large(w, 1);
}

/* Takes what can be taken of the arenas that are left. */
static enum heap_state take_round(struct heap_walk *w, struct heap_sizes *out)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < w->arena_count; i++) {
		struct heap_part *part = &w->arenas[i];
		enum heap_state state = take_arena(w, part, out);

		if (state && state != HEAP_CHANGING)
			return state;
		if (state)
			w->arenas[left++] = *part;
	}
	w->arena_count = left;
	return left ? HEAP_CHANGING : HEAP_KNOWN;
}

static enum heap_state take_all(struct heap_walk *w, struct heap_sizes *out)
{
	enum heap_state state = HEAP_CHANGING;

	for (int round = 0; round < ROUNDS && state == HEAP_CHANGING; round++) {
		if (round > 0)
			w->view.image->rest(w->view.image->ctx);
		state = take_round(w, out);
	}
	return state;
}

static enum heap_state find_bins(struct heap_walk *w, const struct heap_range *data, int n, uint64_t *out)
{
	enum heap_state state = HEAP_UNUSED;

	for (int i = 0; i < n && state == HEAP_UNUSED; i++) {
		heap_read_ahead(w);
		state = heap_arena_find(&w->view, data[i], out);
	}
	return state;
}

static enum heap_state find_main_arena(struct heap_walk *w, struct heap_maps *maps)
{
	if (maps->main_bins)
		return HEAP_KNOWN;
	return maps->libc_count ? find_bins(w, maps->libc, maps->libc_count, &maps->main_bins)
				: find_bins(w, maps->program, maps->program_count, &maps->main_bins);
}

static enum heap_state begin(struct heap_walk *w, const struct heap_image *image, struct heap_maps *maps)
{
	enum heap_state state;

	heap_view_init(&w->view, image);
	w->plain_links = w->links_known = false;
	w->brk = maps->brk;
	w->found_count = w->extent_count = 0;
	w->passing_known = false;
	w->seen_bytes = w->all_bytes = w->long_bytes = 0;
	if (maps->allocator[0])
		return HEAP_ALLOCATOR;
	state = find_main_arena(w, maps);
	return state ? state : begin_arenas(w, maps->main_bins);
}

static enum heap_state count_moment(struct heap_walk *w)
{
	enum heap_state state = heap_passing_count(w);

	if (w->view.image->counted)
		w->view.image->counted(w->view.image->ctx);
	return state;
}

enum heap_state heap_walk(struct heap_walk *w, const struct heap_image *image, struct heap_maps *maps,
			  enum heap_way way, bool own_pages, const struct heap_ranges *before,
			  struct heap_sizes *out)
{
	struct heap_sizes sizes = {0};
	enum heap_state state;

	w->way = way;
	w->own_pages = own_pages;
	w->before = own_pages ? NULL : before;
	state = begin(w, image, maps);
	if (!state)
		state = count_moment(w);
	if (!state)
		state = take_all(w, &sizes);
	if (!state)
		state = heap_passing_count(w);
	heap_passing_tell(w, &sizes);
	if (w->long_bytes > w->all_bytes / 2)
		w->way = HEAP_BY_BLOCKS;
	if (!state)
		*out = sizes;
	return state;
}

static enum heap_state weigh_large(struct heap_walk *w, struct heap_part *part, struct heap_sizes *out)
{
	struct heap_tally t;
	enum heap_state state = part->large_known ? HEAP_KNOWN : heap_lists_large(w, part);

	t = part->large;
	if (!state)
		state = heap_lists_weigh(w, part, &t);
	if (!state && t.free > part->system_bytes)
		state = HEAP_CHANGING;
	out->used_bytes += part->system_bytes - t.free;
	out->free_bytes += t.free;
	out->kept_bytes += t.kept;
	out->arenas++;
	return state;
}

static enum heap_state begin_large(struct heap_walk *w, const struct heap_image *image,
				   struct heap_maps *maps, const struct heap_ranges *before)
{
	w->way = HEAP_BY_LISTS;
	w->own_pages = false;
	w->before = before;
	return begin(w, image, maps);
}

enum heap_state heap_walk_large(struct heap_walk *w, const struct heap_image *image, struct heap_maps *maps,
				const struct heap_ranges *before, uint64_t seen_bytes, struct heap_sizes *out)
{
	struct heap_sizes sizes = {0};
	enum heap_state state;

	state = begin_large(w, image, maps, before);
	for (uint32_t i = 0; i < w->arena_count && !state; i++)
		state = weigh_large(w, &w->arenas[i], &sizes);
	if (!state)
		state = count_moment(w);
	w->seen_bytes = seen_bytes;
	heap_passing_tell(w, &sizes);
	if (!state)
		*out = sizes;
	return state;
}

enum heap_state heap_walk_look(struct heap_walk *w, const struct heap_image *image, struct heap_maps *maps)
{
	enum heap_state state;

	state = begin_large(w, image, maps, NULL);
	for (uint32_t i = 0; i < w->arena_count && !state; i++)
		if (!w->arenas[i].large_known)
			state = heap_lists_large(w, &w->arenas[i]);
	return state;
}

const char *heap_state_text(enum heap_state state)
{
	static const char *const text[] = {
	    [HEAP_KNOWN] = "",
	    [HEAP_GONE] = "it has ended",
	    [HEAP_DENIED] = "not permitted",
	    [HEAP_ALLOCATOR] = "another allocator than glibc's",
	    [HEAP_UNUSED] = "glibc's malloc is not in use",
	    [HEAP_SCATTERED] = "its main heap is not in one piece",
	    [HEAP_SWAPPED] = "its heap is swapped out",
	    [HEAP_CHANGING] = "its heap changed while it was read",
	    [HEAP_OVER_BUDGET] = "its heap takes too long to read",
	};

	return text[state];
}
