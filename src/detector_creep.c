/* SPDX-License-Identifier: MIT */
/* What rises and is no growth all the same: histories, log buffers, a heap that settles. Knows nothing of scales, of
 * firmness or of the other verdicts. */
#include <math.h>

#include "detector_parts.h"

/* Creep that every long-lived process shows (histories, log buffers) is 4 to 40 KiB per epoch in recorded runs; the
 * smallest leaks there were 340 kB, or 0.024 % of the level. Without epochs all that is known is the gain as
 * a whole: creep over 50 to 180 generated epochs came to 0.2 % of the level, leaks to 0.25 % and more. What a jump took
 * makes no heap creep faster: the level is that of the first window. */
double creep_most(const struct view *v)
{
	if (v->gpu)
		return 0;
	double base = fmin(v->level, v->med[v->first]);
	if (v->basis == BASIS_EPOCHS)
		return fmax(60e3, 0.00008 * base);
	double span = v->x[v->n - 1] - v->x[v->first];
	return span > 0 ? fmax(800e3, 0.0025 * base) / span : 0;
}

/* In the first epochs any heap may still creep, by 64 to 200 KiB, however large the process (plain Lightning and Keras fits),
 * and never evenly. */
static bool is_early_creep(const struct view *v, const struct trend *t)
{
	int from = v->first + t->from * t->block, n = v->n - from;
	int known = (int)(v->x[v->n - 1] - v->x[v->first]) + 1;
	if (v->gpu || t->slope >= fmin(0.0006 * v->level, 300e3) || known >= 10)
		return false;
	return n < 4 || fmax(stats_unevenness(v->lo + from, n), stats_unevenness(v->med + from, n)) > 0.15;
}

/* Watched from some later epoch on. */
static bool is_attached(const struct view *v)
{
	return v->start > 0.8 * v->level && v->base > 0;
}

/* Bytes per epoch that a heap may still take after a first epoch that took memory for itself (tracing, compiling), or may
 * have before anyone watched; 0: none. Recorded Keras fits: the first epoch took 6 to 14 % of the level, each of the next
 * at most a tenth of that, or 1 % of the level. One attached to within its first 30 epochs may be such a fit; of fewer than
 * 2 rows per epoch none can tell how even they are. */
static double heap_may_rise(const struct view *v)
{
	if (v->gpu || v->basis != BASIS_EPOCHS)
		return 0;
	if (v->first_rise >= 0.01 * v->level)
		return fmax(0.001 * v->level, fmin(0.012 * v->level, 0.12 * v->first_rise));
	if (!is_attached(v) || v->base + v->epochs >= 30 || stats_median(v->rows, v->n) < 2)
		return 0;
	return 0.012 * v->level;
}

/* Over so many blocks a heap's rises are told from a leak's. */
enum { EVEN_BLOCKS = 8 };

/* The last 5 rises of more than 8 windows: those of recorded fits differed by more, those of a leak of 2 MiB per epoch by
 * 0.1, six epochs before 8 rises were as even as a leak's. */
#define EVEN_OF_5 0.16

/* How much the rises differ, over their mean. One fall is left out: what was given back once is no part of them. Where most
 * are the same, a few jumps are not either: with 0.2 instead of 0.1 12 of 90 ordinary fits raised an alarm, not 3. */
static double rises_unevenness(const double *y, int n)
{
	double d[STATS_MAX], mean = 0;
	int least = 0, m = n - 1;
	stats_diff(y, n, d);
	double usual = stats_median(d, m), spread = stats_mad(d, m);
	if (n >= EVEN_BLOCKS && usual > 0 && spread < 0.1 * usual)
		return spread / usual;
	for (int i = 1; i < m; i++)
		least = d[i] < d[least] ? i : least;
	if (d[least] < 0)
		d[least] = d[--m];
	for (int i = 0; i < m; i++)
		mean += d[i] / m;
	return mean > 0 ? stats_sd(d, m) / mean : HUGE_VAL;
}

/* The same of floors and medians, by m blocks of `size` windows before `end`: whichever is worse, but for a process attached
 * to, where noise may be in either. */
static double blocks_unevenness(const struct view *v, int end, int m, int size)
{
	double lo[STATS_MAX], med[STATS_MAX];
	for (int i = 0; i < m; i++) {
		int from = end - (m - i) * size;
		lo[i] = stats_median(v->lo + from, size);
		med[i] = stats_median(v->med + from, size);
	}
	double a = rises_unevenness(lo, m), b = rises_unevenness(med, m);
	return m == EVEN_BLOCKS && v->first_rise == 0 ? fmin(a, b) : fmax(a, b);
}

/* Has it risen evenly, at some scale, over m blocks that end no longer ago than ten windows? */
static bool rose_evenly(const struct view *v, int tail, int m, double most)
{
	if (m == EVEN_BLOCKS && blocks_unevenness(v, v->n, 6, 1) < EVEN_OF_5)
		return true;
	for (int size = 2; m * size <= tail; size *= 2)
		if (blocks_unevenness(v, v->n, m, size) < most)
			return true;
	for (int back = 0; back <= 10 && m + back <= tail; back++)
		if (blocks_unevenness(v, v->n - back, m, 1) < most)
			return true;
	return false;
}

/* Rising faster than a heap mostly does, but by amounts that no leak has: after a first epoch that took 6 to 25 % of the
 * level two recorded convolution fits rose by 1.5 to 3.7 % of it per epoch, by amounts that differed by 0.67 to 0.95 of their
 * mean, and a dense one by 0.9 %, 0.35 to 0.41. */
static bool is_restless_heap(const struct view *v, const struct trend *t, int tail, int m)
{
	if (v->gpu || v->basis != BASIS_EPOCHS || v->first_rise < 0.05 * v->level ||
	    t->slope >= fmin(0.05 * v->level, 0.2 * v->first_rise))
		return false;
	return m < 6 || !rose_evenly(v, tail, m, m < EVEN_BLOCKS ? 0.2 : 0.33);
}

/* The last of a heap's creep, up to 0.06 % of the level, may go on for 60 epochs, by amounts that differ by more than their
 * mean at every scale; attached to, where nobody has seen it slow down, a recorded one's by more than 0.4. */
static bool is_late_creep(const struct view *v, const struct trend *t, int tail, int m)
{
	if (v->gpu || v->basis != BASIS_EPOCHS || t->slope >= fmin(0.0006 * v->level, 300e3))
		return false;
	return m >= 6 && v->base + v->epochs < 60 && stats_median(v->rows, v->n) >= 2 &&
	       !rose_evenly(v, tail, m, is_attached(v) ? 0.4 : 1);
}

/* The second half rises like the first. Recorded heaps that rose by more than 0.1 % of their level per epoch had stopped after
 * 13 to 16 epochs; a copy of the weights kept per epoch, in amounts as odd as theirs, went on. */
static bool goes_on_alike(const struct view *v, const struct trend *t, int tail)
{
	int from = v->n - tail;
	const double *x = v->x + from;
	return tail >= 16 && t->last >= 0.75 && trend_half_ratio(x, v->lo + from, tail, v->quantum) >= 0.75 &&
	       trend_half_ratio(x, v->med + from, tail, v->quantum) >= 0.75;
}

/* A first epoch that took memory for itself leaves a heap that goes on rising for 13 to 100 epochs, ever slower and by odd
 * amounts. Over any 8 epochs those of 53 recorded Keras fits (dense, convolution, LSTM, with and without validation)
 * differed by 0.29 of their mean and more, those of recorded leaks in such runs by 0.05 to 0.25; over 5 of them one fit's
 * by 0.14. Past the 30th epoch little is left of it: leaks of 300 KiB with a dip had 0.36. Attached to, what rises clearly
 * for long is no heap. */
static bool is_settling_heap(const struct view *v, const struct trend *t)
{
	int tail = v->n - v->first - t->from * t->block, m = tail < EVEN_BLOCKS ? tail : EVEN_BLOCKS;
	if (t->large_stairs)
		return false;
	if (t->slope >= heap_may_rise(v))
		return is_restless_heap(v, t, tail, m) || is_late_creep(v, t, tail, m);
	if (m < 6)
		return true;
	if (v->base + v->epochs < 12 && t->slope < fmax(0.0006 * v->level, 300e3))
		return true; /* the smallest can be even so early */
	bool slow = t->slope < 0.001 * v->level;
	if (v->first_rise == 0)
		return !(tail >= 12 && t->z >= 20 && t->last >= 0.7) &&
		       !rose_evenly(v, tail, m, slow ? 0.27 : 0.3);
	if (!slow && v->epochs >= 20 && goes_on_alike(v, t, tail))
		return false;
	return !rose_evenly(v, tail, m, m < EVEN_BLOCKS ? 0.1 : v->epochs >= 30 ? 0.4 : 0.27);
}

/* What noise alone makes of the increments between medians of `size` windows, over their mean. By second differences of
 * neighbours: lumps with rests between them count for nothing there. */
static double noise_unevenness(const double *y, int n, int size)
{
	double d[STATS_MAX];
	stats_diff(y, n, d);
	double mean = (y[n - 1] - y[0]) / (n - 1) * size;
	stats_diff(d, n - 1, d);
	double sd = stats_mad(d, n - 2) / sqrt(6), median_factor = size > 2 ? 1.25 : 1;
	return mean > 0 ? sqrt(2) * median_factor * sd / sqrt(size) / mean : 0;
}

/* Without epochs, how uneven the rise is from one eighth of it to the next: recorded leaks that gained less than 4 % of
 * the level had 0.14 to 0.37, the creep of a program that has just come up 0.48 to 1.1. The creep of one attached to
 * was 0.4 % in all. Of few windows none may stand for the whole: generated rises that were over had 1.3 and more,
 * leaks at most 0.7. */
static bool is_uneven_gain(const struct view *v, const struct trend *t)
{
	int all = v->n - v->first, from = t->from * t->block, n = all - from, size = n / 8 > 1 ? n / 8 : 1;
	double y[STATS_MAX], block[STATS_MAX], gain = t->slope * (v->x[v->n - 1] - v->x[v->first + from]);
	struct step steps[STEPS_MAX];
	if (v->basis == BASIS_EPOCHS || v->gpu || n < 4)
		return false;
	if (n >= 12 && t->z >= 25 && t->last >= 0.7)
		return false; /* recorded creep had at most 18 errors */
	steps_smooth((t->floor ? v->lo : v->med) + v->first, all, y);
	if (n >= 12 || t->z >= 30)
		steps_peel(y, all, 0.1, steps);
	for (int i = 0; i < n / size; i++)
		block[i] = stats_median(y + all - (n / size - i) * size, size);
	double uneven = stats_unevenness(block, n / size), noise = noise_unevenness(y + all - n, n, size);
	uneven =
	    fmin(uneven * sqrt(stats_kept(block, n / size)), sqrt(fmax(0, uneven * uneven - noise * noise)));
	double small = v->launch > 0 ? 0.04 : 0.01;
	return (gain < small * v->level && uneven > 0.43) || (n < 12 && uneven > 1);
}

bool creep_is(const struct view *v, const struct trend *t)
{
	return t->slope < creep_most(v) || is_early_creep(v, t) || is_settling_heap(v, t) ||
	       is_uneven_gain(v, t);
}
