/* SPDX-License-Identifier: MIT */
/* The part of a run that is compared: its level, its slope, and how far its own noise lets either be off. Pure. */
#ifndef COMPARE_STRETCH_H
#define COMPARE_STRETCH_H

#include <stdbool.h>

#include "compare/run_figures.h"

enum { STRETCH_POINTS_MIN = 4 }; /* fewer show no slope */

/* What all runs have. */
struct view {
	bool by_epoch;
	bool kept;       /* each tells what its program keeps: growth of the host is that of this */
	bool whole;      /* each ends with the part that all have */
	double from, to; /* epochs, or seconds */
};

struct stretch {
	bool ok, sloped; /* there is a level; there are enough points for a slope */
	double level, slope;
	double level_var, slope_var; /* by the noise within the run, which has a memory */
	double line_var;             /* of the slope of a line through the points themselves */
	/* A step that is alone is a difference and no noise, but for what allocators take at once: that may come in one
	 * run and not in the next. */
	double piece;
};

const struct curve *stretch_curve(const struct series_figures *f, const struct view *view);

/* The highest value from the start to the end of the view: a run that goes on has more time for a higher one. */
double stretch_peak(const struct series_figures *f, const struct view *view);

/* How many points of a curve lie in the view. */
int stretch_points(const struct curve *c, const struct view *view);

/* Of a run that is judged as growth, the slope is that of its verdict. */
struct stretch stretch_of(const struct series_figures *f, const struct view *view);

/* Of b less a, epoch by epoch: what both do alike cancels. Not sloped: they have too few epochs in common. */
struct stretch stretch_of_difference(const struct series_figures *a, const struct series_figures *b,
				     const struct view *view);

#endif
