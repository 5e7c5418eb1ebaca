/* SPDX-License-Identifier: MIT */
/* What a verdict rests on, in figures a person can check: the onset, the plateau and how still it is, how many epochs
 * rose, and how small a growth could still hide. Decides nothing. */
#include <math.h>

#include "detect/parts.h"
#include "series/jumps.h"

enum { ROWS_LEAST = 16 };

static void fill_jump(const struct jumps *j, struct verdict *out)
{
	out->jump_bytes = j->largest_bytes;
	out->jump_ms = j->ms;
	out->jump_epoch = j->epoch;
	out->jumps = j->count;
	out->jumps_bytes = j->all_bytes;
}

static void fill_start(const struct series *s, const struct view *v, struct verdict *out)
{
	struct start start = start_of(s, v);
	struct jumps j;
	out->setup_ms = start.ms;
	out->last_bytes = s->last_bytes;
	if (start.ms >= 0 && s->slot_n > 0)
		out->first_bytes = start.bytes;
	if (jumps_tell(s, &start, v->level, out->shape == SHAPE_GROWTH, &j))
		fill_jump(&j, out);
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
	fill_start(s, v, out);
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
