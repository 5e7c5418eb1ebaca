/* SPDX-License-Identifier: MIT */
/* How sure a growth is: a rise that is regular can be told after few epochs, one that has stopped or comes in
 * odd lumps must wait. Knows nothing of the other verdicts. */
#include <math.h>
#include <string.h>

#include "detector_parts.h"

/* Mean increment over its standard error, at the block size where it is largest: lumps that come at odd times stay
 * small at every size, noise around a line averages out at the larger ones. */
static bool increments_regular(const double *y, int n)
{
	for (int b = 1; n / b >= 5; b *= 2) {
		int k = n / b, off = n - k * b;
		double d[STATS_MAX], mean = 0, var = 0;
		for (int i = 0; i < k; i++)
			d[i] = stats_median(y + off + i * b, b);
		stats_diff(d, k, d);
		for (int i = 0; i < k - 1; i++)
			mean += d[i] / (k - 1);
		for (int i = 0; i < k - 1; i++)
			var += (d[i] - mean) * (d[i] - mean) / (k - 2);
		if (mean > 0 && mean * sqrt(k - 1) >= (3.2 + 6.0 / (k - 1)) * sqrt(var))
			return true;
	}
	return false;
}

/* Steps of like size at like distances, four or more: a leak at every k-th epoch. */
static bool stairs_regular(const double *x, const double *y, int n)
{
	double d[STATS_MAX], size[STATS_MAX], gap[STATS_MAX], at = 0;
	int m = 0;
	stats_diff(y, n, d);
	double top = stats_max(d, n - 1);
	for (int i = 0; i < n - 1; i++) {
		if (d[i] < -0.3 * top)
			return false;
		if (d[i] < 0.4 * top)
			continue;
		gap[m] = x[i + 1] - at;
		size[m++] = d[i];
		at = x[i + 1];
	}
	if (m < 4)
		return false;
	return stats_max(gap + 1, m - 1) <= 1.5 * stats_min(gap + 1, m - 1) + 0.5 && x[n - 1] - at <= 1.3 * gap[m - 1];
}

/* No new high for longer than it ever took before. */
static bool stalled(const double *x, const double *y, int n, double slope)
{
	double top = y[0], at = x[0], longest = 0, typical = n > 1 ? (x[n - 1] - x[0]) / (n - 1) : 1;
	for (int i = 1; i < n; i++) {
		if (y[i] < top + 0.3 * slope * typical)
			continue;
		longest = fmax(longest, x[i] - at);
		top = y[i];
		at = x[i];
	}
	return x[n - 1] - at > 2 * longest + 0.5 * typical;
}

/* A ramp that filled each window from end to end, and the last window is level: full. */
static bool ramp_over(const struct view *v, int from, double slope)
{
	double w[STATS_MAX];
	int n = v->n - from;
	for (int i = 0; i < n; i++)
		w[i] = v->hi[from + i] - v->lo[from + i];
	double usual = stats_median(w, n - 1), per = slope * (v->x[v->n - 1] - v->x[from]) / (n - 1);
	return usual > 0.6 * per && usual < 1.5 * per && w[n - 1] < 0.4 * usual;
}

bool firm_holds(const struct view *v, const struct trend *t)
{
	int n = v->n - v->first, from = t->from * t->block;
	double y[STATS_MAX];
	struct step steps[STEPS_MAX];
	steps_smooth((t->floor ? v->lo : v->med) + v->first, n, y);
	steps_peel(y, n, 0.1, steps);
	const double *x = v->x + v->first + from;
	n -= from;
	if (n < 4 || stalled(x, y + from, n, t->slope) || ramp_over(v, v->first + from, t->slope))
		return false;
	return increments_regular(y + from, n) || stairs_regular(x, y + from, n);
}

/* Few windows, but each rose like the others. */
static bool regular_run(const double *x, const double *y, int n, double q, double level, struct line *l)
{
	static const double z_need[] = {[4] = 12, [5] = 10, [6] = 9, [7] = 8, [8] = 7};
	const double noise_free = q > 4096 ? 2097152 : q;
	static const double share_need[] = {[4] = 0.002, [5] = 0.002, [6] = 0.0015, [7] = 0.0012, [8] = 0.001};
	int k = n < 8 ? n : 8, mid = n / 2;
	*l = stats_line(x, y, n, noise_free, NULL);
	if (l->slope <= 0 || l->slope < z_need[k] * l->se)
		return false;
	double share = share_need[k] * fmin(1, 12 * l->se / l->slope);
	if (l->slope * (x[n - 1] - x[0]) < fmax(100e3, share * level))
		return false;
	for (int i = 1; i < n; i++)
		if (y[i] - y[i - 1] < 0.4 * l->slope * (x[i] - x[i - 1]))
			return false;
	double a = (y[mid] - y[0]) / (x[mid] - x[0]), b = (y[n - 1] - y[n - 1 - mid]) / (x[n - 1] - x[n - 1 - mid]);
	return b >= 0.75 * a;
}

/* What came before a run that does not begin with the first window: level and lower, but for jumps. A warm-up comes
 * down to the run's slope bit by bit, a jump at once. */
static bool run_stands_out(const double *x, const double *y, int k, const struct line *l)
{
	int odd = 0;
	for (int i = 0; i < k; i++) {
		double rise = (y[i + 1] - y[i]) / ((x[i + 1] - x[i]) * l->slope);
		if (rise > 0.6 && rise < 8)
			return false;
		odd += fabs(rise) > 0.6;
	}
	return odd <= 1 + k / 4;
}

/* Floors and medians must both rise, as far as the other one can tell. */
static bool other_agrees(const struct view *v, bool floor, int from, const struct line *l)
{
	const double *y = floor ? v->med : v->lo;
	struct line o = stats_line(v->x + from, y + from, v->n - from, v->quantum, NULL);
	return o.slope + (floor ? o.se : 0) > 0.5 * l->slope;
}

bool firm_early(const struct view *v, bool floor, struct trend *t)
{
	int n = v->n - v->first;
	const double *x = v->x + v->first, *y = (floor ? v->lo : v->med) + v->first;
	if (v->basis != BASIS_EPOCHS)
		return false;
	for (int k = n > 12 ? n - 12 : 0; n - k >= 4; k++) {
		struct line l;
		if (!regular_run(x + k, y + k, n - k, v->quantum, v->gpu ? 0 : v->level, &l) ||
		    !run_stands_out(x, y, k, &l) || !other_agrees(v, floor, v->first + k, &l) ||
		    ramp_over(v, v->first + k, l.slope))
			continue;
		*t = (struct trend){.growth = true, .slope = l.slope, .se = l.se, .z = l.slope / l.se, .dof = l.dof};
		t->from = k;
		t->floor = floor;
		t->block = 1;
		return true;
	}
	return false;
}
