/* SPDX-License-Identifier: MIT */
/* Epochs unknown, but the process was watched from its launch on: where imports and set-up end. They are a
 * steep and irregular rise from next to nothing, and no part of the training. Knows nothing of trends. */
#include <math.h>

#include "detect/parts.h"

/* Where set-up takes longer, the code that a program maps tells. */
#define SETUP_MS 40000

enum { AHEAD = 4 }; /* windows looked ahead */

/* Pace of the windows after k, per window, but for their largest step. */
static double pace_ahead(const double *y, int k)
{
	double step = 0;
	for (int i = k; i < k + AHEAD; i++)
		step = fmax(step, y[i + 1] - y[i]);
	return (y[k + AHEAD] - y[k] - step) / AHEAD;
}

/* The last of the windows looked ahead that still rose at 0.4 of the pace: the step left out above. */
static int last_step(const double *y, int k, double pace)
{
	int end = k;
	for (int i = k + 1; i <= k + AHEAD; i++)
		if (y[i] - y[i - 1] > 0.4 * pace)
			end = i;
	return end;
}

/* Of a run that is hardly longer than its set-up: held since, for five windows. */
static bool held_since(const double *y, int k, int n)
{
	return n - 1 - k >= 5 && fabs(y[n - 1] - y[k]) < 0.01 * y[k];
}

/* Imports in two parts, the second one slower, as from a busy disk. Where the second half of the run rises clearly, set-up goes on
 * while the windows ahead rise at four times that pace. */
static int second_part_end(const struct spans *a, const double *y, int k, double level)
{
	int n = a->n, half = n / 2;
	double later = (y[n - 1] - y[half]) / (n - 1 - half);
	if (later * half < 0.01 * level)
		return k;
	while (k + AHEAD < half && a->w[k].first_ms - a->w[0].first_ms < SETUP_MS &&
	       y[k + AHEAD] - y[k] > 4 * AHEAD * later)
		k++;
	return k;
}

/* Set-up ends where the windows ahead rise at a fifth of its pace. The first window is left out of the pace, for one
 * import can take half of all. A fall of a tenth is none of set-up's: imports give nothing back. */
static int rise_end(const struct spans *a, const double *y, double level)
{
	int n = a->n;
	if (n < 16)
		return 0;
	if (y[1] > 0.8 * level)
		return 0; /* over within the first window: what rises since is no set-up */
	for (int k = 2; k + AHEAD < n && a->w[k].first_ms - a->w[0].first_ms < SETUP_MS; k++) {
		if (k >= n / 2 && !held_since(y, k, n))
			continue;
		double pace = (y[k] - y[1]) / (k - 1);
		if (y[k + 1] < 0.9 * y[k])
			return k;
		if (pace > 0 && pace_ahead(y, k) < 0.2 * pace)
			return second_part_end(a, y, last_step(y, k, pace), level);
	}
	return 0;
}

/* What was seen of it beside the memory held; in its first half second every program maps code. */
static int told_end(const struct spans *a, int64_t setup_ms)
{
	int k = 0;
	if (setup_ms < a->w[0].first_ms + 500)
		return 0;
	while (k < a->n - 1 && a->w[k].first_ms <= setup_ms)
		k++;
	return k > 1 ? k : 0;
}

int launch_end(const struct spans *a, double start, int64_t setup_ms)
{
	double y[STATS_MAX];
	int n = a->n, part = n / 6 > 3 ? n / 6 : 3, tail = part < n ? part : n;
	if (n < 2)
		return 0;
	for (int i = 0; i < n; i++)
		y[i] = a->w[i].med;
	double level = stats_median(y + n - tail, tail);
	int rise = start > LAUNCH_SHARE * level ? 0 : rise_end(a, y, level), told = told_end(a, setup_ms);
	return rise > told ? rise : told;
}
