/* SPDX-License-Identifier: MIT */
/* A series -> the windows that are judged: which of them count, where set-up ends, what the level is.
 * Knows nothing of trends. */
#include <math.h>

#include "base/stats.h"
#include "series/spans.h"

#define PAGE_BYTES 4096.0
#define MIB_BYTES  1048576.0

enum { WINDOWS_MOST = 64 }; /* of time */

static void spans_add(struct spans *a, const struct span *w, bool join)
{
	if (join && a->n > 0)
		series_join(&a->w[a->n - 1], w);
	else if (a->n < VIEW_MAX)
		a->w[a->n++] = *w;
}

/* Fewer than 3 rows per epoch: the floor of one epoch says little, so epochs are joined as long as 8 windows
 * remain. */
static int64_t epochs_per_window(const struct series *s, int64_t span)
{
	double rows = s->open_epoch.rows;
	for (int i = 0; i < s->epoch_n; i++)
		rows += s->epochs[i].rows;
	double per = rows / (double)span;
	int64_t g = per < 3 ? (int64_t)ceil(3 / fmax(per, 0.01)) : 1;
	while (g > 1 && span / g < 8)
		g--;
	return g > s->window_epochs ? g : s->window_epochs;
}

static void spans_of_epochs(const struct series *s, bool fine, struct spans *out)
{
	int64_t group = s->window_epochs, at = -1;
	if (!fine)
		group = epochs_per_window(s, s->epoch - s->epoch_base + 1);
	out->n = 0;
	for (int i = 0; fine && i < s->early_n; i++)
		spans_add(out, &s->early[i], false);
	for (int i = 0; i < s->epoch_n; i++) {
		if (fine && out->n > 0 && s->epochs[i].epoch0 <= s->early[s->early_n - 1].epoch1)
			continue;
		int64_t k = (s->epochs[i].epoch0 - s->epoch_base) / group;
		spans_add(out, &s->epochs[i], k == at);
		at = k;
	}
	/* several epochs per window: one that is not whole has too high a floor */
	if (group > 1 && out->n > 3 && (s->epoch - s->epoch_base) < (at + 1) * group)
		out->n--;
}

/* How many windows at the end lie 1 % below the floor of the eighth before. */
static int fallen_below(const struct spans *a, int most, double *floor)
{
	int cut = 0;
	*floor = HUGE_VAL;
	for (int i = a->n - 2 * most; i < a->n - most; i++)
		*floor = fmin(*floor, a->w[i].lo);
	while (a->w[a->n - 1 - cut].lo < 0.99 * *floor) /* stops within that eighth */
		cut++;
	return cut;
}

/* Did floors rise over these windows, in more than one step, and never fall by a third of `fall`? */
static bool rose_until(const struct span *w, int n, double fall)
{
	double most = 0;
	for (int i = 1; i < n; i++) {
		double rise = w[i].lo - w[i - 1].lo;
		if (rise < -0.3 * fall)
			return false;
		most = fmax(most, rise);
	}
	return w[n - 1].lo - w[0].lo > 2 * most;
}

/* The same of a run that rose until then: 0.5 % below the last one before the fall, whose floor it is
 * (keras_call_no_epochs among the recordings). */
static int fallen_after_rise(const struct spans *a, int most, double *floor)
{
	const struct span *end = a->w + a->n - 1;
	double top = 0;
	for (int cut = 1; cut <= most; cut++) {
		top = fmax(top, end[1 - cut].lo);
		double fall = end[-cut].lo - top;
		if (fall <= 0.005 * end[-cut].lo)
			continue;
		*floor = end[-cut].lo;
		return rose_until(end - 2 * most, 2 * most - cut + 1, fall) ? cut : 0;
	}
	return 0;
}

/* The end of a run that gives memory back for up to an eighth of its windows: tear-down, as far as anyone can
 * tell. A release that lasts longer is one. */
static int teardown(const struct spans *a)
{
	int most = a->n / 8, idle = 0;
	double floor;
	if (most < 2)
		return 0;
	int cut = fallen_below(a, most, &floor);
	if (cut == 0)
		cut = fallen_after_rise(a, most, &floor);
	if (cut == 0)
		return 0;
	/* before that, between its last epoch and its end, a program mostly idles; what is longer was
	 * the run */
	for (int i = a->n - 1 - cut; i > 0 && a->w[i].hi - a->w[i - 1].lo < 0.001 * floor; i--)
		idle++;
	return cut + (idle <= a->n / 10 ? idle : 0);
}

/* So many windows at most, of at least 4 rows each while 4 windows remain. */
static double windows_wanted(const struct series *s, double most)
{
	double rows = (double)s->rows;
	return fmin(most, fmax(fmax(4, fmin(8, floor(rows / 2))), floor(rows / 4)));
}

static void spans_of_slots(const struct series *s, double most, struct spans *out)
{
	struct span open = series_close(&s->open_slot);
	int64_t whole = ((s->last_ms - s->first_ms) >> s->slot_shift) + 1, at = -1;
	int64_t group = (int64_t)ceil((double)whole / windows_wanted(s, most));
	out->n = 0;
	for (int i = 0; i < s->slot_n + (open.rows > 0); i++) {
		const struct span *w = i < s->slot_n ? &s->slots[i] : &open;
		int64_t k = ((w->first_ms - s->first_ms) >> s->slot_shift) / group;
		spans_add(out, w, k == at);
		at = k;
	}
}

static void spans_of_time(const struct series *s, struct spans *out)
{
	spans_of_slots(s, WINDOWS_MOST, out);
	if (out->n > 3 && out->w[out->n - 1].rows < 0.6 * out->w[out->n - 2].rows)
		out->n--;
	out->n -= teardown(out);
}

/* Where set-up ends is sought in the finest windows there are: a run that becomes a little longer may halve their number. */
static int windows_of_launch(const struct series *s, const struct spans *a, double start)
{
	struct spans fine;
	spans_of_slots(s, SERIES_SLOTS, &fine);
	int end = launch_end(&fine, start, s->setup_ms), n = 0;
	while (end > 0 && n < a->n - 1 && a->w[n].first_ms < fine.w[end].first_ms)
		n++;
	return n;
}

static void view_fill(struct view *v, const struct spans *a, const struct series *s)
{
	v->n = a->n < VIEW_MAX ? a->n : VIEW_MAX;
	double width = (double)(s->last_ms - s->first_ms) / (a->n > 1 ? a->n : 1);
	for (int i = 0; i < v->n; i++) {
		const struct span *w = &a->w[i];
		double mid = (double)(w->first_ms + w->last_ms) / 2;
		v->t[i] = mid / 1000;
		v->begin[i] = (double)w->first_ms / 1000;
		v->epoch[i] = w->epoch0;
		if (v->basis == BASIS_EPOCHS)
			v->x[i] = (double)(w->epoch0 + w->epoch1) / 2;
		else
			v->x[i] = (mid - (double)s->first_ms) / fmax(width, 1);
		v->lo[i] = w->lo;
		v->med[i] = w->med;
		v->hi[i] = w->hi;
		v->rows[i] = w->rows;
	}
}

/* No epochs: the start-up ramp ends where the mean rise so far was 5 times that of the rest and the rise has
 * stopped. */
static int ramp_end(const struct view *v)
{
	const double *m = v->med;
	for (int k = 1; k < v->n / 3; k++) {
		double before = (m[k] - m[0]) / k;
		double after = (m[v->n - 1] - m[k]) / (v->n - 1 - k);
		if (before > 5 * fabs(after) && m[k] - m[k - 1] < 0.1 * (m[k] - m[0]))
			return k;
	}
	return 1;
}

/* Too few windows to see a ramp: one step of the first half that is most of all that was gained is set-up. */
static int step_end(const struct view *v)
{
	int best = 1;
	for (int i = 2; i <= v->n - 5 && i <= v->n / 2; i++)
		if (v->lo[i] - v->lo[i - 1] > v->lo[best] - v->lo[best - 1])
			best = i;
	return v->lo[best] - v->lo[best - 1] > 0.5 * (v->lo[v->n - 1] - v->lo[0]) ? best : 1;
}

/* What one step of a GPU's memory is: the median of those seen; on the host a page. */
static double view_quantum(const struct view *v)
{
	double d[STATS_MAX];
	int n = 0;
	if (v->kind != SERIES_GPU)
		return PAGE_BYTES;
	for (int i = 1; i < v->n; i++)
		if (v->med[i] != v->med[i - 1])
			d[n++] = fabs(v->med[i] - v->med[i - 1]);
	return n ? fmin(stats_median(d, n), 64 * MIB_BYTES) : 2 * MIB_BYTES;
}

static void view_finish(struct view *v)
{
	int tail = v->n / 6 > 3 ? v->n / 6 : 3;
	if (tail > v->n)
		tail = v->n;
	v->level = stats_median(v->med + v->n - tail, tail);
	v->quantum = view_quantum(v);
	/* the first epoch is set-up, a reading as it ends comes after that */
	v->first = v->n > 2 && !series_is_of_ends(v->kind) ? 1 : 0;
	/* compiling and the first batches take another third of the time of set-up */
	if (v->launch > 0)
		v->first = v->launch + v->launch / 3 < v->n ? v->launch + v->launch / 3 : v->n - 1;
	else if (v->basis != BASIS_EPOCHS && v->n >= 10)
		v->first = ramp_end(v);
	else if (v->basis != BASIS_EPOCHS && v->n >= 6)
		v->first = step_end(v);
	/* The newer half: the first epochs compile and fill caches, and no later one is as long. */
	int from = v->n > 3 ? v->n / 2 : 0;
	double dx = v->n > 1 ? v->x[v->n - 1] - v->x[from] : 0;
	v->seconds_per_x = dx > 0 ? (v->t[v->n - 1] - v->t[from]) / dx : 0;
}

static double opening_level(const struct series *s)
{
	double a[3];
	int n = s->rows < 3 ? (int)s->rows : 3;
	for (int i = 0; i < n; i++)
		a[i] = (double)s->opening[i];
	return stats_median(a, n);
}

void view_build(const struct series *s, enum grain grain, struct view *v)
{
	struct spans a;
	v->kind = s->kind;
	v->epochs = s->epoch_base < 0 ? -1 : s->epoch - s->epoch_base;
	v->base = s->epoch_base;
	v->start = opening_level(s);
	v->basis = v->epochs >= 0 ? BASIS_EPOCHS : BASIS_WINDOWS;
	if (v->basis == BASIS_EPOCHS)
		spans_of_epochs(s, grain == GRAIN_EPOCH, &a);
	else
		spans_of_time(s, &a);
	v->launch = v->basis == BASIS_WINDOWS ? windows_of_launch(s, &a, v->start) : 0;
	if (v->basis == BASIS_WINDOWS && grain == GRAIN_JOINED && period_group(&a, v->launch)) {
		v->basis = BASIS_PERIOD;
		v->launch = v->launch > 0;
	}
	view_fill(v, &a, s);
	v->setup_seen = s->setup_seen;
	v->first_rise = s->first_rise;
	v->first_even = s->first_even;
	view_finish(v);
}
