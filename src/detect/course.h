/* SPDX-License-Identifier: MIT */
/* Which course does a row of levels take: one that settles, or one that grows? Shapes are fitted under models of the
 * noise and weighed by how well each foretells the row. Pure; no allocation. */
#ifndef DETECT_COURSE_H
#define DETECT_COURSE_H

#include <stdbool.h>

enum { COURSE_MAX = 32 }; /* levels in a row */

enum course_kind {
	COURSE_LEVEL,
	COURSE_CURVE, /* exponential, two of them, logarithm, power */
	COURSE_FILL,  /* a straight rise that stops */
	COURSE_TEETH, /* of a collector, or every k-th level is of another kind */
	COURSE_LINE,
	COURSE_HINGE,  /* a line that begins late */
	COURSE_STAIRS, /* a step at every k-th level */
};

struct course_in {
	int n;
	double x[COURSE_MAX];        /* epochs, or windows */
	double y[COURSE_MAX];        /* bytes */
	double age[COURSE_MAX];      /* epochs that the heap has seen */
	double variance[COURSE_MAX]; /* of the error of each: 1, or more where it stands out */
	double level;                /* bytes; amounts are shares of it */
	double quantum;              /* bytes: y comes in these */
	double least;                /* bytes per x: what is less is no growth worth the name */
	double curves_log;           /* log of how likely curves and fills are beside other courses */
	bool
	    single; /* each is one reading, which may be odd, of something that walks in a young heap at most */
};

struct course {
	double odds;              /* log of the weight of growth over that of all else */
	double slope, slope_sd;   /* bytes per x, over the courses that grow */
	double end, end_sd;       /* bytes per x that all of them, by their weights, rise by at their ends */
	enum course_kind settled; /* the best that does not grow */
	double onset;             /* x from which on the best that grows does */
};

void course_judge(const struct course_in *in, struct course *out);

#endif
