/* SPDX-License-Identifier: MIT */
/* How far apart runs of the same program lie: what one run's own noise shows, and the rest that only other runs show,
 * which was measured on many programs. Pure. */
#ifndef COMPARE_SPREAD_H
#define COMPARE_SPREAD_H

#include "compare/stretch.h"

/* What is expected of a program before any repeat of it has been seen, as a variance of one run's figure. */
struct expected_spread {
	double level_var, slope_var, peak_var;
};

/* own: the mean of what the runs show by themselves; above: how far peaks lie above levels; span: of the part compared. */
struct expected_spread spread_expected(const struct stretch *own, double level_bytes, double above_bytes,
				       double span);

/* Half of the 95 % bounds of the difference between the means of two sides. The expected variance counts as much as
 * that of a few runs; what repeats show takes over as they become more. */
double spread_bounds(double expected_var, const double *base, int bases, const double *new, int news);

#endif
