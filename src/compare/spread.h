/* SPDX-License-Identifier: MIT */
/* How far apart runs of the same program lie: what one run's own noise shows, and the rest that only other runs show,
 * which was measured on many programs. Pure. */
#ifndef COMPARE_SPREAD_H
#define COMPARE_SPREAD_H

#include <stdbool.h>

#include "compare/stretch.h"

/* What is expected of a program before any repeat of it has been seen, as a variance of one run's figure. */
struct expected_spread {
	double level_var, slope_var, peak_var;
};

/* What is known of the runs besides their own noise, in the mean. */
struct run_habits {
	double level_bytes;
	double above_bytes; /* how far peaks lie above the level */
	double free_bytes;  /* what allocators keep free, where the figure counts it; 0 none, or not known */
	double swing_bytes; /* up and down within an epoch; 0 none */
	double looks;       /* samples in an epoch */
	double span;        /* of the part compared */
	bool grows;         /* the level is what growth has come to */
};

/* own: what the runs show by themselves, in the mean. */
struct expected_spread spread_expected(const struct stretch *own, const struct run_habits *h);

/* Half of the 95 % bounds of the difference between the means of two sides. The expected variance counts as much as
 * that of a few runs; what repeats show takes over as they become more. */
double spread_bounds(double expected_var, const double *base, int bases, const double *new, int news);

#endif
