/* SPDX-License-Identifier: MIT */
/* The readings of heaps in a run, and how they change the verdict on what is held. */
#include "verdict/heap_share.h"

#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/xalloc.h"

enum { POINTS_MAX = 48, POINTS_LEAST = 4, WARM_EPOCHS = 3, RECENT = 2, SAME_LEVEL = 32 };
#define GROWTH_LEAST_BYTES 16384.0 /* per epoch: what histories and logs of a training take is less */

struct point {
	int64_t epoch;
	uint64_t used, unused, outside;
};

struct heap_share {
	struct series *used, *outside;
	struct point points[POINTS_MAX]; /* every stride-th reading */
	int n;
	uint64_t readings, stride;
	int64_t first_epoch, last_epoch; /* with a reading; -1 none */
	struct point first, last;
	struct point recent[RECENT]; /* the readings before */
};

struct heap_share *heap_share_new(void)
{
	struct heap_share *h = xcalloc(1, sizeof(*h));

	h->stride = 1;
	h->first_epoch = h->last_epoch = -1;
	return h;
}

void heap_share_free(struct heap_share *h)
{
	if (!h)
		return;
	series_free(h->used);
	series_free(h->outside);
	free(h);
}

static void keep_point(struct heap_share *h, const struct point *p)
{
	if (h->readings++ % h->stride)
		return;
	if (h->n == POINTS_MAX) {
		for (int i = 0; i < POINTS_MAX / 2; i++)
			h->points[i] = h->points[2 * i];
		h->n = POINTS_MAX / 2;
		h->stride *= 2;
	}
	h->points[h->n++] = *p;
}

/* On a busy machine a reading comes late, and the next epoch has taken memory for its first batches by then: that only
 * ever adds. The lowest within three epochs is free of it, where they are of one level. */
static uint64_t floor_of(struct heap_share *h, const struct point *p)
{
	uint64_t lowest = p->used;

	for (int i = 0; i < RECENT; i++) {
		const struct point *before = &h->recent[i];

		if (before->used && p->epoch - before->epoch <= RECENT && before->used < lowest &&
		    p->used - before->used <= p->used / SAME_LEVEL)
			lowest = before->used;
	}
	memmove(h->recent, h->recent + 1, sizeof(h->recent) - sizeof(h->recent[0]));
	h->recent[RECENT - 1] = *p;
	return lowest;
}

static void begin(struct heap_share *h, const struct point *p)
{
	h->used = series_new(SERIES_HOST);
	h->outside = series_new(SERIES_HOST);
	h->first_epoch = p->epoch;
	h->first = *p;
}

/* Only the first reading of an epoch was taken as the one before it ended; a later one is of any moment. */
void heap_share_push(struct heap_share *h, const struct sample *s)
{
	const struct reading *v = s->v;
	struct point p = {.epoch = s->epoch, .used = v[CH_HEAP_USED].bytes, .unused = v[CH_HEAP_FREE].bytes};

	if (!v[CH_HEAP_USED].ok || !v[CH_HEAP_FREE].ok || !v[CH_HELD].ok || s->epoch < 0 ||
	    s->epoch == h->last_epoch)
		return;
	if (v[CH_HELD].bytes > p.used + p.unused)
		p.outside = v[CH_HELD].bytes - p.used - p.unused;
	if (h->first_epoch < 0)
		begin(h, &p);
	h->last_epoch = s->epoch;
	h->last = p;
	p.used = floor_of(h, &p);
	keep_point(h, &p);
	series_push(h->used, s->elapsed_ms, s->epoch, p.used);
	series_push(h->outside, s->elapsed_ms, s->epoch, p.outside);
}

/* Where epochs are short the budget leaves some out. */
static bool is_dense(const struct heap_share *h, int64_t epoch)
{
	return (int64_t)h->readings * 3 >= epoch - h->first_epoch + 1;
}

/* Read often enough, and lately. */
static bool is_known(const struct heap_share *h, int64_t epoch)
{
	int64_t since = epoch - h->first_epoch + 1, missed = epoch - h->last_epoch;

	return h->readings > 0 && (h->readings >= POINTS_LEAST || is_dense(h, epoch)) &&
	       missed <= 2 + since / 4;
}

/* The first epochs warm up: they are left out as soon as there are others. */
static double slope_of(const struct heap_share *h, uint64_t (*value)(const struct point *))
{
	double x[POINTS_MAX], y[POINTS_MAX];
	int n = 0, from = 0;

	while (from < h->n - POINTS_LEAST && h->points[from].epoch < WARM_EPOCHS)
		from++;
	for (int i = from; i < h->n; i++, n++) {
		x[n] = (double)h->points[i].epoch;
		y[n] = (double)value(&h->points[i]);
	}
	return n >= POINTS_LEAST ? stats_theil(x, y, n) : 0;
}

static uint64_t used_of(const struct point *p)
{
	return p->used;
}

static uint64_t unused_of(const struct point *p)
{
	return p->unused;
}

static uint64_t outside_of(const struct point *p)
{
	return p->outside;
}

static void split(const struct heap_share *h, struct heap_split *out)
{
	out->known = true;
	out->slope_known = h->n >= POINTS_LEAST;
	out->used = (struct heap_part){h->first.used, h->last.used, slope_of(h, used_of)};
	out->unused = (struct heap_part){h->first.unused, h->last.unused, slope_of(h, unused_of)};
	out->outside = (struct heap_part){h->first.outside, h->last.outside, slope_of(h, outside_of)};
}

static bool grows(const struct verdict *v)
{
	return v->shape == SHAPE_GROWTH && v->slope_known && v->per_epoch &&
	       v->slope_bytes_per_epoch >= GROWTH_LEAST_BYTES;
}

static bool surely_grows(const struct verdict *v)
{
	return v->firm && grows(v);
}

/* A rise too small to matter has settled for this purpose. */
static bool is_small(const struct verdict *v)
{
	return v->slope_known && v->per_epoch && v->slope_high < GROWTH_LEAST_BYTES;
}

static bool has_settled(const struct verdict *v)
{
	return is_small(v) || (v->shape != SHAPE_UNDETERMINED && v->shape != SHAPE_GROWTH);
}

static bool rises(const struct verdict *v)
{
	return v->shape == SHAPE_GROWTH || (v->shape == SHAPE_UNDETERMINED && v->rises);
}

/* How it grows; how much there is stays that of all that is held. */
static void take_growth(struct verdict *v, const struct verdict *from)
{
	v->shape = SHAPE_GROWTH;
	v->firm = from->firm;
	v->basis = from->basis;
	v->slope_known = true;
	v->per_epoch = from->per_epoch;
	v->slope_bytes_per_epoch = from->slope_bytes_per_epoch;
	v->slope_bytes_per_s = from->slope_bytes_per_s;
	v->slope_low = from->slope_low;
	v->slope_high = from->slope_high;
	v->onset_ms = from->onset_ms;
	v->onset_epoch = from->onset_epoch;
	v->epochs_judged = from->epochs_judged;
	v->epochs_rising = from->epochs_rising;
	v->epochs_span = from->epochs_span;
	v->rises = false;
	v->more_epochs = 0;
	v->so_far = SO_FAR_UNKNOWN;
}

static void add_slope(struct verdict *v, const struct verdict *other)
{
	v->slope_bytes_per_epoch += other->slope_bytes_per_epoch;
	v->slope_bytes_per_s += other->slope_bytes_per_s;
	v->slope_low += other->slope_low;
	v->slope_high += other->slope_high;
}

/* The median of all slopes between two readings bears single odd ones; it is taken where the bounds allow it. */
static void take_median_slope(struct verdict *v, double slope)
{
	if (slope <= 0 || slope < v->slope_low || slope > v->slope_high)
		return;
	v->slope_bytes_per_s *= slope / v->slope_bytes_per_epoch;
	v->slope_bytes_per_epoch = slope;
}

/* used and outside: NULL where that part does not grow. */
static void judge_kept(struct verdict *v, const struct verdict *used, const struct verdict *outside,
		       struct heap_split *out)
{
	bool more = !used || (outside && outside->slope_bytes_per_epoch > used->slope_bytes_per_epoch);

	out->kept = true;
	take_growth(v, more ? outside : used);
	if (used && outside)
		add_slope(v, more ? used : outside);
	if (out->slope_known)
		take_median_slope(v, (used ? out->used.slope : 0) + (outside ? out->outside.slope : 0));
}

static void judge_freed(struct verdict *v, const struct verdict *used, const struct verdict *outside,
			struct heap_split *out)
{
	out->freed = true;
	v->shape = SHAPE_WARMUP;
	v->firm = (used->firm || is_small(used)) && (outside->firm || is_small(outside));
	v->rises = false;
	v->so_far = SO_FAR_UNKNOWN;
}

static double kept_slope(const struct heap_split *s)
{
	return s->used.slope + s->outside.slope;
}

/* What rises must be seen to be free. */
static bool is_mostly_free(const struct heap_split *s)
{
	return s->slope_known && kept_slope(s) < s->unused.slope / 3;
}

/* Growth of all that is held, while neither part is certain to grow by itself. */
static void judge_whole(struct verdict *v, bool dense, struct heap_split *out)
{
	if (!out->slope_known || !v->per_epoch)
		return;
	if (kept_slope(out) >= 0.75 * v->slope_bytes_per_epoch) {
		out->kept = true;
		take_median_slope(v, kept_slope(out));
	} else if (dense && kept_slope(out) < 0.5 * v->slope_bytes_per_epoch) {
		v->firm = false;
	}
}

static void compose(struct verdict *v, const struct verdict *used, const struct verdict *outside, bool dense,
		    struct heap_split *out)
{
	const struct verdict *u = surely_grows(used) ? used : NULL,
			     *o = surely_grows(outside) ? outside : NULL;

	if (!u && !o && rises(v) && !v->firm) {
		u = grows(used) ? used : NULL;
		o = grows(outside) ? outside : NULL;
	}
	if (u || o)
		judge_kept(v, u, o, out);
	else if (rises(v) && has_settled(used) && has_settled(outside) && is_mostly_free(out))
		judge_freed(v, used, outside, out);
	else if (v->shape == SHAPE_GROWTH)
		judge_whole(v, dense, out);
}

void heap_share_judge(struct heap_share *h, int64_t epoch, struct verdict *v, struct heap_split *out)
{
	struct verdict used, outside;

	*out = (struct heap_split){0};
	if (!is_known(h, epoch))
		return;
	split(h, out);
	detector_judge(h->used, &used);
	detector_judge(h->outside, &outside);
	compose(v, &used, &outside, is_dense(h, epoch), out);
}
