/* SPDX-License-Identifier: MIT */
/* A series -> a verdict. Floors and medians of the windows are judged at several scales; growth must stand up
 * to what the others say. Pure: no clock, no I/O, no allocation. */
#include "detect/detector.h"

#include <math.h>
#include <string.h>

#include "detect/parts.h"

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

/* Watched from exec on, when a process holds 1 to 4 MiB; attached to, even a bare Python has 9. */
static bool seen_from_exec(const struct series *s)
{
	return s->kind != SERIES_GPU && s->opening[0] < 6 << 20;
}

static double watched_s(const struct series *s, const struct view *v)
{
	return v->t[v->n - 1] - (double)s->first_ms / 1000;
}

/* How long it is known to have come up; 0 unknown. */
static double set_up_s(const struct series *s)
{
	return s->setup_ms < 0 ? 0 : (double)(s->setup_ms - s->first_ms) / 1000;
}

/* Without epochs: a process that comes up rises from its first row on, to several times what it had, and
 * what follows is hard to tell from it while that may still go on (recorded imports took up to 19 s; with 15
 * s one of 42 steady runs raised an alarm, with 20 s none). One that was attached to had 82 % of its level
 * at once; if it had not, the last of its imports are soon over, and a GPU takes no part in them: with 2 s
 * instead of 4 for those 13 of 1,083 generated leaks are told sooner, and 2 of 3,312 steady series more
 * raise an alarm. On a busy machine imports took up to 93 s: code is mapped first, and modules load for as
 * long again and longer. With 4 times the one none of 18 such imports is firm growth at any moment, without
 * it 12. */
static bool starting_up(const struct series *s, const struct view *v)
{
	double most_s = seen_from_exec(s) ? fmax(20, 4 * set_up_s(s)) : 2;
	return v->basis != BASIS_EPOCHS && watched_s(s, v) < most_s && v->start < 0.8 * v->level;
}

/* All of a rise may be imports. */
static bool starting_from_exec(const struct series *s, const struct view *v)
{
	return seen_from_exec(s) && starting_up(s, v);
}

/* And no end of set-up in sight, or too soon for one: PyTorch alone takes 2 s to import. With twice the time
 * that code was mapped 2 of 28 recorded leaks more, all of less than a minute, are not told to their ends. */
static bool still_coming_up(const struct series *s, const struct view *v)
{
	return starting_from_exec(s, v) && (v->launch == 0 || watched_s(s, v) < fmax(5, 1.5 * set_up_s(s)));
}

/* Came up and has been level since, for the last fifth of so short a life: what rose were imports (Lightning
 * from a cold disk, 8 s of imports in two parts, 3 s of training). */
static bool has_come_up(const struct series *s, const struct view *v)
{
	if (v->n == 0 || !starting_from_exec(s, v))
		return false;
	int i = v->n - 1;
	double top = v->med[i], life_s = (double)(s->last_ms - s->first_ms) / 1000;
	while (i > 0 && v->med[i - 1] > top - 0.002 * v->level)
		i--;
	return (double)s->last_ms / 1000 - v->t[i] >
	       0.2 * life_s; /* with its tear-down, which no window holds */
}

/* Rising in every window to the end, by a good part of the whole rise: no plateau, whatever else it looks
 * like. Few rows per epoch make a plain leak look like a warm-up or a swing. */
static bool still_rising(const struct view *v)
{
	int n = v->n, k = n / 3 > 3 ? n / 3 : 3;
	if (n < k + 1 || v->gpu)
		return false;
	for (int i = n - k; i < n; i++)
		if (v->med[i] <= v->med[i - 1] || v->lo[i] < v->lo[i - 1])
			return false;
	double late = v->med[n - 1] - v->med[n - 1 - k], d[STATS_MAX];
	stats_diff(v->med + n - 1 - k, k + 1, d);
	if (stats_max(d, k) >= 0.5 * late)
		return false; /* a jump, and creep since */
	for (int i = 1; i < n - k; i++)
		if (v->med[i - 1] - v->med[i] > 0.3 * late)
			return false; /* has come back before: py_cycles_big, between two collections */
	return late > 0.03 * v->level && late > 0.2 * (v->med[n - 1] - v->start);
}

/* Called level, but the last third rose by a twentieth; or settled, without epochs, but the last quarter rose
 * by 3 %, or by a good part of all since set-up; and not by one step. Recorded leaks whose epochs were not
 * known and that ended a moment before the program did. */
static bool level_rises(const struct view *v, enum shape shape)
{
	double d[STATS_MAX];
	bool level = shape == SHAPE_FLAT || shape == SHAPE_RESERVATION,
	     settled = shape == SHAPE_WARMUP && v->basis != BASIS_EPOCHS;
	int n = v->n, part = settled ? n / 4 : n / 3, k = part > 3 ? part : 3;
	k = n - 1 - k < v->launch ? n - 1 - v->launch : k; /* set-up rises */
	if (k < 3 || v->gpu || (!level && !settled))
		return false;
	double rise = v->med[n - 1] - v->med[n - 1 - k], all = v->med[n - 1] - v->med[v->first];
	stats_diff(v->med + n - 1 - k, k + 1, d);
	if (stats_max(d, k) >= 0.5 * rise)
		return false;
	return rise > (settled ? 0.03 : 0.05) * v->level ||
	       (settled && rise > 0.015 * v->level && rise > 0.25 * all);
}

/* A plateau is left: 1 % of the level higher than three windows before, floor and median alike. Models made
 * in a loop rose for 8 epochs, gave a little back, and were settled for good at the second of the next
 * rises. */
static bool leaves_plateau(const struct view *v, enum shape shape)
{
	int end = v->n - 1;
	return (shape == SHAPE_FLAT || shape == SHAPE_RESERVATION || shape == SHAPE_WARMUP) &&
	       view_rises(v) && v->lo[end] - v->lo[end - 3] > 0.01 * v->level &&
	       v->med[end] - v->med[end - 3] > 0.01 * v->level;
}

/* Growth is found within 8 epochs in most runs: what has not grown by then is not likely to. */
static bool settled_for_good(const struct view *v, enum shape shape)
{
	if (leaves_plateau(v, shape))
		return false;
	return shape != SHAPE_UNDETERMINED && (v->basis == BASIS_EPOCHS ? v->epochs >= 8 : v->n >= 24);
}

/* `whole` is settled. */
static void judge_whole(const struct series *whole, struct verdict *out)
{
	struct view v, fine, rows;
	struct growth g;
	view_build(whole, GRAIN_JOINED, &v);
	view_build(whole, GRAIN_EPOCH, &fine);
	view_build(whole, GRAIN_ROW, &rows);
	out->basis = v.basis;
	/* the rows of a process that comes up show how it does: Lightning to a file, 9 s with its imports */
	growth_judge(&v, &fine, starting_from_exec(whole, &v) ? &fine : &rows, &g);
	if (g.known)
		slope_fill(&g, out);
	bool grew = g.growth, is_up = has_come_up(whole, &v);
	bool coming_up = !is_up && still_coming_up(whole, &v);
	/* a slope that may as well be none is no growth: three jumps in 30 epochs read +8 MiB (-5 to 21) */
	g.growth = grew && out->slope_low > 0 && !coming_up && !is_up;
	out->shape = g.growth ? SHAPE_GROWTH : classes_judge(&fine, &out->swing_bytes);
	bool setup_rises = coming_up && (grew || (out->shape == SHAPE_UNDETERMINED && view_rises(&fine)));
	out->rises = !g.growth && (setup_rises || still_rising(&fine) || level_rises(&fine, out->shape));
	if (out->rises)
		out->shape = SHAPE_UNDETERMINED;
	/* no plateau to speak of: that is what a warm-up is until it is over */
	out->like_heap = g.like_heap && (out->shape == SHAPE_WARMUP || out->shape == SHAPE_RESERVATION ||
					 out->shape == SHAPE_FLAT);
	if (out->like_heap)
		out->shape = SHAPE_WARMUP;
	out->firm = g.growth ? g.firm && !starting_up(whole, &v)
			     : settled_for_good(&fine, out->shape) && !g.like_heap;
	evidence_fill(whole, &v, &fine, &g, out);
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

/* Epochs of an hour: three of them are too long to wait for a word. By windows of time it is one of what was
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

/* A second part of the program that prints nothing (a silent fit, an evaluation) is no epoch: longer than all
 * that was told of, and five times the longest, which is beyond what one slow epoch took (recorded and
 * generated ones up to 4 times). Less than a minute is what programs take to save and to end. */
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

/* Level that has been left since the last epoch, for longer than any of them took. */
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
	if (s->rows < 6)
		return;
	series_settle(&told);
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
	if (out->shape == SHAPE_UNDETERMINED && out->more_epochs > 0)
		judge_so_far(s, out);
	fill_after(&told, &q, out);
}
