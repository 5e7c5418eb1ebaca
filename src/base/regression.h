/* SPDX-License-Identifier: MIT */
/* A line through points that come one by one. Pure; constant memory. */
#ifndef BASE_REGRESSION_H
#define BASE_REGRESSION_H

/* Sums are of distances from the first point, so that they stay exact. All zero: no point yet. */
struct runline {
	double n, x0, y0, sx, sy, sxx, sxy, syy;
};

void runline_add(struct runline *l, double x, double y);

/* 0 where fewer than two x are known. */
double runline_slope(const struct runline *l);

/* Correlation of x and y, squared; negative where y falls, 0 where either stands still. */
double runline_straightness(const struct runline *l);

#endif
