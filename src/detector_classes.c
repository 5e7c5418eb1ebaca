/* SPDX-License-Identifier: MIT */
/* What a run that does not grow is: flat, reservation, warmup, cyclic or release. Knows nothing of slopes. */
#include <math.h>
#include <string.h>

#include "detector_parts.h"

/* Turning points whose swings are at least `size`. */
static int reversals(const double *y, int n, double size)
{
	int count = 0, way = 0;
	double turn = n > 0 ? y[0] : 0;
	for (int i = 1; i < n; i++) {
		double move = y[i] - turn;
		if (way == 0 ? fabs(move) >= size : way * move <= -size) {
			count += way != 0;
			way = move > 0 ? 1 : -1;
			turn = y[i];
		} else if (way * move > 0) {
			turn = y[i];
		}
	}
	return count;
}

static double held_top(const double *y, int n)
{
	double top = 0, s[STATS_MAX];
	steps_smooth(y, n, s);
	for (int i = 0; i < n; i++) {
		int a = i > 0 ? i - 1 : 0, b = i + 1 < n ? i + 1 : n - 1;
		top = fmax(top, stats_median(s + a, b - a + 1));
	}
	return top;
}

static double end_of(const double *y, int n)
{
	int k = n / 8 > 2 ? n / 8 : 2;
	k = k < n ? k : n;
	return stats_median(y + n - k, k);
}

static double rise_parts(const double *y, int n)
{
	double sum = 0, squares = 0;
	for (int i = 1; i < n; i++) {
		double c = fmax(0, y[i] - y[i - 1]);
		sum += c;
		squares += c * c;
	}
	return squares > 0 ? sum * sum / squares : 0;
}

static bool rises_past_swing(const double *lo, int n, double swing, double level)
{
	double s[STATS_MAX];
	int k = n / 8 > 2 ? n / 8 : 2, e = 3 * k < n ? 3 * k : n;
	steps_smooth(lo, n, s);
	double lasting = stats_median(s + n - e, e) - stats_median(s, k < n ? k : n);
	return lasting > swing && lasting > 0.03 * level;
}

enum shape classes_judge(const struct view *v)
{
	int n = v->n - v->first;
	const double *lo = v->lo + v->first, *med = v->med + v->first, *hi = v->hi + v->first;
	double s[STATS_MAX], width[STATS_MAX];
	if (n < 3 || (v->epochs >= 0 && v->epochs < 3))
		return SHAPE_UNDETERMINED;
	double level = fmax(v->level, 1), size = 0.022 * level;
	int wide = 0, turns = 0;
	for (int i = 0; i < n; i++) {
		width[i] = hi[i] - lo[i];
		wide += width[i] > size;
	}
	const double *all[] = {med, lo, hi};
	for (int i = 0; i < 3; i++) {
		steps_smooth(all[i], n, s);
		int r = reversals(s, n, size);
		turns = r > turns ? r : turns;
	}
	double drop = (held_top(med, n) - end_of(med, n)) / fmax(1, stats_max(med, n));
	if (drop > 0.08 && turns < 3)
		return SHAPE_RELEASE;
	double within = stats_median(width, n);
	bool cyclic = (within > size && wide > 0.5 * n) || turns >= 3;
	if (cyclic && (turns >= 3 || !rises_past_swing(lo, n, fmax(within, size), level)))
		return SHAPE_CYCLIC;
	struct step steps[STEPS_MAX];
	double y[STATS_MAX], d[STATS_MAX], sum = 0;
	memcpy(y, med, (size_t)n * sizeof(y[0]));
	int m = steps_peel(y, n, 0.03, steps);
	for (int i = 0; i < m; i++)
		sum += steps[i].size;
	double rise = end_of(y, n) - y[0];
	int half = n >= 6 ? n / 2 : 0;
	stats_diff(y + half, n - half, d);
	if (rise > 0.015 * level && rise > 4 * stats_mad(d, n - half - 1) && rise_parts(y, n) >= 1.8)
		return SHAPE_WARMUP;
	if (v->level - v->start > 0.03 * level || fabs(sum) > 0.012 * level)
		return SHAPE_RESERVATION;
	return SHAPE_FLAT;
}
