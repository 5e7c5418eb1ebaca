/* SPDX-License-Identifier: MIT */
/* The readings of heaps in a run. What they mean for the verdict on the host is host_verdict.c's business. */
#include "verdict/heap_share.h"

#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/xalloc.h"

enum { POINTS_MAX = 48, READINGS_LEAST = 4, POINTS_LEAST = 3, WARM_EPOCHS = 3 };

struct point {
	int64_t epoch;
	uint64_t used, unused, outside;
	int stretch; /* of readings that nothing came between */
};

struct heap_share {
	struct series *used, *outside, *kept;
	struct point points[POINTS_MAX]; /* every stride-th reading at the end of an epoch */
	int n;
	uint64_t readings, ends, stride; /* ends: readings at the end of an epoch */
	int64_t first_epoch, last_epoch; /* with a reading; -1 none */
	int stretch;
	bool left_out; /* rows since the last reading: --explain took memory of the program's */
	struct point first, last;
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
	series_free(h->kept);
	free(h);
}

static void keep_point(struct heap_share *h, const struct point *p)
{
	if (h->ends++ % h->stride)
		return;
	if (h->n == POINTS_MAX) {
		for (int i = 0; i < POINTS_MAX / 2; i++)
			h->points[i] = h->points[2 * i];
		h->n = POINTS_MAX / 2;
		h->stride *= 2;
	}
	h->points[h->n++] = *p;
}

static void begin(struct heap_share *h, const struct point *p)
{
	h->used = series_new(SERIES_HEAP);
	h->outside = series_new(SERIES_OUTSIDE);
	h->kept = series_new(SERIES_OUTSIDE);
	h->first_epoch = p->epoch;
	h->first = *p;
}

/* Only the first reading of an epoch was taken as the one before it ended; a later one is of any moment. */
void heap_share_push(struct heap_share *h, const struct sample *s)
{
	const struct reading *v = s->v;
	struct point p = {.epoch = s->epoch, .used = v[CH_HEAP_USED].bytes, .unused = v[CH_HEAP_FREE].bytes};

	h->left_out = h->left_out || (!v[CH_HELD].ok && v[CH_ANON].ok);
	if (!v[CH_HEAP_USED].ok || !v[CH_HEAP_FREE].ok || !v[CH_HELD].ok || s->epoch < 0 ||
	    s->epoch == h->last_epoch)
		return;
	h->stretch += h->left_out;
	h->left_out = false;
	p.stretch = h->stretch;
	if (v[CH_HELD].bytes > p.used + p.unused)
		p.outside = v[CH_HELD].bytes - p.used - p.unused;
	if (h->first_epoch < 0)
		begin(h, &p);
	h->last_epoch = s->epoch;
	h->last = p;
	h->readings++;
	if (p.epoch < 1) /* no epoch has ended: the program comes up */
		return;
	keep_point(h, &p);
	series_push(h->used, s->elapsed_ms, s->epoch - 1, p.used);
	series_push(h->outside, s->elapsed_ms, s->epoch - 1, p.outside);
	series_push(h->kept, s->elapsed_ms, s->epoch - 1, p.used + p.outside);
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

	return h->readings > 0 && (h->readings >= READINGS_LEAST || is_dense(h, epoch)) &&
	       missed <= 2 + since / 4;
}

/* The longest of the stretches from `from` on, into from and end: what snapshots have taken lies between two of them. */
static void longest_stretch(const struct heap_share *h, int *from, int *end)
{
	int begin = *from, most = 0;

	for (int i = begin, k = i; i < h->n; i = k) {
		while (k < h->n && h->points[k].stretch == h->points[i].stretch)
			k++;
		if (k - i > most) {
			most = k - i;
			*from = i;
			*end = k;
		}
	}
}

/* Epochs before the first are left out as soon as there are others. */
static double slope_since(const struct heap_share *h, int64_t first, uint64_t (*value)(const struct point *))
{
	double x[POINTS_MAX], y[POINTS_MAX];
	int n = 0, from = 0, end = h->n;

	while (from < h->n - READINGS_LEAST && h->points[from].epoch < first)
		from++;
	longest_stretch(h, &from, &end);
	for (int i = from; i < end; i++, n++) {
		x[n] = (double)h->points[i].epoch;
		y[n] = (double)value(&h->points[i]);
	}
	return n >= POINTS_LEAST ? stats_theil(x, y, n) : 0;
}

/* The first epochs warm up. */
static double slope_of(const struct heap_share *h, uint64_t (*value)(const struct point *))
{
	return slope_since(h, WARM_EPOCHS, value);
}

static double rate_of(const struct heap_share *h, const struct verdict *v,
		      uint64_t (*value)(const struct point *))
{
	return slope_since(h, v->onset_epoch > WARM_EPOCHS ? v->onset_epoch : WARM_EPOCHS, value);
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

static uint64_t kept_of(const struct point *p)
{
	return p->used + p->outside;
}

static void split(const struct heap_share *h, struct heap_split *out)
{
	out->known = true;
	out->slope_known = h->n >= POINTS_LEAST;
	out->used = (struct heap_part){h->first.used, h->last.used, slope_of(h, used_of)};
	out->unused = (struct heap_part){h->first.unused, h->last.unused, slope_of(h, unused_of)};
	out->outside = (struct heap_part){h->first.outside, h->last.outside, slope_of(h, outside_of)};
	out->kept_slope = slope_of(h, kept_of);
}

void heap_share_judge(struct heap_share *h, int64_t epoch, struct heap_evidence *out)
{
	*out = (struct heap_evidence){0};
	if (!is_known(h, epoch))
		return;
	split(h, &out->split);
	out->dense = is_dense(h, epoch);
	detector_judge(h->used, &out->used);
	detector_judge(h->outside, &out->outside);
	detector_judge(h->kept, &out->kept);
	out->rate.used = rate_of(h, &out->used, used_of);
	out->rate.outside = rate_of(h, &out->outside, outside_of);
	out->rate.kept = rate_of(h, &out->kept, kept_of);
}
