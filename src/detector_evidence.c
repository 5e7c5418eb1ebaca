/* SPDX-License-Identifier: MIT */
/* What a person can check a verdict by: since when, how much at once, how steady, how small a growth could still hide.
 * Decides nothing: the verdict stands already. */
#include <math.h>
#include <string.h>

#include "detector_parts.h"

enum { RISING_SHOWN = 12 };

static int64_t window_begin_ms(const struct view *v, int i)
{
	double s = v->t[i];
	if (i > 0)
		s = (v->t[i - 1] + v->t[i]) / 2;
	else if (v->n > 1)
		s = v->t[0] - (v->t[1] - v->t[0]) / 2;
	return s > 0 ? (int64_t)(s * 1000) : 0;
}

/* Number of the epoch that ran in window i, from 1. */
static int64_t window_epoch(const struct view *v, int i)
{
	return v->basis == BASIS_EPOCHS ? v->base + (int64_t)v->x[i] + 1 : -1;
}

static void set_onset(const struct view *v, int i, struct verdict *out)
{
	out->onset_ms = window_begin_ms(v, i);
	out->onset_epoch = window_epoch(v, i);
}

/* Moment of the largest rise between two moments, to a slot of time; -1 when it is less than half of `size`. */
static int64_t rise_ms(const struct series *s, int64_t from_ms, int64_t to_ms, double size)
{
	double best = size / 2;
	int64_t at = -1;
	for (int i = 1; i < s->slot_n; i++) {
		const struct span *w = &s->slots[i];
		if (w->last_ms < from_ms || w->first_ms > to_ms)
			continue;
		double rise = fmax(w->med - s->slots[i - 1].med, w->hi - s->slots[i - 1].hi);
		if (rise > best) {
			best = rise;
			at = w->first_ms;
		}
	}
	return at;
}

/* The largest step up during training, if any is worth a word. */
static bool training_jump(const struct series *s, const struct view *v, struct verdict *out)
{
	double y[STATS_MAX];
	struct step steps[STEPS_MAX], *best = NULL;
	int from = out->shape == SHAPE_GROWTH ? v->first : 0;
	steps_smooth(v->med + from, v->n - from, y);
	int n = steps_peel(y, v->n - from, 0.1, steps);
	for (int i = 0; i < n; i++)
		if (steps[i].size > 0.012 * v->level && (!best || steps[i].size > best->size))
			best = &steps[i];
	if (!best)
		return false;
	int at = best->at + from;
	int64_t from_ms = window_begin_ms(v, at > 0 ? at - 1 : 0), ms;
	ms = rise_ms(s, from_ms, at + 1 < v->n ? window_begin_ms(v, at + 1) : s->last_ms, best->size);
	out->jump_bytes = best->size;
	out->jump_ms = ms >= 0 ? ms : window_begin_ms(v, at);
	out->jump_epoch = window_epoch(v, at);
	return true;
}

/* All that was taken before the plateau, and the moment of it where most came at once. */
static void setup_jump(const struct series *s, const struct view *v, struct verdict *out)
{
	double rise = v->level - v->start;
	if (rise <= 0.03 * v->level)
		return;
	out->jump_bytes = rise;
	out->jump_ms = rise_ms(s, s->first_ms, s->last_ms, rise);
}

static double tolerance(const struct view *v, const double *y)
{
	double d[STATS_MAX];
	int half = v->n / 2;
	stats_diff(y + half, v->n - half, d);
	return fmax(0.015 * v->level, fmax(4 * stats_mad(d, v->n - half - 1), 2 * v->quantum));
}

/* First window of the level held at the end. */
static int plateau_begin(const struct view *v, const double *y)
{
	double level = stats_median(y + v->n - (v->n + 3) / 4, (v->n + 3) / 4), near = tolerance(v, y);
	int k = v->n;
	while (k > 0 && fabs(y[k - 1] - level) <= near)
		k--;
	return k < v->n ? k : v->n - 1;
}

/* The gain that a growth of m epochs must have to count at all (see trend_judge). */
static double least_gain(const struct view *v, int n, double span)
{
	double m = fmax(n, span + 1);
	double share = v->gpu ? 0 : m < 8 ? 0.025 : m < 14 ? 0.006 : 0;
	return fmax(v->gpu ? v->quantum : 100e3, share * v->level / fmax(1, m - 3));
}

static double least_rate(const struct view *v, double span)
{
	if (v->gpu)
		return 0;
	if (v->basis == BASIS_EPOCHS)
		return fmax(48e3, 0.0001 * v->level);
	return fmax(4 * 48e3, 0.0008 * v->level) / span;
}

static void fill_blind_spot(const struct view *v, const double *y, int from, struct verdict *out)
{
	int n = v->n - from;
	if (n < 4)
		return;
	struct line l = stats_line(v->x + from, y + from, n, v->quantum, NULL);
	double span = fmax(1, v->x[v->n - 1] - v->x[from]);
	double need = 5 + (l.dof < 8 ? 6.0 / fmax(1, l.dof) : 0);
	double rate =
	    fmax(fmax(l.slope, 0) + need * l.se, fmax(least_gain(v, n, span) / span, least_rate(v, span)));
	bool per_epoch = v->basis == BASIS_EPOCHS;
	out->detectable_bytes = per_epoch ? rate : v->seconds_per_x > 0 ? rate / v->seconds_per_x : 0;
}

static void fill_plateau(const struct series *s, const struct view *v, struct verdict *out)
{
	bool cyclic = out->shape == SHAPE_CYCLIC;
	double y[STATS_MAX];
	steps_smooth(cyclic ? v->lo : v->med, v->n, y);
	int k = cyclic ? v->first : plateau_begin(v, y);
	if (k >= v->n)
		k = v->n - 1;
	set_onset(v, k, out);
	out->per_epoch = v->basis == BASIS_EPOCHS;
	out->plateau_bytes = (uint64_t)fmax(0, v->level);
	out->spread_bytes = (stats_max(y + k, v->n - k) - stats_min(y + k, v->n - k)) / 2;
	if (out->per_epoch)
		out->epochs_judged = (int)(v->x[v->n - 1] - v->x[k]) + 1;
	fill_blind_spot(v, y, k, out);
	if (out->shape != SHAPE_RELEASE && !training_jump(s, v, out) && out->shape == SHAPE_RESERVATION)
		setup_jump(s, v, out);
}

static void fill_swing(const struct view *v, struct verdict *out)
{
	double within[VIEW_MAX];
	int n = v->n - v->first;
	const double *med = v->med + v->first;
	for (int i = 0; i < n; i++)
		within[i] = v->hi[v->first + i] - v->lo[v->first + i];
	out->swing_bytes =
	    fmax(stats_median(within, n), stats_quantile(med, n, 0.9) - stats_quantile(med, n, 0.1));
}

/* "In 11 of the last 12 epochs", where every window is one epoch. */
static void count_rising(const struct view *v, bool floor, struct verdict *out)
{
	const double *y = floor ? v->lo : v->med;
	int from = v->n - 1 - RISING_SHOWN > v->first ? v->n - 1 - RISING_SHOWN : v->first;
	if (v->basis != BASIS_EPOCHS || v->n < 2)
		return;
	for (int i = from + 1; i < v->n; i++) {
		if (v->x[i] - v->x[i - 1] != 1) {
			out->epochs_judged = out->epochs_rising = 0;
			return;
		}
		out->epochs_judged++;
		out->epochs_rising += y[i] > y[i - 1];
	}
}

static void fill_growth(const struct series *s, const struct view *coarse, const struct view *fine,
			const struct growth *g, struct verdict *out)
{
	const struct view *v = g->fine ? fine : coarse;
	int at = v->first + g->pick.from * (g->pick.block > 1 ? g->pick.block : 1);
	set_onset(v, at < v->n ? at : v->n - 1, out);
	count_rising(fine, g->pick.floor, out);
	training_jump(s, fine, out);
}

void evidence_fill(const struct series *s, const struct view *coarse, const struct view *fine,
		   const struct growth *g, struct verdict *out)
{
	if (out->shape == SHAPE_UNDETERMINED && out->epochs >= 0)
		out->more_epochs = out->epochs < 5 ? 5 - (int)out->epochs : 0;
	if (fine->n < 2 || out->shape == SHAPE_UNDETERMINED)
		return;
	if (out->shape == SHAPE_GROWTH)
		fill_growth(s, coarse, fine, g, out);
	else
		fill_plateau(s, fine, out);
	if (out->shape == SHAPE_CYCLIC)
		fill_swing(fine, out);
}
