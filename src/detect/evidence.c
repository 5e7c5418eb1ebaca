/* SPDX-License-Identifier: MIT */
/* What a verdict rests on, in figures a person can check: the jump, the onset, the plateau and how still it
 * is, how many epochs rose, and how small a growth could still hide. Decides nothing. */
#include <math.h>

#include "detect/parts.h"
#include "series/jumps.h"

enum { ROWS_LEAST = 16 };

static bool find_jump(const struct series *s, struct slots r, double level, double share, struct verdict *out)
{
	struct jumps j;
	if (!jumps_find(s, r, level, share, &j))
		return false;
	out->jump_bytes = j.largest_bytes;
	out->jump_ms = j.ms;
	out->jump_epoch = j.epoch;
	out->jumps = j.count;
	out->jumps_bytes = j.all_bytes;
	return true;
}

/* When training began: at the first sign of an epoch, else when imports were over as far as was seen. A GPU takes no
 * part in them. */
static int64_t setup_end(const struct series *s, const struct view *v)
{
	if (s->kind == SERIES_GPU)
		return -1;
	if (s->epoch_base >= 0)
		return s->setup_seen && s->early_n > 0 ? s->early[0].first_ms : -1;
	return v->launch > 0 ? (int64_t)llround(1000 * v->begin[v->launch]) : -1;
}

/* The first slot of the training, of which the last holds a part at most. */
static int slot_trained(const struct series *s, const struct verdict *out)
{
	int i = 0;
	while (i < s->slot_n - 1 && s->slots[i].first_ms < out->setup_ms)
		i++;
	return i;
}

static void fill_setup(const struct series *s, const struct view *v, struct verdict *out)
{
	out->setup_ms = setup_end(s, v);
	out->last_bytes = s->last_bytes;
	if (out->setup_ms >= 0 && s->slot_n > 0)
		out->first_bytes = (uint64_t)llround(s->slots[slot_trained(s, out)].med);
}

/* What was taken until then, as one jump that lasted so long: imports are steps of all sizes, and the largest of them is
 * no moment to remember. */
static void join_setup(const struct series *s, double level, struct verdict *out)
{
	if (out->setup_ms < 0 || out->jump_ms < 0 || out->jump_ms >= out->setup_ms)
		return;
	out->jumps = 1;
	out->jump_bytes = out->jumps_bytes =
	    fmax(out->jump_bytes, fmin(level, (double)out->first_bytes) - (double)s->opening[0]);
}

/* A step while training is the news; one of the start only where it is most of what was taken, and nothing has
 * grown since. */
static void fill_jump(const struct series *s, const struct view *v, struct verdict *out)
{
	struct slots all = {0, s->slot_n - 1}, trained = slots_trained(s);
	if (s->epoch_base >= 0) {
		all.to = trained.to;
		if (find_jump(s, trained, v->level, 0.3, out) || out->shape == SHAPE_GROWTH)
			return;
	}
	if (out->setup_ms >= 0 && s->epoch_base < 0) {
		struct slots later = {slot_trained(s, out), all.to};
		if (find_jump(s, later, v->level, 0.3, out) || out->shape == SHAPE_GROWTH)
			return;
	}
	find_jump(s, all, v->level, s->epoch_base >= 0 ? 0.6 : 0.3, out);
	join_setup(s, v->level, out);
}

static void set_onset(const struct view *v, int at, struct verdict *out)
{
	out->onset_ms = (int64_t)llround(v->begin[at] * 1000);
	if (v->basis == BASIS_EPOCHS)
		out->onset_epoch = v->epoch[at] + 1;
}

/* The window from which on the level stays as near to where it ended as it does at the end: the last third of
 * the run, or a sixth after a rise, of which a third may still hold a part. */
static int plateau_begin(const double *y, int n, double level, bool rose)
{
	double d[STATS_MAX];
	int part = n / (rose ? 6 : 3), tail = part > 3 ? part : n < 3 ? n : 3, k = n - 1;
	int moves = rose ? tail : n;
	double end = stats_median(y + n - tail, tail);
	stats_diff(y + n - moves, moves, d);
	double near = fmax(fmax(0.01 * level, 4 * stats_mad(d, moves - 1)),
			   1.5 * (stats_max(y + n - tail, tail) - stats_min(y + n - tail, tail)));
	while (k > 0 && fabs(y[k - 1] - end) <= near)
		k--;
	return k;
}

static int window_from(const struct view *v, double t)
{
	int i = 0;
	while (i < v->n - 2 && v->begin[i] < t)
		i++;
	return i;
}

/* No plateau begins before what the verdict is about: the jump of a reservation, the top that a release came
 * down from. */
static int plateau_earliest(const struct view *v, const struct verdict *out)
{
	int first = (int)fmin(fmax(v->n > 2 ? 1 : 0, v->launch), fmax(0, v->n - 2)), top = first;
	if (out->shape == SHAPE_RESERVATION && out->jump_ms >= 0)
		return (int)fmax(first, window_from(v, (double)out->jump_ms / 1000));
	if (out->shape != SHAPE_RELEASE)
		return first;
	for (int i = first; i + 1 < v->n; i++)
		top = v->med[i] >= v->med[top] ? i : top;
	return top + 1 < v->n ? top + 1 : top;
}

static void fill_plateau(const struct view *v, struct verdict *out)
{
	const double *y = out->shape == SHAPE_CYCLIC ? v->lo : v->med;
	int first = plateau_earliest(v, out);
	int at = first + plateau_begin(y + first, v->n - first, v->level, out->shape == SHAPE_WARMUP);
	int tail = v->n - at;
	set_onset(v, at, out);
	out->plateau_bytes = (uint64_t)llround(stats_median(y + at, tail));
	if (out->shape == SHAPE_RELEASE) /* of windows, not of a row: a moment's copy was never held */
		out->released_bytes = stats_max(v->med, v->n) - stats_median(y + at, tail);
	out->spread_bytes = (stats_max(y + at, tail) - stats_min(y + at, tail)) / 2;
}

/* Rows enough in each window, and each window an epoch. */
static bool tells_epochs(const struct view *v, int from)
{
	double rows = 0;
	for (int i = from; i < v->n; i++)
		rows += v->rows[i];
	return v->basis == BASIS_EPOCHS && rows >= 3 * (v->n - from) &&
	       lround(v->x[v->n - 1] - v->x[from]) == v->n - 1 - from;
}

/* How many windows rose by a tenth of the mean or more, epoch by epoch where that is known; v: windows of
 * equal width. */
static void fill_rising(const struct view *v, const struct view *fine, double slope, double t,
			struct verdict *out)
{
	int from = window_from(fine, t), rising = 0;
	if (tells_epochs(fine, from))
		v = fine;
	else
		from = window_from(v, t);
	for (int i = from + 1; i < v->n; i++)
		rising += v->med[i] - v->med[i - 1] > 0.1 * slope * (v->x[i] - v->x[i - 1]);
	out->epochs_judged = v->n - 1 - from;
	out->epochs_rising = rising;
	out->epochs_span = 1;
	if (v->basis == BASIS_EPOCHS && v->n - 1 > from)
		out->epochs_span = (int)lround((v->x[v->n - 1] - v->x[from]) / (v->n - 1 - from));
}

static void fill_growth(const struct view *v, const struct view *fine, const struct growth *g,
			struct verdict *out)
{
	fill_rising(v, fine, g->slope, g->view->begin[g->onset], out);
	set_onset(g->view, g->onset, out);
}

/* Per epoch or second; 0, not worth saying, where so much would have come to a twentieth of what is held. */
static double detectable_shown(const struct growth *g, const struct verdict *out)
{
	const struct view *v = g->view;
	double per_s = v->seconds_per_x > 0 ? g->detectable / v->seconds_per_x : 0;
	double since_s = v->t[v->n - 1] - (double)out->onset_ms / 1000;
	return per_s * since_s > 0.05 * (double)out->plateau_bytes ? 0
	       : out->per_epoch                                    ? g->detectable
								   : per_s;
}

/* Four epochs are judged at all; a curve that looks like a line shows its bend in half as many again. */
static int more_epochs(const struct series *s, int64_t epochs, bool rises)
{
	bool few =
	    s->rows < ROWS_LEAST && s->epoch >= 4; /* rounds of milliseconds: more of them tell nothing */
	if (epochs < 0 || few)
		return 0;
	if (epochs < 4)
		return (int)(4 - epochs);
	return rises ? (int)fmin((double)(epochs + 1) / 2, INT32_MAX) : 0;
}

void evidence_fill(const struct series *s, const struct view *v, const struct view *fine,
		   const struct growth *g, struct verdict *out)
{
	if (s->epoch_base >= 0)
		out->epochs = s->epoch;
	fill_setup(s, v, out);
	fill_jump(s, v, out);
	if (out->shape == SHAPE_UNDETERMINED) {
		out->more_epochs = more_epochs(s, v->epochs, out->rises);
		return;
	}
	if (out->shape == SHAPE_GROWTH) {
		fill_growth(v, fine, g, out);
		return;
	}
	fill_plateau(fine, out);
	out->detectable_bytes = detectable_shown(g, out);
}
