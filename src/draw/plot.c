/* SPDX-License-Identifier: MIT */
/* The verdict says how steep and since when; where the line lies is taken from the floors it is drawn through. */
#include "draw/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/stats.h"
#include "draw/trace.h"

double plot_line_toward(const struct plot_line *l, double to_bytes, double ms)
{
	double length_ms = l->to_ms - l->from_ms;

	return length_ms > 0 ? l->from_bytes + (to_bytes - l->from_bytes) * (ms - l->from_ms) / length_ms
			     : to_bytes;
}

double plot_line_at(const struct plot_line *l, double ms)
{
	return plot_line_toward(l, l->to_bytes, ms);
}

static bool take_range(struct plot *p)
{
	const struct history_table *t = &p->history->times;
	bool any = false;

	if (t->n == 0)
		return false;
	p->from_ms = (double)t->spans[0].begin_ms;
	p->to_ms = (double)t->spans[t->n - 1].end_ms;
	for (int i = 0; i < t->n; i++) {
		const struct history_cell *c = history_cell(t, i, p->track);

		if (!history_known(c))
			continue;
		p->low = any ? fmin(p->low, (double)c->low) : (double)c->low;
		p->high = any ? fmax(p->high, (double)c->high) : (double)c->high;
		any = true;
	}
	return any;
}

static bool heap_was_read(const struct history *h)
{
	for (int i = 0; i < h->times.n; i++)
		if (history_known(history_cell(&h->times, i, HISTORY_HEAP_USED)))
			return true;
	return false;
}

/* When training ended: rows after the last epoch are tear-down. */
static double judged_until_ms(const struct plot *p)
{
	const struct history *h = p->history;
	int ended = history_epochs_ended(h);

	return p->series->v.per_epoch && ended > 0 ? (double)h->epochs.spans[ended].begin_ms : p->to_ms;
}

static void take_plateau(struct plot *p)
{
	const struct verdict *v = &p->series->v;
	double level = (double)v->plateau_bytes;

	if (v->plateau_bytes == 0 || v->shape == SHAPE_GROWTH || v->shape == SHAPE_UNDETERMINED)
		return;
	p->plateau = (struct plot_band){.known = true,
					.from_ms = v->onset_ms >= 0 ? (double)v->onset_ms : p->from_ms,
					.to_ms = judged_until_ms(p),
					.bytes = level,
					.low = level - v->spread_bytes,
					.high = level + v->spread_bytes};
}

/* Floors of epochs where they are known, else of spans of time, from some moment on; at most STATS_MAX, evenly spread. */
static int floors_since(const struct plot *p, double since_ms, double *ms, double *floor)
{
	const struct history *h = p->history;
	bool per_epoch = p->series->v.per_epoch && history_epochs_ended(h) > 1;
	const struct history_table *t = per_epoch ? &h->epochs : &h->times;
	int end = per_epoch ? history_epochs_ended(h) : t->n, stride = 1 + end / STATS_MAX, n = 0;

	for (int i = 0; i < end; i += stride) {
		const struct history_cell *c = history_cell(t, i, p->track);

		if (!history_known(c) || (double)t->spans[i].end_ms < since_ms)
			continue;
		ms[n] = (double)(t->spans[i].begin_ms + t->spans[i].end_ms) / 2.0;
		floor[n++] = (double)c->low;
	}
	return n;
}

/* What the program kept at readings of its heaps, from some moment on until training ended. */
static int kept_since(const struct plot *p, double since_ms, double *ms, double *kept)
{
	const struct history_table *t = &p->history->times;
	struct trace_piece *held, *readings;
	int pieces = trace_thin(t, p->track, t->max, &held), n = 0;
	int read = trace_kept(t, held, pieces, STATS_MAX, &readings);

	for (int i = 0; i < read; i++) {
		if (readings[i].begin_ms < since_ms || readings[i].begin_ms > judged_until_ms(p))
			continue;
		ms[n] = readings[i].begin_ms;
		kept[n++] = readings[i].first;
	}
	free(held);
	free(readings);
	return n;
}

/* The level at time 0 of a line of this slope through the middle of so many points, or else. */
static double level_at_zero(double slope_per_ms, const double *ms, double *bytes, int n, double otherwise)
{
	for (int i = 0; i < n; i++)
		bytes[i] -= slope_per_ms * ms[i];
	return n > 0 ? stats_median(bytes, n) : otherwise;
}

/* Bounds are per epoch where epochs are known. */
static double bound_per_ms(const struct verdict *v, double bound)
{
	if (!v->per_epoch)
		return bound / MS_PER_S;
	return v->slope_bytes_per_epoch != 0
		   ? bound * v->slope_bytes_per_s / v->slope_bytes_per_epoch / MS_PER_S
		   : 0;
}

/* Between its two moments, with the slope of the verdict. */
static void lay_line(struct plot_line *l, const struct verdict *v, double at_zero)
{
	double per_ms = v->slope_bytes_per_s / MS_PER_S;

	l->known = true;
	l->from_bytes = at_zero + per_ms * l->from_ms;
	l->to_bytes = at_zero + per_ms * l->to_ms;
	l->to_low = l->from_bytes + bound_per_ms(v, v->slope_low) * (l->to_ms - l->from_ms);
	l->to_high = l->from_bytes + bound_per_ms(v, v->slope_high) * (l->to_ms - l->from_ms);
}

static void take_growth(struct plot *p)
{
	const struct verdict *v = &p->series->v;
	struct plot_line *l = &p->growth;
	double per_ms = v->slope_bytes_per_s / MS_PER_S, ms[STATS_MAX], floors[STATS_MAX];

	if (!v->slope_known || (v->shape != SHAPE_GROWTH && !v->rises))
		return;
	l->from_ms = v->onset_ms >= 0 ? (double)v->onset_ms : p->from_ms;
	l->to_ms = judged_until_ms(p);
	if (l->to_ms <= l->from_ms)
		return;
	lay_line(l, v, level_at_zero(per_ms, ms, floors, floors_since(p, l->from_ms, ms, floors), p->low));
}

static void take_kept(struct plot *p)
{
	const struct verdict *v = &p->series->v;
	double ms[STATS_MAX], kept[STATS_MAX];
	int n = p->growth.known && p->heap && p->series->heap.kept
		    ? kept_since(p, p->growth.from_ms, ms, kept)
		    : 0;

	if (n == 0)
		return;
	p->kept = p->growth;
	lay_line(&p->kept, v, level_at_zero(v->slope_bytes_per_s / MS_PER_S, ms, kept, n, p->low));
}

static void take_outlook(struct plot *p)
{
	const struct verdict *v = &p->series->v;
	const struct planned_end *end = &p->series->end;
	double epochs_left = (double)end->left, epoch_ms;

	if (!p->growth.known || !end->known || epochs_left <= 0 || v->slope_bytes_per_s <= 0)
		return;
	epoch_ms = v->slope_bytes_per_epoch / v->slope_bytes_per_s * MS_PER_S;
	p->outlook = (struct plot_line){.known = true,
					.from_ms = p->growth.to_ms,
					.from_bytes = p->growth.to_bytes,
					.to_ms = p->growth.to_ms + epochs_left * epoch_ms,
					.to_bytes = end->bytes,
					.to_low = end->low,
					.to_high = end->high};
}

/* A step that the sentence tells of: ups and downs have many, and growth has some of its own. */
static bool jump_counts(const struct verdict *v)
{
	if (v->jump_bytes <= 0 || v->jump_ms < 0)
		return false;
	return v->shape == SHAPE_RESERVATION || (v->shape == SHAPE_GROWTH && v->jump_ms < v->onset_ms);
}

bool plot_series(struct plot *p, const struct history *h, const struct series_verdict *s)
{
	memset(p, 0, sizeof(*p));
	p->history = h;
	p->series = s;
	p->track = history_track(h, s->name);
	if (p->track < 0)
		return false;
	p->limit_bytes = (double)s->limit_bytes;
	p->heap = s->kind == SERIES_HOST && heap_was_read(h);
	p->jump = jump_counts(&s->v);
	p->jump_ms = (double)s->v.jump_ms;
	if (!take_range(p))
		return false;
	take_plateau(p);
	take_growth(p);
	take_kept(p);
	take_outlook(p);
	return true;
}

static int turn_of(const struct series_verdict *s)
{
	return s->kind == SERIES_HOST ? 0 : s->v.shape == SHAPE_GROWTH ? 1 : 2;
}

bool plot_chosen(const struct run_verdict *run, int i, int most,
		 bool (*worth)(const struct series_verdict *s))
{
	int turn = turn_of(&run->series[i]), before = 0;

	for (int k = 0; k < run->n; k++) {
		int other = turn_of(&run->series[k]);

		before += worth(&run->series[k]) && (other < turn || (other == turn && k < i));
	}
	return worth(&run->series[i]) && before < most;
}
