/* SPDX-License-Identifier: MIT */
/* Small robust statistics on short arrays. Knows nothing of memory. */
#include "base/stats.h"

#include <math.h>
#include <string.h>

/* The k-th smallest; a is rearranged, none behind it is smaller. */
static double nth(double *a, int n, int k)
{
	int lo = 0, hi = n - 1;
	while (lo < hi) {
		double pivot = a[(lo + hi) / 2];
		int i = lo, j = hi;
		while (i <= j) {
			while (a[i] < pivot)
				i++;
			while (a[j] > pivot)
				j--;
			if (i <= j) {
				double swap = a[i];
				a[i++] = a[j];
				a[j--] = swap;
			}
		}
		if (k <= j)
			hi = j;
		else if (k >= i)
			lo = i;
		else
			break;
	}
	return a[k];
}

double stats_quantile(const double *a, int n, double q)
{
	double b[STATS_MAX];
	if (n <= 0)
		return 0;
	memcpy(b, a, (size_t)n * sizeof(b[0]));
	double at = q * (n - 1);
	int i = (int)at;
	double low = nth(b, n, i), high = i + 1 < n ? stats_min(b + i + 1, n - i - 1) : low;
	return low + (high - low) * (at - i);
}

double stats_median(const double *a, int n)
{
	return stats_quantile(a, n, 0.5);
}

double stats_mad(const double *a, int n)
{
	double d[STATS_MAX];
	double m = stats_median(a, n);
	for (int i = 0; i < n; i++)
		d[i] = fabs(a[i] - m);
	return 1.4826 * stats_median(d, n);
}

double stats_sd(const double *a, int n)
{
	double mean = 0, sum = 0;
	for (int i = 0; i < n; i++)
		mean += a[i];
	mean /= n;
	for (int i = 0; i < n; i++)
		sum += (a[i] - mean) * (a[i] - mean);
	return n > 1 ? sqrt(sum / (n - 1)) : 0;
}

double stats_max(const double *a, int n)
{
	double m = n > 0 ? a[0] : 0;
	for (int i = 1; i < n; i++)
		m = fmax(m, a[i]);
	return m;
}

double stats_min(const double *a, int n)
{
	double m = n > 0 ? a[0] : 0;
	for (int i = 1; i < n; i++)
		m = fmin(m, a[i]);
	return m;
}

void stats_diff(const double *a, int n, double *out)
{
	for (int i = 0; i + 1 < n; i++)
		out[i] = a[i + 1] - a[i];
}

double stats_theil(const double *x, const double *y, int n)
{
	double s[48 * 47 / 2];
	int m = 0;
	if (n > 48) {
		x += n - 48;
		y += n - 48;
		n = 48;
	}
	for (int i = 0; i < n; i++)
		for (int k = i + 1; k < n; k++)
			s[m++] = (y[k] - y[i]) / (x[k] - x[i]);
	if (m == 0)
		return 0;
	double hi = nth(s, m, m / 2);
	return m % 2 ? hi : (hi + nth(s, m, m / 2 - 1)) / 2;
}

static double ar_inflation(const double *r, int n)
{
	double s = 0, c = 0;
	if (n < 8)
		return 1;
	for (int i = 0; i < n; i++) {
		s += r[i] * r[i];
		c += i ? r[i] * r[i - 1] : 0;
	}
	if (s <= 0)
		return 1;
	double r1 = fmin(0.85, fmax(0, c / s + 1.0 / n));
	return (1 + r1) / (1 - r1);
}

double stats_t975(int dof)
{
	double d = dof;
	if (dof < 2)
		return 12.71;
	/* Cornish and Fisher's expansion: within 1 % of the tables from 2 degrees of freedom on */
	return 1.96 + (2.372 + (2.823 + (2.556 + 1.59 / d) / d) / d) / d;
}

struct line stats_line(const double *x, const double *y, int n, double q, double *r)
{
	struct line l = {.dof = n - 2};
	double res[STATS_MAX], sxx = 0, sxy = 0;
	for (int i = 0; i < n; i++) {
		l.mean_x += x[i];
		l.mean_y += y[i];
	}
	l.mean_x /= n;
	l.mean_y /= n;
	for (int i = 0; i < n; i++) {
		sxx += (x[i] - l.mean_x) * (x[i] - l.mean_x);
		sxy += (x[i] - l.mean_x) * (y[i] - l.mean_y);
	}
	l.slope = sxx > 0 ? sxy / sxx : 0;
	for (int i = 0; i < n; i++) {
		res[i] = y[i] - l.mean_y - l.slope * (x[i] - l.mean_x);
		l.sse += res[i] * res[i];
	}
	if (r)
		memcpy(r, res, (size_t)n * sizeof(r[0]));
	double s2 = fmax(l.sse / (l.dof > 0 ? l.dof : 1), q * q / 12);
	l.se = sxx > 0 ? sqrt(s2 * ar_inflation(res, n) / sxx) : HUGE_VAL;
	return l;
}
