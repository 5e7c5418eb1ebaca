/* SPDX-License-Identifier: MIT */
/* What a run that does not grow is: flat, reservation, warmup, cyclic or release. Knows nothing of slopes. */
#include <math.h>
#include <string.h>

#include "detect/parts.h"

/* Swings of this share of the level count. */
#define SWING 0.022

/* Shares are of this much at least: less than a bare Python holds, where a few pages are no news. */
#define LEVEL_LEAST_BYTES (8 << 20)

struct body {
	int n;
	const double *lo, *med, *hi;
	double level, start;
};

/* Rare windows that fall out of the row are put back: a reading can catch memory given back for a moment. */
static void fill_dips(const double *y, int n, double size, double *out)
{
	int dips = 0;
	memcpy(out, y, (size_t)n * sizeof(out[0]));
	for (int i = 1; i + 1 < n; i++) {
		double least = fmin(y[i - 1], y[i + 1]);
		if (y[i] > least - size)
			continue;
		out[i] = least;
		dips++;
	}
	if (dips > 1 + n / 16)
		memcpy(out, y, (size_t)n * sizeof(out[0]));
}

/* Turning points whose swings are at least `size`; the typical swing between them in *swing. */
static int reversals(const double *y, int n, double size, double *swing)
{
	double all[STATS_MAX], low = n > 0 ? y[0] : 0, high = low;
	int count = 0, way = 0;
	for (int i = 1; i < n; i++) {
		bool up = way <= 0 && y[i] - low >= size, down = way >= 0 && high - y[i] >= size;
		if (up || down) {
			if (way != 0)
				all[count++] = high - low;
			way = up ? 1 : -1;
			*(up ? &high : &low) = y[i];
		}
		low = way < 0 || way == 0 ? fmin(low, y[i]) : low;
		high = way > 0 || way == 0 ? fmax(high, y[i]) : high;
	}
	*swing = stats_median(all, count);
	return count;
}

static double held_top(const double *y, int n)
{
	double top = 0;
	for (int i = 0; i < n; i++) {
		int a = i > 0 ? i - 1 : 0, b = i + 1 < n ? i + 1 : n - 1;
		top = fmax(top, stats_median(y + a, b - a + 1));
	}
	return top;
}

static double end_of(const double *y, int n)
{
	int k = n / 8 > 2 ? n / 8 : 2;
	k = k < n ? k : n;
	return stats_median(y + n - k, k);
}

/* Up and down within each window: its width, but for what is a rise or a fall that stays. */
static void swings_within(const struct body *b, double *out)
{
	for (int i = 0; i < b->n; i++) {
		double up = 0, down = 0;
		if (i > 0 && i + 1 < b->n) {
			up = fmin(b->lo[i + 1] - b->lo[i], b->hi[i] - b->hi[i - 1]);
			down = fmin(b->lo[i - 1] - b->lo[i], b->hi[i] - b->hi[i + 1]);
		}
		out[i] = b->hi[i] - b->lo[i] - fmax(0, fmax(up, down));
	}
}

/* What lasts lifts floors, medians and tops alike; from what the first windows mostly were, or from the least
 * of them. */
static double lasting_rise(const struct body *b, double (*begin)(const double *y, int n))
{
	const double *all[] = {b->lo, b->med, b->hi};
	double least = HUGE_VAL;
	int n = b->n, k = n / 8 > 2 ? n / 8 : 2, e = 3 * k < n ? 3 * k : n;
	for (int i = 0; i < 3; i++)
		least = fmin(least, stats_median(all[i] + n - e, e) - begin(all[i], k < n ? k : n));
	return least;
}

struct swings {
	bool cyclic;
	int turns;
	double size;
};

static struct swings swings_find(const struct body *b)
{
	struct swings r = {0};
	double w[STATS_MAX], y[STATS_MAX], between[2], size = SWING * b->level;
	int wide = 0, peaks = 0, turns[2];
	const double *all[] = {b->med, b->hi};
	swings_within(b, w);
	for (int i = 0; i < b->n; i++) {
		wide += w[i] > size;
		peaks += w[i] > size && b->hi[i] - b->med[i] > size;
	}
	for (int i = 0; i < 2; i++) {
		fill_dips(all[i], b->n, size, y);
		turns[i] = reversals(y, b->n, size, &between[i]);
	}
	double within = stats_median(w, b->n);
	r.turns = turns[0] < turns[1] ? turns[0] : turns[1];
	r.cyclic =
	    (within > size && wide > 0.5 * b->n) || (peaks >= 3 && peaks >= 0.4 * b->n) || r.turns >= 3;
	r.size = fmax(within, r.turns >= 3 ? fmin(between[0], between[1]) : 0);
	return r;
}

/* Ended lastingly lower than it was held, by 8 % and by far more than it swings. */
static bool is_release(const struct body *b, const struct swings *s)
{
	double top = held_top(b->med, b->n), end = end_of(b->med, b->n);
	return top - end > 0.08 * fmax(stats_max(b->med, b->n), LEVEL_LEAST_BYTES) &&
	       top - end > 3 * s->size && s->turns < 3;
}

/* An early step is over before the first windows are: counted from the least of them it must be beyond any
 * doubt, since levels that alternate from epoch to epoch rise by up to twice their swing that way. */
static bool outgrows_swings(const struct body *b, const struct swings *s)
{
	double rise = lasting_rise(b, stats_median);
	return (rise > s->size && rise > 0.03 * b->level) || lasting_rise(b, stats_min) > 3 * s->size;
}

/* Rose by more than 1.5 % of the level in a curve or a line that ended. Or within the first epoch, evenly: a cache that
 * fills; tracing and compiling take their memory in lumps. */
static bool is_warmup(const struct body *b, const struct view *v, const struct growth *g)
{
	double rise = end_of(b->med, b->n) - b->med[0];
	if (v->first_rise > 0.15 * b->level && v->first_even > 0.6)
		return true;
	return g->curved && rise > 0.015 * b->level;
}

/* Without epochs: the last of set-up (compiling, the first batches) is no warm-up when nothing follows it. */
static bool only_set_up(const struct view *v)
{
	return v->launch > 0 && v->first > v->launch &&
	       end_of(v->med, v->n) - v->med[v->first] < 0.008 * v->level;
}

/* Where the body begins: after the first window, or without epochs after set-up, else after the largest rise
 * of the start. */
static int body_first(const struct view *v)
{
	int best = 1;
	if (v->launch > 0)
		return v->launch;
	if (v->basis == BASIS_EPOCHS || v->n < 6)
		return v->n > 2 ? 1 : 0;
	for (int i = 2; i < v->n / 3; i++)
		if (v->lo[i] - v->lo[i - 1] > v->lo[best] - v->lo[best - 1])
			best = i;
	return best;
}

enum shape classes_judge(const struct view *v, const struct growth *g, double *swing)
{
	int first = body_first(v);
	struct body b = {
	    v->n - first, v->lo + first, v->med + first, v->hi + first, fmax(v->level, LEVEL_LEAST_BYTES),
	    v->start};
	*swing = 0;
	if (b.n < 3 || (v->epochs >= 0 && v->epochs < 3))
		return SHAPE_UNDETERMINED;
	struct swings s = swings_find(&b);
	*swing = s.cyclic ? s.size : 0;
	if (is_release(&b, &s))
		return SHAPE_RELEASE;
	if (s.cyclic && !outgrows_swings(&b, &s))
		return SHAPE_CYCLIC;
	if (is_warmup(&b, v, g) && !only_set_up(v))
		return SHAPE_WARMUP;
	/* 3 %: what the word flat allows; 1.2 %: a late step that is more than huge pages coming and going */
	if (v->level - b.start > 0.03 * b.level || fabs(end_of(b.med, b.n) - b.med[0]) > 0.012 * b.level)
		return SHAPE_RESERVATION;
	return SHAPE_FLAT;
}
