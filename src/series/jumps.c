/* SPDX-License-Identifier: MIT */
/* A jump is short, steep and kept; what it is made of may lie in several slots. */
#include "series/jumps.h"

#include <math.h>

/* Of all that was gained in a range, the share that a jump must be to be told of: anywhere, and from the start on. */
#define NEWS_SHARE  0.3
#define START_SHARE 0.6

/* The first and the one after the last. */
struct slots {
	int from, to;
};

/* Those of finished epochs. */
static struct slots slots_trained(const struct series *s)
{
	struct slots r = {s->slot_n, s->slot_n};
	for (int i = s->slot_n - 1; i >= 0; i--) {
		if (s->slots[i].epoch0 >= 0 && s->slots[i].epoch0 < s->epoch)
			r.from = i;
		if (s->slots[i].epoch1 >= s->epoch)
			r.to = i;
	}
	return r;
}

static double slot_rise(const struct span *w, int i)
{
	return w[i].med - w[i - 1].med;
}

/* The rise into slot `peak` and those beside it that belong to it: a twentieth of it at least, with one slot
 * of rest between them at most. */
static struct slots jump_around(const struct span *w, struct slots r, int peak)
{
	double least = 0.05 * slot_rise(w, peak);
	struct slots j = {peak, peak + 1};
	for (int i = peak + 1; i < r.to && i <= j.to + 1; i++)
		if (slot_rise(w, i) > least)
			j.to = i + 1;
	for (int i = peak - 1; i > r.from && i >= j.from - 2; i--)
		if (slot_rise(w, i) > least)
			j.from = i;
	return j;
}

/* What lies before it: where a part of the step fell into that slot, its floor. */
static double level_before(const struct span *w, struct slots j)
{
	const struct span *b = &w[j.from - 1];
	return b->hi - b->med > 0.1 * (w[j.to - 1].med - b->med) ? b->lo : b->med;
}

static double jump_size(const struct span *w, struct slots r, struct slots j)
{
	double after = w[j.to - 1].med;
	if (j.to < r.to)
		after = fmax(after, w[j.to].med);
	return after - level_before(w, j);
}

static double least_floor(const struct span *w, int from, int end)
{
	double least = HUGE_VAL;
	for (int i = from; i < end; i++)
		least = fmin(least, w[i].lo);
	return least;
}

/* Short beside the run, or it is a ramp; kept; and not the fringe of a larger one. */
static bool is_jump(const struct span *w, struct slots r, struct slots j, int peak)
{
	int most = (int)fmin(fmax((r.to - r.from) / 6, 4), 12);
	if (slot_rise(w, peak) <= 0 || j.to - j.from > most)
		return false;
	for (int i = j.from; i < j.to; i++)
		if (slot_rise(w, i) > slot_rise(w, peak))
			return false;
	return least_floor(w, j.to, r.to) >= level_before(w, j) + 0.5 * jump_size(w, r, j);
}

/* A second copy held for a moment is no part of what was taken; half of it is kept, or it is no jump. */
static double kept_of(double size, double before, double level)
{
	return fmin(size, fmax(0.5 * size, level - before));
}

/* Those of at least `least` bytes, and what they come to. */
static void count_jumps(const struct span *w, struct slots r, double level, double least, struct jumps *out)
{
	int end = 0;
	double before = 0;
	for (int i = r.from + 1; i < r.to; i++) {
		struct slots j = jump_around(w, r, i);
		if (j.from < end || !is_jump(w, r, j, i) || jump_size(w, r, j) < least)
			continue;
		end = j.to;
		if (out->count++ == 0)
			before = level_before(w, j);
		out->all_bytes += jump_size(w, r, j);
	}
	out->all_bytes = kept_of(out->all_bytes, before, level);
}

/* False, and out as it was, unless the largest is worth telling: 1 % of the level, and `share` of all gained in the range. */
static bool jumps_find(const struct series *s, struct slots r, double level, double share, struct jumps *out)
{
	const struct span *w = s->slots;
	struct slots best = {0, 0};
	double size = 0;
	for (int i = r.from + 1; i < r.to; i++) {
		struct slots j = jump_around(w, r, i);
		if (!is_jump(w, r, j, i) || jump_size(w, r, j) <= size)
			continue;
		best = j;
		size = jump_size(w, r, j);
	}
	if (best.from == 0 || size < 0.01 * level || size < share * (level - w[r.from].med))
		return false;
	*out = (struct jumps){.largest_bytes = kept_of(size, level_before(w, best), level),
			      .ms = w[best.from].first_ms,
			      .epoch = w[best.from].epoch0 >= 0 ? w[best.from].epoch0 + 1 : -1};
	count_jumps(w, r, level, fmax(0.01 * level, size / 3), out);
	return true;
}

/* A GPU takes no part in imports. */
static int64_t start_ms(const struct series *s, const struct view *v)
{
	if (s->kind == SERIES_GPU)
		return -1;
	if (s->epoch_base >= 0)
		return s->setup_seen && s->early_n > 0 ? s->early[0].first_ms : -1;
	return v->launch > 0 ? (int64_t)llround(1000 * v->begin[v->launch]) : -1;
}

/* The training begins in the last slot at the latest. */
struct start start_of(const struct series *s, const struct view *v)
{
	struct start start = {.ms = start_ms(s, v), .bytes = s->opening[0]};
	while (start.slot < s->slot_n - 1 && s->slots[start.slot].first_ms < start.ms)
		start.slot++;
	if (s->slot_n > 0)
		start.bytes = (uint64_t)llround(s->slots[start.slot].med);
	return start;
}

/* What was taken until then, as one jump that lasted so long: imports are steps of all sizes, and the largest of them is
 * no moment to remember. */
static void join_imports(const struct series *s, const struct start *start, double level, struct jumps *j)
{
	if (start->ms < 0 || j->ms >= start->ms)
		return;
	j->count = 1;
	j->largest_bytes = j->all_bytes =
	    fmax(j->largest_bytes, fmin(level, (double)start->bytes) - (double)s->opening[0]);
}

bool jumps_tell(const struct series *s, const struct start *start, double level, bool grows,
		struct jumps *out)
{
	bool by_epochs = s->epoch_base >= 0;
	struct slots all = {0, s->slot_n - 1}, later = {start->slot, s->slot_n - 1};
	if (by_epochs) {
		later = slots_trained(s);
		all.to = later.to;
	}
	if (by_epochs || start->ms >= 0) {
		if (jumps_find(s, later, level, NEWS_SHARE, out))
			return true;
		if (grows)
			return false;
	}
	if (!jumps_find(s, all, level, by_epochs ? START_SHARE : NEWS_SHARE, out))
		return false;
	join_imports(s, start, level, out);
	return true;
}
