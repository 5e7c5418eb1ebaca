/* SPDX-License-Identifier: MIT */
/* How readings and levels stray by themselves, and a filter that takes out what it could foresee of that. */
#ifndef DETECT_NOISE_H
#define DETECT_NOISE_H

#include <stdbool.h>

#include "detect/course.h"

/* A reading has an error, and the level walks by itself. The variance of the error is 1: its size is not part of the
 * model, the fit finds it. */
struct noise {
	double walk; /* variance of a move of the level */
	bool fades;  /* with the age of the heap */
};

/* The level walks under all but the first one, in the last ones ever less. */
enum { NOISES = 9, NOISES_FADING = 4 };
extern const struct noise noises[NOISES];

/* Log of how likely it is beforehand; minus infinity: not at all. */
double noise_prior(const struct noise *noise, const struct course_in *in);

/* A reading may catch a part of what the next epoch brings: it is known no better than this share of a usual move. Else what
 * comes in whole blocks fits steps to the byte, and any line is steps. */
#define CAUGHT_SHARE 0.05

struct filter {
	int n;
	double logdet; /* of the variances of what is not foreseen */
	double gain[COURSE_MAX], scale[COURSE_MAX];
};

void filter_fill(struct filter *f, const struct noise *noise, const struct course_in *in);

/* c, of which `from` (at least 1) is the first that may differ from c[0], as n - 1 values without memory of one another and of one spread. */
void filter_run(const struct filter *f, const double *c, int from, double *out);

/* From one level to the next, bytes. */
double noise_usual_move(const struct course_in *in);

/* Fills in how far each reading can be trusted, from the row itself. */
void noise_variances(struct course_in *in);

#endif
