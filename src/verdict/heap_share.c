/* SPDX-License-Identifier: MIT */
/* The readings of heaps in a run. What they mean for the verdict on the host is host_verdict.c's business. */
#include "verdict/heap_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/xalloc.h"

enum { POINTS_MAX = 48, READINGS_LEAST = 4, POINTS_LEAST = 3, PAIRS_LEAST = 3, WARM_EPOCHS = 3 };

struct point {
	int64_t epoch;
	uint64_t used, unused, outside;
	struct reading lasting; /* the part of used that was in use at all looks within the epoch */
	int stretch;            /* of readings that nothing came between */
};

typedef struct reading (*value_fn)(const struct point *);

struct heap_share {
	struct series *used, *outside, *kept;
	struct series *lasting, *lasting_kept;
	bool takes_lasting;              /* they are judged in the place of used and kept */
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
	series_free(h->lasting);
	series_free(h->lasting_kept);
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
	h->lasting = series_new(SERIES_HEAP);
	h->lasting_kept = series_new(SERIES_OUTSIDE);
	h->first_epoch = p->epoch;
	h->first = *p;
}

/* What is in use but not written to yet takes no memory. */
static void set_parts(struct point *p, const struct reading *v)
{
	uint64_t untouched = v[CH_HEAP_UNTOUCHED].ok ? v[CH_HEAP_UNTOUCHED].bytes : 0;
	uint64_t taken = p->used > untouched ? p->used - untouched : 0;

	if (v[CH_HELD].bytes > taken + p->unused)
		p->outside = v[CH_HELD].bytes - taken - p->unused;
	if (v[CH_HEAP_PASSING].ok && v[CH_HEAP_PASSING].bytes <= p->used)
		p->lasting = (struct reading){p->used - v[CH_HEAP_PASSING].bytes, true};
}

static struct reading used_of(const struct point *p)
{
	return (struct reading){p->used, true};
}

static struct reading unused_of(const struct point *p)
{
	return (struct reading){p->unused, true};
}

static struct reading outside_of(const struct point *p)
{
	return (struct reading){p->outside, true};
}

static struct reading kept_of(const struct point *p)
{
	return (struct reading){p->used + p->outside, true};
}

static struct reading lasting_of(const struct point *p)
{
	return p->lasting;
}

static struct reading lasting_kept_of(const struct point *p)
{
	return (struct reading){p->lasting.bytes + p->outside, p->lasting.ok};
}

static int known_points(const struct heap_share *h, bool lasting)
{
	int known = 0;

	for (int i = 0; i < h->n; i++)
		known += !lasting || h->points[i].lasting.ok;
	return known;
}

/* By how much rises from reading to reading differ from the usual one. */
static double roughness(const struct heap_share *h, value_fn value)
{
	double rise[POINTS_MAX] = {0}, usual, sum = 0;
	int n = 0;

	for (int i = 1; i < h->n; i++) {
		const struct point *p = &h->points[i - 1], *q = &h->points[i];

		if (!p->lasting.ok || !q->lasting.ok || p->stretch != q->stretch)
			continue;
		rise[n++] = ((double)value(q).bytes - (double)value(p).bytes) / (double)(q->epoch - p->epoch);
	}
	usual = stats_median(rise, n);
	for (int i = 0; i < n; i++)
		sum += fabs(rise[i] - usual);
	return n >= PAIRS_LEAST ? sum / n : 0;
}

/* Two readings of the same: all that is in use has the next batch in it where that has begun; what lasts leaves out what
 * the program has put elsewhere of late. The one that repeats itself better is judged, and not left for a little. */
static bool lasting_is_better(const struct heap_share *h)
{
	double lasting = roughness(h, lasting_of), used = roughness(h, used_of);

	return 4 * known_points(h, true) >= 3 * h->n && lasting < (h->takes_lasting ? used : used / 2);
}

static void push_point(struct heap_share *h, int64_t elapsed_ms, const struct point *p)
{
	int64_t epoch = p->epoch - 1;

	series_push(h->used, elapsed_ms, epoch, p->used);
	series_push(h->outside, elapsed_ms, epoch, p->outside);
	series_push(h->kept, elapsed_ms, epoch, p->used + p->outside);
	if (!p->lasting.ok)
		return;
	series_push(h->lasting, elapsed_ms, epoch, p->lasting.bytes);
	series_push(h->lasting_kept, elapsed_ms, epoch, p->lasting.bytes + p->outside);
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
	set_parts(&p, v);
	if (h->first_epoch < 0)
		begin(h, &p);
	h->last_epoch = s->epoch;
	h->last = p;
	h->readings++;
	if (p.epoch < 1) /* no epoch has ended: the program comes up */
		return;
	keep_point(h, &p);
	push_point(h, s->elapsed_ms, &p);
	h->takes_lasting = lasting_is_better(h);
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
static double slope_since(const struct heap_share *h, int64_t first, value_fn value)
{
	double x[POINTS_MAX], y[POINTS_MAX];
	int n = 0, from = 0, end = h->n;

	while (from < h->n - READINGS_LEAST && h->points[from].epoch < first)
		from++;
	longest_stretch(h, &from, &end);
	for (int i = from; i < end; i++) {
		struct reading r = value(&h->points[i]);

		x[n] = (double)h->points[i].epoch;
		y[n] = (double)r.bytes;
		n += r.ok;
	}
	return n >= POINTS_LEAST ? stats_theil(x, y, n) : 0;
}

/* The first epochs warm up. */
static double slope_of(const struct heap_share *h, value_fn value)
{
	return slope_since(h, WARM_EPOCHS, value);
}

static double rate_of(const struct heap_share *h, const struct verdict *v, value_fn value)
{
	return slope_since(h, v->onset_epoch > WARM_EPOCHS ? v->onset_epoch : WARM_EPOCHS, value);
}

static void split(const struct heap_share *h, struct heap_split *out)
{
	bool lasting = h->takes_lasting;

	out->known = true;
	out->slope_known = known_points(h, lasting) >= POINTS_LEAST;
	out->used =
	    (struct heap_part){h->first.used, h->last.used, slope_of(h, lasting ? lasting_of : used_of)};
	out->unused = (struct heap_part){h->first.unused, h->last.unused, slope_of(h, unused_of)};
	out->outside = (struct heap_part){h->first.outside, h->last.outside, slope_of(h, outside_of)};
	out->kept_slope = slope_of(h, lasting ? lasting_kept_of : kept_of);
}

void heap_share_judge(struct heap_share *h, int64_t epoch, struct heap_evidence *out)
{
	bool lasting = h->takes_lasting;

	*out = (struct heap_evidence){0};
	if (!is_known(h, epoch))
		return;
	split(h, &out->split);
	out->dense = is_dense(h, epoch);
	detector_judge(lasting ? h->lasting : h->used, &out->used);
	detector_judge(h->outside, &out->outside);
	detector_judge(lasting ? h->lasting_kept : h->kept, &out->kept);
	out->rate.used = rate_of(h, &out->used, lasting ? lasting_of : used_of);
	out->rate.outside = rate_of(h, &out->outside, outside_of);
	out->rate.kept = rate_of(h, &out->kept, lasting ? lasting_kept_of : kept_of);
}
