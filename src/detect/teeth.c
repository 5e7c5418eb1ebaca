/* SPDX-License-Identifier: MIT */
/* Teeth longer than an epoch, as a collector makes them: a leak beneath lifts their floors, while windows of
 * one epoch or of two, four and eight show the teeth. Knows nothing of the other verdicts. */
#include <math.h>
#include <stddef.h>

#include "detect/parts.h"

enum { FLOORS_LEAST = 4 };

struct teeth {
	int n;                                                 /* floors */
	int begin;                                             /* window of the first */
	double x[STATS_MAX], floor[STATS_MAX], top[STATS_MAX]; /* top: the highest before the next floor */
	double swing, rows;                                    /* of a typical one */
};

static void teeth_fill(const struct view *v, const int *at, int n, struct teeth *t)
{
	double rows[STATS_MAX], swing[STATS_MAX];
	t->n = n;
	t->begin = v->first + at[0];
	for (int i = 0; i < n; i++) {
		int from = v->first + at[i], to = i + 1 < n ? v->first + at[i + 1] : v->n;
		t->x[i] = v->x[from];
		t->floor[i] = v->lo[from];
		t->top[i] = stats_max(v->hi + from, to - from);
		swing[i] = t->top[i] - t->floor[i];
		rows[i] = 0;
		for (int k = from; k < to; k++)
			rows[i] += v->rows[k];
	}
	t->swing = stats_median(swing, n - 1); /* the last one is still under way */
	t->rows = stats_median(rows, n - 1);
}

static bool teeth_find(const struct view *v, struct teeth *t)
{
	double r[STATS_MAX];
	int at[STATS_MAX], n = v->n - v->first;
	const double *x = v->x + v->first;
	if (v->basis != BASIS_EPOCHS || v->gpu || n < 3 * FLOORS_LEAST - 2)
		return false;
	stats_line(x, v->lo + v->first, n, v->quantum, r);
	double swing = stats_quantile(r, n, 0.9) - stats_quantile(r, n, 0.1);
	if (swing < 0.02 * v->level)
		return false;
	int floors = period_floors(r, n, 0.5 * swing, at);
	if (floors < FLOORS_LEAST)
		return false;
	double least = HUGE_VAL, most = 0;
	for (int i = 1; i < floors; i++) {
		least = fmin(least, x[at[i]] - x[at[i - 1]]);
		most = fmax(most, x[at[i]] - x[at[i - 1]]);
	}
	/* counted in whole windows: one of five comes after four or six */
	if (most > 1.7 * least + (x[n - 1] - x[0]) / (n - 1))
		return false;
	teeth_fill(v, at, floors, t);
	return true;
}

/* Each floor above the one before, the later steps no smaller than the first, and more in all than where in
 * its tooth a sample happens to fall could make of it. */
static bool floors_rise(const struct teeth *t)
{
	double gain = t->floor[t->n - 1] - t->floor[0], d[STATS_MAX];
	int m = t->n - 1, half = (m + 1) / 2;
	stats_diff(t->floor, t->n, d);
	if (stats_min(d, m) < 0.4 * gain / m || gain < 2 * t->swing / fmax(1, t->rows))
		return false;
	double first = t->floor[half] - t->floor[0], second = t->floor[m] - t->floor[m - half];
	return second >= 0.7 * first;
}

bool teeth_rise(const struct view *v, struct trend *out, bool *firm)
{
	/* errors that the line through so few floors must have: none of 4,600 steady generated series and of
	 * 208 recorded ones is called growth for it */
	static const double z_need[] = {[4] = 14, 10, 8, 7, 6};
	struct teeth t;
	if (!teeth_find(v, &t))
		return false;
	struct line l = stats_line(t.x, t.floor, t.n, v->quantum, NULL);
	struct line top = stats_line(t.x, t.top, t.n - 1, v->quantum, NULL);
	double need = z_need[t.n < 8 ? t.n : 8], z = l.slope / l.se;
	if (!floors_rise(&t) || z < need || l.slope < creep_most(v) ||
	    l.slope * (t.x[t.n - 1] - t.x[0]) < 0.01 * v->level || top.slope + 2 * top.se < 0.5 * l.slope)
		return false;
	/* the tooth under way must not have come down to where the last one began */
	if (v->lo[v->n - 1] < t.floor[t.n - 1])
		return false;
	*out = (struct trend){.growth = true,
			      .teeth = true,
			      .slope = l.slope,
			      .se = l.se,
			      .z = z,
			      .dof = l.dof,
			      .begin = t.begin,
			      .floor = true,
			      .block = 1,
			      .last = 1};
	*firm = z >= (t.n > FLOORS_LEAST ? 1.5 : 3) * need;
	return true;
}
