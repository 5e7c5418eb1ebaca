/* SPDX-License-Identifier: MIT */
/* Single windows that stick out, and isolated steps: both are taken out of a row of windows before a trend is
 * sought. Knows nothing of epochs or verdicts. */
#include <math.h>
#include <string.h>

#include "detect/parts.h"

void steps_smooth(const double *y, int n, double *out)
{
	double d[STATS_MAX];
	memcpy(out, y, (size_t)n * sizeof(out[0]));
	if (n < 5)
		return;
	stats_diff(y, n, d);
	double s = fmax(stats_mad(d, n - 1), 1);
	/* 4 deviations: dips of a moment are 2 to 20 % of the level, floors of quiet loops keep to 0.04
	 * MiB */
	for (int i = 1; i + 1 < n; i++) {
		double m = fmax(fmin(y[i - 1], y[i]), fmin(fmax(y[i - 1], y[i]), y[i + 1]));
		if (fabs(y[i] - m) > 4 * s)
			out[i] = m;
	}
}

struct candidate {
	int lo, hi; /* differences that are part of it */
	double size, typical, noise;
};

/* The largest difference, with neighbours that are part of it when it straddles two windows. */
static struct candidate step_find(const double *d, int n)
{
	double rest[STATS_MAX];
	int at = 0, m = 0;
	for (int i = 1; i < n; i++)
		if (fabs(d[i]) > fabs(d[at]))
			at = i;
	for (int i = 0; i < n; i++)
		if (i != at)
			rest[m++] = d[i];
	struct candidate c = {
	    .lo = at, .hi = at, .typical = stats_median(rest, m), .noise = stats_mad(rest, m)};
	double size = d[at] - c.typical;
	c.size = size;
	for (int k = at - 1; k <= at + 1; k += 2) {
		double e = k >= 0 && k < n ? d[k] - c.typical : 0;
		double least = at >= 3 && fabs(e) > 0.2 * fabs(size) ? 3 * c.noise : 6 * c.noise;
		if (e * size <= 0 || fabs(e) <= least || fabs(e) <= 0.02 * fabs(size))
			continue;
		c.size += e;
		c.lo = k < c.lo ? k : c.lo;
		c.hi = k > c.hi ? k : c.hi;
	}
	return c;
}

/* What follows d[at] tells what d[at] is: more than the later ones, beyond their noise, and a step before it
 * was the beginning of a warm-up. */
static bool decays(const double *d, int n, int at, double size)
{
	int later = n - at - 1;
	if (later < 3)
		return false;
	double more = d[at] - stats_median(d + at + 1, later);
	return more > 0.05 * size && more > 3 * stats_mad(d + at + 1, later);
}

/* A step is a third of all the range, 6 times the noise and 4 times the usual increment; what is followed by
 * a tenth of itself is a curve, what undoes 40 % of what was gained is a tooth. Found on generated jumps,
 * warm-ups and collector teeth. */
static bool step_isolated(const double *y, const double *d, int n, const struct candidate *c, double curve)
{
	double range = stats_quantile(y, n + 1, 0.98) - stats_quantile(y, n + 1, 0.02);
	if (range <= 0)
		range = stats_max(y, n + 1) - stats_min(y, n + 1);
	if (fabs(c->size) <= 0.33 * range || fabs(c->size) <= 6 * c->noise ||
	    fabs(c->size) <= 4 * fabs(c->typical) + 1)
		return false;
	if (n - c->hi < 3)
		return false; /* just now: what it is shows later */
	double next = c->hi + 1 < n ? d[c->hi + 1] - c->typical : 0;
	if (c->lo < 2 && c->size > 0 &&
	    (next > fmax(0.02 * c->size, 2 * c->noise) || decays(d, n, c->hi + 1, c->size)))
		return false; /* the beginning of a warm-up */
	if (next * c->size > 0 && fabs(next) > fmax(curve * fabs(c->size), 4 * c->noise))
		return false; /* followed by more of the same: a curve */
	if (c->size < 0 && c->lo >= 2 && y[c->lo] - stats_min(y, c->lo + 1) > 0.4 * fabs(c->size))
		return false; /* gives back what had been gained: a tooth */
	return true;
}

int steps_peel(double *y, int n, double curve, struct step out[STEPS_MAX])
{
	double d[STATS_MAX];
	int found = 0;
	while (found < STEPS_MAX && found < n / 5) {
		stats_diff(y, n, d);
		struct candidate c = step_find(d, n - 1);
		if (!step_isolated(y, d, n - 1, &c, curve))
			break;
		for (int k = c.lo; k <= c.hi; k++)
			for (int i = k + 1; i < n; i++)
				y[i] -= d[k] - c.typical;
		out[found++] = (struct step){c.lo + 1, c.size};
	}
	return found;
}
