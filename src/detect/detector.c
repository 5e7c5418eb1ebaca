/* SPDX-License-Identifier: MIT */
/* A series -> a verdict. Whether it grows is weighed in growth.c, what it is otherwise is named in classes.c; here is what
 * is judged and when: epochs, or time where there are none or where they are over. Pure: no clock, no I/O, no allocation. */
#include "detect/detector.h"

#include <math.h>
#include <string.h>

#include "detect/parts.h"
#include "series/launch.h"

const char *detector_shape_name(enum shape shape)
{
	static const char *const names[] = {
	    [SHAPE_UNDETERMINED] = "undetermined",
	    [SHAPE_FLAT] = "flat",
	    [SHAPE_RESERVATION] = "reservation",
	    [SHAPE_WARMUP] = "warmup",
	    [SHAPE_CYCLIC] = "cyclic",
	    [SHAPE_RELEASE] = "release",
	    [SHAPE_GROWTH] = "growth",
	};
	return names[shape];
}

/* A verdict that nothing grows: after eight epochs or 24 windows, when all else weighs what growth must to be said. */
static bool settled_for_good(const struct view *v, const struct growth *g)
{
	return g->known && 1 - g->weight > GROWTH_WEIGHT && !g->rises &&
	       (v->basis == BASIS_EPOCHS ? v->epochs >= 8 : v->n >= 24);
}

/* Without epochs nobody knows whether the training goes on: what rose until the last quarter may have ended, and not settled. */
static bool stopped_lately(const struct view *v, const struct verdict *out)
{
	double end = v->n > 0 ? v->t[v->n - 1] : 0, onset = (double)out->onset_ms / 1000;

	return v->basis != BASIS_EPOCHS && out->shape == SHAPE_WARMUP && end - onset < 0.25 * (end - v->t[0]);
}

static void slope_fill(const struct growth *g, struct verdict *out)
{
	const struct view *v = g->view;
	double per_s = v->seconds_per_x > 0 ? 1 / v->seconds_per_x : 0;
	out->slope_known = true;
	out->per_epoch = v->basis == BASIS_EPOCHS;
	double unit = out->per_epoch ? 1 : per_s;
	out->slope_bytes_per_s = g->slope * per_s;
	out->slope_bytes_per_epoch = out->per_epoch ? g->slope : 0;
	out->slope_low = (g->slope - 2 * g->sd) * unit;
	out->slope_high = (g->slope + 2 * g->sd) * unit;
}

/* fine: a window for each epoch as far as these are kept. */
static void weigh_growth(const struct series *whole, struct view *v, struct view *fine, struct growth *g)
{
	view_build(whole, GRAIN_JOINED, v);
	view_build(whole, GRAIN_EPOCH, fine);
	growth_judge(v->basis == BASIS_EPOCHS && whole->window_epochs == 1 ? fine : v, g);
}

/* `whole` is settled. */
static void judge_whole(const struct series *whole, struct verdict *out)
{
	struct view v, fine;
	struct growth g;
	weigh_growth(whole, &v, &fine, &g);
	out->basis = v.basis;
	if (g.known)
		slope_fill(&g, out);
	out->weight = g.weight;
	bool is_up = launch_was_all(whole, &v), coming_up = !is_up && launch_goes_on(whole, &v);
	bool rose = g.growth || g.rises || (v.n > 1 && v.med[v.n - 1] > v.med[v.n / 2]);
	g.growth = g.growth && !coming_up && !is_up;
	out->shape = g.growth ? SHAPE_GROWTH : classes_judge(&fine, &g, &out->swing_bytes);
	out->rises = !g.growth && (coming_up ? rose : g.rises && !is_up);
	if (out->rises)
		out->shape = SHAPE_UNDETERMINED;
	out->firm = g.growth ? growth_is_firm(&g) && !launch_is_recent(whole, &v)
			     : out->shape != SHAPE_UNDETERMINED && settled_for_good(&fine, &g);
	out->firm = out->firm && whole->lost <= whole->rows;
	evidence_fill(whole, &v, &fine, &g, out);
	if (stopped_lately(&fine, out))
		out->firm = false;
}

static void verdict_start(const struct series *s, struct verdict *out)
{
	memset(out, 0, sizeof(*out));
	out->jump_ms = out->jump_epoch = out->onset_ms = out->onset_epoch = out->epochs = -1;
	out->setup_ms = -1;
	out->first_bytes = s->opening[0];
	out->last_bytes = s->last_bytes;
	out->peak_bytes = s->peak_bytes;
	out->basis = BASIS_WINDOWS;
}

static void judge_by_time(const struct series *s, struct verdict *out)
{
	struct series blind = *s;
	verdict_start(s, out);
	series_forget_epochs(&blind);
	series_settle(&blind);
	judge_whole(&blind, out);
}

/* Epochs of an hour: four of them are too long to wait for a word. By windows of time it is one of what was
 * so far, and no verdict: a cache that fills in the first epoch rises like a leak. */
static void judge_so_far(const struct series *s, struct verdict *out)
{
	struct verdict v;
	judge_by_time(s, &v);
	if (v.firm && v.shape == SHAPE_GROWTH) {
		out->so_far = SO_FAR_RISING;
		out->slope_known = true;
		out->per_epoch = false;
		out->slope_bytes_per_epoch = 0;
		out->slope_bytes_per_s = v.slope_bytes_per_s;
		out->slope_low = v.slope_low;
		out->slope_high = v.slope_high;
		out->onset_ms = v.onset_ms;
	} else if (v.firm && (v.shape == SHAPE_FLAT || v.shape == SHAPE_RESERVATION)) {
		out->so_far = SO_FAR_LEVEL;
		out->onset_ms = v.onset_ms;
		out->spread_bytes = v.spread_bytes;
	}
}

enum { SAVE_MS = 60000, GROWS_MS = 20000, AFTER_MS = 10000, SLOW_EPOCH = 5 };

/* A second part of the program that prints nothing (a silent fit, an evaluation) is no epoch: longer than all that was
 * told of, and five times the longest, which is beyond one slow epoch. Less than a minute is what programs take to save and
 * to end. */
static bool epochs_over(const struct quiet *q)
{
	return q->ms > SAVE_MS && q->ms > q->told_ms && q->ms > SLOW_EPOCH * q->longest_ms;
}

/* Sooner, where growth began with it: a firm word of a plateau long left helps nobody. */
static bool grows_after_epochs(const struct series *s, const struct quiet *q, struct verdict *by_time)
{
	if (q->ms < GROWS_MS || q->ms < SLOW_EPOCH * q->longest_ms)
		return false;
	judge_by_time(s, by_time);
	return by_time->shape == SHAPE_GROWTH && by_time->firm && by_time->onset_ms > q->since_ms - q->ms / 4;
}

/* Level that has been left since the last epoch, for twice as long as any of them took. */
static void fill_after(const struct series *told, const struct quiet *q, struct verdict *out)
{
	const struct span *last = told->slot_n > 0 ? &told->slots[told->slot_n - 1] : NULL;
	double level = (double)out->plateau_bytes;
	if (!last || last->first_ms < q->since_ms || q->ms < AFTER_MS || q->ms < 2 * q->longest_ms ||
	    level <= 0)
		return;
	if (fabs(last->med - level) > 0.1 * level) {
		out->after_bytes = last->med - level;
		out->after_ms = q->ms;
	}
}

/* The slots still know their epochs; what follows the last one is none. */
static void note_silence(const struct series *told, const struct quiet *q, struct verdict *out)
{
	out->epochs = told->epoch;
	out->silent_ms = q->ms;
	if (out->jump_ms >= q->since_ms)
		out->jump_epoch = -1;
}

void detector_judge(const struct series *s, struct verdict *out)
{
	struct series told = *s;
	struct verdict by_time;
	verdict_start(s, out);
	if (s->rows < (series_is_of_ends(s->kind) ? 4 : 6))
		return;
	series_settle(&told);
	if (series_is_of_ends(s->kind)) {
		judge_whole(&told, out);
		return;
	}
	struct quiet q = series_quiet(&told);
	if (epochs_over(&q)) {
		judge_by_time(s, out);
		note_silence(&told, &q, out);
		return;
	}
	judge_whole(&told, out);
	if (out->shape != SHAPE_GROWTH && grows_after_epochs(s, &q, &by_time)) {
		*out = by_time;
		note_silence(&told, &q, out);
		return;
	}
	if (out->shape == SHAPE_UNDETERMINED && out->more_epochs > 0 && !out->rises)
		judge_so_far(s, out);
	fill_after(&told, &q, out);
}

double detector_slope(const struct series *s, bool per_epoch, double *high)
{
	struct series whole = *s;
	struct view v, fine;
	struct growth g;
	struct verdict out = {.slope_high = HUGE_VAL};
	if (!per_epoch)
		series_forget_epochs(&whole);
	series_settle(&whole);
	weigh_growth(&whole, &v, &fine, &g);
	if (g.known)
		slope_fill(&g, &out);
	*high = out.slope_high;
	return per_epoch ? out.slope_bytes_per_epoch : out.slope_bytes_per_s;
}
