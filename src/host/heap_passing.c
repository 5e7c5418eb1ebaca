/* SPDX-License-Identifier: MIT */
/* Not in use before, and in use now. */
#include "host/heap_passing.h"

#include <string.h>

#include "host/heap_lists.h"

void heap_passing_extent(struct heap_walk *w, uint64_t start, uint64_t end)
{
	if (w->extent_count < HEAP_EXTENTS_MAX)
		w->extents[w->extent_count] = (struct heap_range){start, end};
	w->extent_count++;
}

void heap_passing_forget(struct heap_walk *w, struct heap_part *part)
{
	for (uint32_t i = part->extent; i < part->extent_end && i < HEAP_EXTENTS_MAX; i++)
		w->extents[i] = (struct heap_range){0};
	part->extent = part->extent_end = w->extent_count;
}

/* From the newest heap, which top is in, to the first. */
static enum heap_state note_segments(struct heap_walk *w, const struct heap_arena *a)
{
	uint64_t at = a->top;

	for (uint32_t n = 0; at && n < HEAP_EXTENTS_MAX; n++) {
		struct heap_segment segment;
		enum heap_state state = heap_arena_segment(&w->view, a, at, &segment);

		if (state)
			return state;
		heap_passing_extent(w, segment.start, segment.end);
		at = segment.prev;
	}
	return HEAP_KNOWN;
}

enum heap_state heap_passing_extents(struct heap_walk *w, struct heap_part *part, const struct heap_arena *a,
				     uint64_t end)
{
	enum heap_state state = HEAP_KNOWN;

	heap_passing_forget(w, part);
	if (part->main)
		heap_passing_extent(w, w->brk.start, end);
	else
		state = note_segments(w, a);
	part->extent_end = w->extent_count;
	return state;
}

size_t heap_passing_unused(struct heap_walk *w)
{
	struct heap_range *extents =
	    w->left.list; /* in order, while that is free; arenas know theirs by place */
	size_t n = w->found_count;
	uint64_t end = 0;

	if (w->extent_count > HEAP_EXTENTS_MAX)
		return 0;
	memcpy(w->unused, w->found, n * sizeof(w->found[0]));
	memcpy(extents, w->extents, w->extent_count * sizeof(extents[0]));
	heap_ranges_sort(extents, w->extent_count);
	for (uint32_t i = 0; i < w->extent_count; i++) {
		if (extents[i].start > end)
			w->unused[n++] = (struct heap_range){end, extents[i].start};
		if (extents[i].end > end)
			end = extents[i].end;
	}
	w->unused[n++] = (struct heap_range){end, UINT64_MAX};
	heap_ranges_sort(w->unused, n);
	return n;
}

enum heap_state heap_passing_count(struct heap_walk *w)
{
	enum heap_state state = HEAP_KNOWN;
	size_t n;

	if (!w->before || (w->passing_known && w->passing_counts == w->counts))
		return HEAP_KNOWN;
	n = heap_passing_unused(w);
	w->passing_known = n > 0;
	w->passing_counts = w->counts;
	if (n == 0)
		return HEAP_KNOWN;
	heap_ranges_without(w->before, w->unused, n, &w->left);
	w->passing = (struct heap_tally){0};
	heap_read_ahead(w);
	for (size_t i = 0; i < w->left.count && !state; i++) {
		w->passing.free += w->left.list[i].end - w->left.list[i].start;
		state = heap_tally_pages(w, w->left.list[i], &w->passing);
	}
	return state;
}

void heap_passing_tell(const struct heap_walk *w, struct heap_sizes *out)
{
	uint64_t bytes = w->passing.free;

	out->passing_known = w->passing_known;
	if (!w->passing_known)
		return;
	bytes = bytes > w->seen_bytes ? bytes - w->seen_bytes : 0;
	out->passing_bytes = bytes < out->used_bytes ? bytes : out->used_bytes;
	bytes = w->passing.free - w->passing.kept;
	out->untouched_bytes = bytes < out->passing_bytes ? bytes : out->passing_bytes;
}
