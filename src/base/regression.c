/* SPDX-License-Identifier: MIT */
/* Least squares from running sums. */
#include "base/regression.h"

void regression_add(struct regression *l, double x, double y)
{
	if (l->n == 0) {
		l->x0 = x;
		l->y0 = y;
	}
	x -= l->x0;
	y -= l->y0;
	l->n++;
	l->sx += x;
	l->sy += y;
	l->sxx += x * x;
	l->sxy += x * y;
	l->syy += y * y;
}

double regression_slope(const struct regression *l)
{
	double xx = l->n * l->sxx - l->sx * l->sx;

	return xx > 0 ? (l->n * l->sxy - l->sx * l->sy) / xx : 0;
}

double regression_straightness(const struct regression *l)
{
	double xx = l->n * l->sxx - l->sx * l->sx, yy = l->n * l->syy - l->sy * l->sy;
	double xy = l->n * l->sxy - l->sx * l->sy;

	return xx > 0 && yy > 0 ? xy * (xy < 0 ? -xy : xy) / (xx * yy) : 0;
}
