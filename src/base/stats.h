/* SPDX-License-Identifier: MIT */
/* Small robust statistics on short arrays. Pure; no allocation. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

enum { STATS_MAX = 128 }; /* longest array any of these takes */

double stats_median(const double *a, int n);             /* 0 when n is 0 */
double stats_quantile(const double *a, int n, double q); /* linear between order statistics */
double stats_mad(const double *a, int n); /* 1.4826 times the median distance from the median */
double stats_sd(const double *a, int n);  /* 0 when n is below 2 */
double stats_max(const double *a, int n);
double stats_min(const double *a, int n);
/* Standard deviation of the increments over their mean: 0 when all are the same, large when y does not
 * rise. */
double stats_unevenness(const double *y, int n);
/* How much of their variance the increments of y keep in the long run, 0.2 to 1: those of noise about a line make
 * up for one another, those of lumps do not. */
double stats_kept(const double *y, int n);
void stats_diff(const double *a, int n, double *out); /* out[n - 1] */

/* Sign of the median of all pairwise slopes (Theil-Sen): +1, 0 or -1. */
int stats_theil_sign(const double *y, int n);
/* Median of all pairwise slopes; n at most 48. */
double stats_theil(const double *x, const double *y, int n);

/* Variance inflation (1 + r1) / (1 - r1) of residuals that follow one another. */
double stats_ar_inflation(const double *r, int n);
/* 97.5 % quantile of Student's t. */
double stats_t975(int dof);

struct line {
	double slope, se; /* se: inflated for autocorrelation, never below what a quantum q allows */
	double mean_x, mean_y, sse;
	int dof;
};
/* Least squares; r takes the residuals when it is not NULL. */
struct line stats_line(const double *x, const double *y, int n, double q, double *r);

#endif
