/* SPDX-License-Identifier: MIT */
/* A line through points that come one by one. Pure; constant memory. */
#ifndef BASE_REGRESSION_H
#define BASE_REGRESSION_H

/* Sums are of distances from the first point, so that they stay exact. All zero: no point yet. */
struct regression {
	double n, x0, y0, sx, sy, sxx, sxy, syy;
};

void regression_add(struct regression *l, double x, double y);

/* 0 where fewer than two x are known. */
double regression_slope(const struct regression *l);

/* Correlation of x and y, squared; negative where y falls, 0 where either stands still. */
double regression_straightness(const struct regression *l);

#endif
