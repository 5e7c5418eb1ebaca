/* SPDX-License-Identifier: MIT */
/* Least squares of shapes and steps on a row under one kind of noise, and how well the row is foretold. */
#ifndef DETECT_FIT_H
#define DETECT_FIT_H

#include "detect/noise.h"
#include "detect/shapes.h"

enum { FIT_STEPS = 3, FIT_TERMS = SHAPES_PARTS + FIT_STEPS };

/* A row under one noise. A column is filtered, and its products are made, when it is first asked for. */
struct fit {
	const struct shapes *shapes;
	struct filter filter;
	double noise_prior;
	bool odd;   /* single levels may be odd by themselves */
	int n, m;   /* levels; m = n - 1 values that the filter leaves of each column */
	int places; /* where an event may be: below n a step into that level, n + k level k alone */
	double floor_sse, yy, y[COURSE_MAX];
	bool known[SHAPES_COLUMNS];
	double white[SHAPES_COLUMNS][COURSE_MAX];
	double cc[SHAPES_COLUMNS], cy[SHAPES_COLUMNS];
	double step[COURSE_MAX][COURSE_MAX]; /* [k]: a step into level k */
	double sy[COURSE_MAX], ss[COURSE_MAX][COURSE_MAX];
	double sc[SHAPES_COLUMNS][COURSE_MAX];
	double least_norm[2 * COURSE_MAX]; /* of an event that says something new */
};

/* A shape and steps, fitted. Of each place where a further step could be: what of it the terms do not say already, and what
 * of that is in y. */
struct terms {
	int n, parts, part[SHAPES_PARTS];
	double l[FIT_TERMS][FIT_TERMS]; /* Cholesky factor of the products */
	double z[FIT_TERMS];            /* what each takes of y */
	double sse, logdet;
	double amount[FIT_TERMS], se[FIT_TERMS], variance;
	double said[FIT_TERMS][COURSE_MAX], norm[COURSE_MAX], left[COURSE_MAX];
	double next[COURSE_MAX]; /* of norm: with the step into the next level */
};

void fit_noise(struct fit *f, const struct course_in *in, const struct shapes *s, const struct noise *noise);

/* false where two of its parts say the same. */
bool terms_start(struct fit *f, const struct shape_set *set, struct terms *t);
/* Adds the event that explains most: a step or, where that may be, one odd level. False when it gains less than `least`, in
 * units of log likelihood. *log_places: log of the share of places that would do about as well. */
bool terms_add_event(const struct fit *f, struct terms *t, double least, double *log_places);
/* Amounts and errors, and the log of the likelihood with amounts and the size of the noise integrated out. */
double terms_evidence(const struct fit *f, struct terms *t);
/* What the shape still rises by at its end, per span, and how surely. Once there is the evidence. */
double terms_end(const struct fit *f, const struct terms *t, double *sd);

#endif
