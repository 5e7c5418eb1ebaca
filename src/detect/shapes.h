/* SPDX-License-Identifier: MIT */
/* The table of shapes that memory takes over epochs. */
#ifndef DETECT_SHAPES_H
#define DETECT_SHAPES_H

#include "detect/course.h"

enum { SHAPES_COLUMNS = 96, SHAPES_SETS = 176, SHAPES_PARTS = 3 };

/* A shape: columns that are added up, in amounts that the fit finds. */
struct shape_set {
	enum course_kind kind;
	bool grows; /* its first part is the one that does */
	bool core;  /* tried under every noise; the others only where these do well */
	int parts, part[SHAPES_PARTS];
	int sign[SHAPES_PARTS]; /* of the amount: 1, -1, 0 either */
	double prior;           /* log */
	int onset;              /* index from which on it grows */
};

struct shapes {
	double curves_log; /* as in the row */
	int n, columns, sets;
	double span; /* x from first to last */
	double col[SHAPES_COLUMNS][COURSE_MAX];
	double end[SHAPES_COLUMNS]; /* what a column still rises by at its end, per span */
	struct shape_set set[SHAPES_SETS];
};

enum { SHAPES_LINE = 0 }; /* the column of a line, from 0 to 1 */

void shapes_fill(struct shapes *s, const struct course_in *in);

#endif
