/* SPDX-License-Identifier: MIT */
/* Epochs unknown: a clear period of taking and giving back in the memory itself makes the windows instead, so
 * that each holds one floor. Knows nothing of trends. */
#include <math.h>

#include "base/stats.h"
#include "series/spans.h"

/* Six teeth, none much longer than another, and swings of 2 % of the level: fewer or fainter ones are
 * noise. */
enum { TEETH_LEAST = 6 };

/* Where y turns from falling to rising, by at least `size`, into at, which is as long as y; returns how many. */
static int period_floors(const double *y, int n, double size, int *at)
{
	int low = 0, high = 0, way = 0, count = 0;
	for (int i = 1; i < n; i++) {
		low = y[i] < y[low] ? i : low;
		high = y[i] > y[high] ? i : high;
		if (way <= 0 && y[i] - y[low] >= size) {
			if (way < 0)
				at[count++] = low;
			way = 1;
			high = i;
		} else if (way >= 0 && y[high] - y[i] >= size) {
			way = -1;
			low = i;
		}
	}
	return count;
}

static bool evenly_spaced(const struct spans *a, const int *at, int n)
{
	double least = HUGE_VAL, most = 0;
	for (int i = 1; i < n; i++) {
		double gap = (double)(a->w[at[i]].first_ms - a->w[at[i - 1]].first_ms);
		least = fmin(least, gap);
		most = fmax(most, gap);
	}
	return most <= 1.7 * least;
}

bool period_group(struct spans *a, int setup)
{
	double x[STATS_MAX], y[STATS_MAX], r[STATS_MAX];
	int at[STATS_MAX], n = a->n;
	for (int i = 0; i < n; i++) {
		x[i] = i;
		y[i] = a->w[i].med;
	}
	int skip = setup > 0 ? setup : n / 8;
	if (n < 4 * TEETH_LEAST || n - skip < 2 * TEETH_LEAST)
		return false;
	stats_line(x + skip, y + skip, n - skip, 0, r);
	double swing = stats_quantile(r, n - skip, 0.9) - stats_quantile(r, n - skip, 0.1);
	if (swing < 0.02 * stats_median(y, n))
		return false;
	int teeth = period_floors(r, n - skip, 0.5 * swing, at);
	for (int i = 0; i < teeth; i++) {
		at[i] += skip;
		if (a->w[at[i] - 1].lo < a->w[at[i]].lo)
			at[i]--; /* the floor was a moment, and the median turned after it */
	}
	if (teeth <= TEETH_LEAST || !evenly_spaced(a, at, teeth))
		return false;
	for (int i = 0; i + 1 < teeth; i++) {
		struct span w = a->w[at[i]];
		for (int k = at[i] + 1; k < at[i + 1]; k++)
			series_join(&w, &a->w[k]);
		a->w[i] = w;
	}
	a->n = teeth - 1;
	return true;
}
