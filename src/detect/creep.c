/* SPDX-License-Identifier: MIT */
/* What rises and is no growth all the same: histories, log buffers, the last of set-up. Knows nothing of
 * scales, of firmness or of the other verdicts. */
#include <math.h>

#include "detect/parts.h"

/* Creep that every long-lived process shows (histories, log buffers) is 4 to 40 KiB per epoch in recorded
 * runs; the smallest leaks there were 340 kB, or 0.024 % of the level. Without epochs all that is known is
 * the gain as a whole: creep over 50 to 180 generated epochs came to 0.2 % of the level, leaks to 0.25 % and
 * more. What a jump took makes no heap creep faster: the level is that of the first window. */
double creep_most(const struct view *v)
{
	if (v->gpu)
		return 0;
	double base = fmin(v->level, v->med[v->first]);
	if (v->basis == BASIS_EPOCHS)
		return fmax(60e3, 0.00008 * base);
	double span = v->x[v->n - 1] - v->x[v->first];
	return span > 0 ? fmax(800e3, 0.0025 * base) / span : 0;
}

/* What noise alone makes of the increments between medians of `size` windows, over their mean. By second
 * differences of neighbours: lumps with rests between them count for nothing there. */
static double noise_unevenness(const double *y, int n, int size)
{
	double d[STATS_MAX];
	stats_diff(y, n, d);
	double mean = (y[n - 1] - y[0]) / (n - 1) * size;
	stats_diff(d, n - 1, d);
	double sd = stats_mad(d, n - 2) / sqrt(6), median_factor = size > 2 ? 1.25 : 1;
	return mean > 0 ? sqrt(2) * median_factor * sd / sqrt(size) / mean : 0;
}

/* Without epochs, how uneven the rise is from one eighth of it to the next: recorded leaks that gained less
 * than 4 % of the level had 0.14 to 0.37, the creep of a program that has just come up 0.48 to 1.1. The creep
 * of one attached to was 0.4 % in all. Of few windows none may stand for the whole: generated rises that were
 * over had 1.3 and more, leaks at most 0.7. */
static bool is_uneven_gain(const struct view *v, const struct trend *t)
{
	int all = v->n - v->first, from = view_tail(v, t), n = v->n - from, size = n / 8 > 1 ? n / 8 : 1;
	double y[STATS_MAX], block[STATS_MAX], gain = t->slope * (v->x[v->n - 1] - v->x[from]);
	struct step steps[STEPS_MAX];
	if (v->basis == BASIS_EPOCHS || v->gpu || n < 4)
		return false;
	if (n >= 12 && t->z >= 25 && t->last >= 0.7)
		return false; /* recorded creep had at most 18 errors */
	steps_smooth((t->floor ? v->lo : v->med) + v->first, all, y);
	if (n >= 12 || t->z >= 30)
		steps_peel(y, all, 0.1, steps);
	for (int i = 0; i < n / size; i++)
		block[i] = stats_median(y + all - (n / size - i) * size, size);
	double uneven = stats_unevenness(block, n / size), noise = noise_unevenness(y + all - n, n, size);
	uneven =
	    fmin(uneven * sqrt(stats_kept(block, n / size)), sqrt(fmax(0, uneven * uneven - noise * noise)));
	double small = v->launch > 0 ? 0.04 : 0.01;
	return (gain < small * v->level && uneven > 0.43) || (n < 12 && uneven > 1);
}

bool creep_is(const struct view *v, const struct trend *t)
{
	return t->slope < creep_most(v) || heap_settles(v, t) || is_uneven_gain(v, t);
}
