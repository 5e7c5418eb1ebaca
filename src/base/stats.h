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
void stats_diff(const double *a, int n, double *out); /* out[n - 1] */

/* Median of all pairwise slopes; n at most 48. */
double stats_theil(const double *x, const double *y, int n);

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
