/* SPDX-License-Identifier: MIT */
/* Whether two sides look like runs of one program at all: a recording does not tell what was run. Pure. */
#ifndef COMPARE_UNLIKE_H
#define COMPARE_UNLIKE_H

#include "compare/stretch.h"

/* What makes it doubtful; all false: nothing does. */
struct unlikeness {
	bool levels; /* of the host lie far apart, at the beginning already */
	double base_bytes, new_bytes;
	bool epochs; /* of one side take many times as long */
	double base_s, new_s;
};

/* The levels of the host over what is compared, those of each side as a mean. */
void unlike_levels(struct unlikeness *u, const struct run_figures *const *base, int base_runs,
		   const struct run_figures *const *new, int new_runs, const struct view *view);

/* Seconds for each epoch. */
void unlike_epochs(struct unlikeness *u, double base_s, double new_s);

#endif
