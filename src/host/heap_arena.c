/* SPDX-License-Identifier: MIT */
/* Finds and reads arenas. Every word comes from a program that runs on, or from a hostile one: nothing is believed
 * that does not fit the rest. */
#include "host/heap_arena.h"

#include <string.h>

enum { WORD = 8, BINS = 127, BIN_WORDS = 2 * BINS };
enum { TOP_BEFORE = 16, FAST_BEFORE = 96 }; /* bytes before the bins */
enum {
	NEXT_AFTER = BIN_WORDS * WORD + 16,
	SYSTEM_AFTER = 24,
	STATE_AFTER = 40
};                                                                   /* after the bins; after next */
enum { FLAGS_AT = 4 };                                               /* in malloc_state, after the mutex */
enum { FRONT_FAST = 112, FRONT_FAST_OLD = 104, FRONT_NO_FAST = 24 }; /* since 2.27; 2.26; after 2.42 */
enum { HEAP_INFO_OLD = 32, HEAP_INFO = 48 };
enum { NONCONTIGUOUS = 2 };

static const uint64_t fronts[] = {FRONT_FAST, FRONT_FAST_OLD, FRONT_NO_FAST};

/* words: the bins and the two after them, which would be one more if these began too early. */
static bool are_bins(const uint64_t *words, uint64_t at)
{
	if (words[BIN_WORDS] == at + BIN_WORDS * WORD - 2 * WORD)
		return false;
	for (int i = BINS - 1; i >= 0; i--) {
		uint64_t self = at + (uint64_t)i * 2 * WORD - 2 * WORD;
		uint64_t fd = words[2 * i], bk = words[2 * i + 1];

		/* A thread may be about to change one of the two. */
		if (!fd || !bk || fd % 16 || bk % 16 || (i == BINS - 1 && (fd != self || bk != self)))
			return false;
	}
	return true;
}

static enum heap_state check_bins(struct heap_view *v, uint64_t at)
{
	uint64_t words[BIN_WORDS + 2];
	enum heap_state state = heap_view_copy(v, at, words, sizeof(words));

	return state ? state : are_bins(words, at) ? HEAP_KNOWN : HEAP_CHANGING;
}

enum heap_state heap_arena_find(struct heap_view *v, struct heap_range data, uint64_t *out_bins)
{
	const uint64_t last_bin = (BINS - 1) * 2 * WORD;

	for (uint64_t at = data.start; at + last_bin + 4 * WORD <= data.end; at += WORD) {
		uint64_t pair[2], self = at + last_bin - 2 * WORD;
		enum heap_state state = heap_view_copy(v, at + last_bin, pair, sizeof(pair));

		if (state == HEAP_SWAPPED || state == HEAP_CHANGING)
			continue; /* data that was never touched has no page of its own */
		if (state)
			return state;
		if (pair[0] != self || pair[1] != self || check_bins(v, at))
			continue;
		*out_bins = at;
		return HEAP_KNOWN;
	}
	return HEAP_UNUSED;
}

enum heap_state heap_arena_next(struct heap_view *v, uint64_t bins, uint64_t *out_next)
{
	return heap_view_copy(v, bins + NEXT_AFTER, out_next, sizeof(*out_next));
}

/* The state as it stands in memory, with room before it for as much as the version with the longest front has. */
struct arena_state {
	char front[FRONT_FAST];             /* what there is is at the end */
	uint64_t words[NEXT_AFTER / WORD];  /* and the map of the bins */
	uint64_t after[STATE_AFTER / WORD]; /* from next on */
};

static void take_state(const struct arena_state *s, uint64_t front, struct heap_arena *out)
{
	uint32_t flags;

	memcpy(&flags, s->front + FRONT_FAST - front + FLAGS_AT, sizeof(flags));
	out->contiguous = !(flags & NONCONTIGUOUS);
	memcpy(&out->top, s->front + FRONT_FAST - TOP_BEFORE, sizeof(out->top));
	if (front != FRONT_NO_FAST)
		memcpy(out->fast, s->front + FRONT_FAST - FAST_BEFORE, sizeof(out->fast));
	memcpy(out->bin, s->words, sizeof(out->bin));
	out->system_bytes = s->after[SYSTEM_AFTER / WORD];
}

enum heap_state heap_arena_read(struct heap_view *v, uint64_t bins, uint64_t front, struct heap_arena *out)
{
	struct arena_state s = {0};
	enum heap_state state =
	    heap_view_copy(v, bins - front, s.front + FRONT_FAST - front, sizeof(s) - FRONT_FAST + front);

	*out = (struct heap_arena){.bins = bins, .start = bins - front};
	if (state)
		return state;
	take_state(&s, front, out);
	return !are_bins(s.words, bins) || out->top % 16 ||
		       out->system_bytes > s.after[SYSTEM_AFTER / WORD + 1]
		   ? HEAP_CHANGING
		   : HEAP_KNOWN;
}

enum heap_state heap_arena_fast(struct heap_view *v, const struct heap_arena *a, uint64_t list,
				uint64_t *out_head)
{
	return heap_view_copy(v, a->bins - FAST_BEFORE + list * WORD, out_head, sizeof(*out_head));
}

/* A lone arena is its own next; otherwise the next one is at the start of a heap and has bins too. */
enum heap_state heap_arena_front(struct heap_view *v, uint64_t main_bins, uint64_t *out_front)
{
	uint64_t next;
	enum heap_state state = heap_arena_next(v, main_bins, &next);

	if (state)
		return state;
	for (size_t i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++) {
		*out_front = fronts[i];
		if (next == main_bins - fronts[i])
			return HEAP_KNOWN;
		if (next > main_bins - FRONT_FAST && next < main_bins)
			continue;
		state = check_bins(v, next + fronts[i]);
		if (state != HEAP_CHANGING)
			return state;
	}
	return HEAP_CHANGING;
}

/* The malloc_state lies in the first heap, right behind its heap_info, and the first block behind that. */
enum heap_state heap_arena_segment(struct heap_view *v, const struct heap_arena *a, uint64_t at,
				   struct heap_segment *out)
{
	uint64_t start = at & ~(HEAP_MAX_BYTES - 1), info_bytes = a->start & (HEAP_MAX_BYTES - 1);
	uint64_t info[4]; /* ar_ptr prev size mprotect_size */
	enum heap_state state = heap_view_copy(v, start, info, sizeof(info));

	if (state)
		return state;
	if ((info_bytes != HEAP_INFO && info_bytes != HEAP_INFO_OLD) || info[0] != a->start ||
	    info[2] > info[3] || info[3] > HEAP_MAX_BYTES || info[2] % v->image->page_bytes ||
	    info[2] <= info_bytes)
		return HEAP_CHANGING;
	*out = (struct heap_segment){.start = start, .end = start + info[2], .prev = info[1]};
	out->first = start + info_bytes;
	if (start == a->start - info_bytes)
		out->first = (a->bins + NEXT_AFTER + STATE_AFTER + 15) & ~UINT64_C(15);
	return out->first < out->end ? HEAP_KNOWN : HEAP_CHANGING;
}
