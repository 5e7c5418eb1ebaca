/* SPDX-License-Identifier: MIT */
/* The heap of a training that has not run for long: it rises for 13 epochs and more, by odd amounts, and
 * settles. How it is told from a leak. Knows nothing of scales or of the other verdicts. */
#include <math.h>

#include "detect/parts.h"

/* Watched from some later epoch on. */
static bool is_attached(const struct view *v)
{
	return v->start > 0.8 * v->level && v->base > 0;
}

/* Epochs that the heap has seen: a training that was seen coming up has a new one, whatever number it resumes
 * at. One attached to may be silent for a while before its first sign of an epoch. */
static int64_t heap_age(const struct view *v)
{
	return v->setup_seen && !is_attached(v) ? v->epochs : v->base + v->epochs;
}

/* Epochs after which a heap that still rises clearly is none: most recorded ones had stopped after 13 to 16. One
 * that rises by little may take longer: of 32 ordinary convolution fits on a busy machine three were growth at
 * their 20th to 26th epoch, and the one that was watched for longer had settled after 27. */
enum { HEAP_EPOCHS = 20, SMALL_HEAP_EPOCHS = 30 };

/* Set-up was seen, and the first epoch took memory for itself (tracing, compiling). */
static bool first_epoch_took(const struct view *v)
{
	return v->first_rise >= 0.01 * v->level;
}

/* Bytes per epoch that a heap may still take after such a first epoch, or after one that nobody watched;
 * 0: none. Recorded Keras fits: the first epoch took 6 to 14 % of the level, each of the next at most a
 * tenth of that, or 1 % of the level; 0.08 of what the first one kept spares them all, and with 0.12 five
 * leaks in such programs were told two to four epochs later. One attached to within its
 * first 30 epochs may be such a fit; of fewer than 2 rows per epoch none can tell how even they are. */
static double heap_may_rise(const struct view *v)
{
	if (v->gpu || v->basis != BASIS_EPOCHS)
		return 0;
	if (first_epoch_took(v))
		return fmax(0.001 * v->level, fmin(0.012 * v->level, 0.08 * v->first_rise));
	if (!is_attached(v) || heap_age(v) >= 30 || stats_median(v->rows, v->n) < 2)
		return 0;
	return 0.012 * v->level;
}

static int tail_windows(const struct view *v, const struct trend *t)
{
	return v->n - view_tail(v, t);
}

/* Over so many blocks a heap's rises are told from a leak's. */
enum { EVEN_BLOCKS = 8 };

/* The last 5 rises of more than 8 windows: those of recorded fits differed by more, those of a leak of 2 MiB
 * per epoch by 0.1, six epochs before 8 rises were as even as a leak's. */
#define EVEN_OF_5 0.16

/* How much the rises differ, over their mean. One fall is left out: what was given back once is no part of
 * them. Where most are the same, a few jumps are not either: with 0.2 instead of 0.1 12 of 90 ordinary fits
 * raised an alarm, not 3. */
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

/* The same of floors and medians, by m blocks of `size` windows before `end`: whichever is worse, but for a
 * process attached to, where noise may be in either. */
static double blocks_unevenness(const struct view *v, int end, int m, int size)
{
	double lo[STATS_MAX], med[STATS_MAX];
	for (int i = 0; i < m; i++) {
		int from = end - (m - i) * size;
		lo[i] = stats_median(v->lo + from, size);
		med[i] = stats_median(v->med + from, size);
	}
	double a = rises_unevenness(lo, m), b = rises_unevenness(med, m);
	return m == EVEN_BLOCKS && !first_epoch_took(v) ? fmin(a, b) : fmax(a, b);
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

/* Most of 5 to 7 rises are the same, within 5 %: 50 MiB kept per epoch, of which one came an epoch late. Of
 * heaps one had 4 of 7 by chance, and no other more than 3. */
static bool is_mostly_same(const double *y, int m)
{
	double d[EVEN_BLOCKS];
	int same = 0;
	if (m < 6)
		return false;
	stats_diff(y, m, d);
	double usual = stats_median(d, m - 1);
	for (int i = 0; i < m - 1; i++)
		same += fabs(d[i] - usual) <= 0.05 * usual;
	return usual > 0 && same >= (m < EVEN_BLOCKS ? 4 : 5);
}

/* Were they, in floors or medians, no longer ago than ten windows? */
static bool was_mostly_same(const struct view *v, int tail, int m)
{
	for (int back = 0; back <= 10 && m + back <= tail; back++) {
		int from = v->n - back - m;
		if (is_mostly_same(v->lo + from, m) || is_mostly_same(v->med + from, m))
			return true;
	}
	return false;
}

/* Of 28 recorded fits whose heap rose by 0.4 to 10 % of the level per epoch, whichever of floors and medians
 * was more even had 0.04 of its mean and more over 3 rises, 0.12 over 4, 0.16 over 5, 0.2 over 7; the worse
 * one 0.19, 0.21, 0.23, 0.35. Of 12 leaks in such programs most had less. */
static bool is_odd(const struct view *v, int tail, int m)
{
	static const double better[] = {[4] = 0.035, 0.1, 0.14, 0.14, 0.17},
			    worse[] = {[4] = 0.17, 0.17, 0.2, 0.2, 0.33};
	const double *lo = v->lo + v->n - m, *med = v->med + v->n - m;
	if (m < 4)
		return true;
	if (was_mostly_same(v, tail, m))
		return false;
	return fmin(rises_unevenness(lo, m), rises_unevenness(med, m)) >= better[m] &&
	       !rose_evenly(v, tail, m, worse[m]);
}

/* Rising faster than a heap mostly does, but by amounts that no leak has: after a first epoch that took 6 to
 * 25 % of the level two recorded convolution fits rose by 1.5 to 3.7 % of it per epoch, by amounts that
 * differed by 0.67 to 0.95 of their mean, and a dense one by 0.9 %, 0.35 to 0.41. */
static bool is_restless_heap(const struct view *v, const struct trend *t, int tail, int m)
{
	if (v->gpu || v->basis != BASIS_EPOCHS || v->first_rise < 0.05 * v->level ||
	    t->slope >= fmin(0.05 * v->level, 0.2 * v->first_rise))
		return false;
	return is_odd(v, tail, m);
}

/* What an epoch takes and gives back, bytes: the width of a window, but for what the epochs joined in it rose
 * by. */
static double swing_usual(const struct view *v, double slope)
{
	double swing[STATS_MAX], per = v->n > 1 ? (v->x[v->n - 1] - v->x[0]) / (v->n - 1) : 1;
	for (int i = 0; i < v->n; i++)
		swing[i] = v->hi[i] - v->lo[i];
	return stats_median(swing, v->n) - slope * fmax(0, per - 1);
}

/* The last third and the second halves of floors and medians rise at `least` of the pace of all and of the
 * first halves. */
static bool goes_on_by(const struct view *v, const struct trend *t, int tail, double least)
{
	int from = v->n - tail;
	const double *x = v->x + from;
	return t->last >= least && trend_half_ratio(x, v->lo + from, tail, v->quantum) >= least &&
	       trend_half_ratio(x, v->med + from, tail, v->quantum) >= least;
}

/* A first epoch that took nothing for itself, and since then a clear and straight rise of less than 1 % of
 * the level per epoch: none of 208 recorded steady runs raises an alarm for it, and two of 116 leaks are
 * told five and three epochs sooner (copies of the weights kept: 0.6 %). */
static bool began_straight(const struct view *v, const struct trend *t, int tail)
{
	return v->setup_seen && v->base == 0 && !first_epoch_took(v) && t->slope < 0.01 * v->level &&
	       tail >= 8 && t->z >= 15 && goes_on_by(v, t, tail, 0.8);
}

/* Large batches come and go, and leave holes: Keras fits in batches of 4 to 16 MB rose by 10 to 40 MiB per
 * epoch, oddly, for 8 to 13 epochs, and took and gave back 1.5 times as much and more within each. Recorded
 * leaks that rose as oddly took at most 1.4 times what they kept. */
static bool is_churning_heap(const struct view *v, const struct trend *t, int tail, int m)
{
	return !v->gpu && v->basis == BASIS_EPOCHS && v->setup_seen && heap_age(v) < 16 &&
	       swing_usual(v, t->slope) >= 1.5 * t->slope && !began_straight(v, t, tail) &&
	       is_odd(v, tail, m);
}

/* The last of a heap's creep, up to 0.06 % of the level, may go on for 60 epochs, by amounts that differ by
 * more than their mean at every scale; attached to, where nobody has seen it slow down, a recorded one's by
 * more than 0.4. */
static bool is_late_creep(const struct view *v, const struct trend *t, int tail, int m)
{
	if (v->gpu || v->basis != BASIS_EPOCHS || t->slope >= fmin(0.0006 * v->level, 300e3))
		return false;
	return m >= 6 && heap_age(v) < 60 && stats_median(v->rows, v->n) >= 2 &&
	       !rose_evenly(v, tail, m, is_attached(v) ? 0.4 : 1);
}

/* The second half rises like the first. Recorded heaps that rose by more than 0.1 % of their level per epoch
 * had stopped after 13 to 16 epochs; a copy of the weights kept per epoch, in amounts as odd as theirs, went
 * on. */
static bool goes_on_alike(const struct view *v, const struct trend *t, int tail)
{
	return tail >= 16 && goes_on_by(v, t, tail, 0.75);
}

/* Rises clearly, by 0.3 % of the level per epoch and more, at an age at which recorded heaps had long
 * stopped; a bend is allowed for. Predictions kept at every second epoch in a Keras fit (0.7 %, bent to
 * 0.67), and objects kept beside cycles that are collected (0.5 %), were called settled to their ends. */
static bool outlasts_heaps(const struct view *v, const struct trend *t, int tail)
{
	return heap_age(v) >= HEAP_EPOCHS && tail >= (v->base > 0 ? 12 : 16) &&
	       t->slope >= 0.003 * v->level && t->z >= 10 && goes_on_by(v, t, tail, 0.6);
}

/* Nearly half of what is held came in a straight rise of ten epochs and more: models made in a loop and
 * kept, 300 to 780 MiB in 13 epochs, by amounts as odd as a heap's. Recorded heaps that settled gained 41 %
 * at the most. Of a line of 15 errors one odd epoch may bend the halves: 117 MiB at once, and 60 given back.
 * With 10 errors a fit in large batches (keras_batches_8m) was growth for a moment. */
static bool outgrows_heaps(const struct view *v, const struct trend *t, int tail)
{
	double gain = t->slope * (v->x[v->n - 1] - v->x[v->n - tail]);
	return tail >= 10 && gain >= 0.45 * v->level && t->z >= 10 &&
	       goes_on_by(v, t, tail, t->z >= 15 ? 0.5 : 0.7);
}

/* A first epoch that took memory for itself leaves a heap that goes on rising for 13 to 100 epochs, ever
 * slower and by odd amounts. Over any 8 epochs those of 53 recorded Keras fits (dense, convolution, LSTM,
 * with and without validation) differed by 0.29 of their mean and more, those of recorded leaks in such runs
 * by 0.05 to 0.25; over 5 of them one fit's by 0.14. Past the 30th epoch little is left of it: leaks of 300
 * KiB with a dip had 0.36. Attached to, what rises clearly for long is no heap. */
bool heap_settles(const struct view *v, const struct trend *t)
{
	int tail = tail_windows(v, t), m = tail < EVEN_BLOCKS ? tail : EVEN_BLOCKS;
	if (t->clear_stairs || outlasts_heaps(v, t, tail) || outgrows_heaps(v, t, tail))
		return false;
	if (t->slope >= heap_may_rise(v))
		return is_churning_heap(v, t, tail, m) || is_restless_heap(v, t, tail, m) ||
		       is_late_creep(v, t, tail, m);
	if (m < 6)
		return true;
	if (heap_age(v) < 12 && t->slope < fmax(0.0006 * v->level, 300e3))
		return true; /* the smallest can be even so early */
	bool slow = t->slope < 0.001 * v->level;
	/* what came before rose faster: 4 of 18 recorded convolution fits went on so for 10 epochs, by 0.05 to
	 * 0.1 % of the level */
	if (!first_epoch_took(v) && t->after_steeper && t->slope < 0.002 * v->level)
		return !rose_evenly(v, tail, m, 0.1);
	if (!first_epoch_took(v))
		return !(tail >= 12 && t->z >= 20 && t->last >= 0.7) &&
		       !rose_evenly(v, tail, m, slow ? 0.27 : 0.3);
	if (!slow && heap_age(v) >= SMALL_HEAP_EPOCHS && t->z >= 10 && goes_on_alike(v, t, tail))
		return false;
	return !rose_evenly(v, tail, m, m < EVEN_BLOCKS ? 0.1 : heap_age(v) >= 30 ? 0.4 : 0.27);
}

/* Convolutions and LSTMs in large batches rose by up to 10 % of the level per epoch, 0.2 to 0.8 of what the
 * first one took, for 12 to 18 epochs; dense nets whose batches come and go, twice what they keep and more,
 * for up to 30. Oddly, all of them. Of one that no row was seen of before its epochs it is not known what the
 * first one took. */
bool heap_may_settle(const struct view *v, const struct trend *t)
{
	int tail = tail_windows(v, t), m = tail < EVEN_BLOCKS ? tail : EVEN_BLOCKS;
	bool attached = !v->setup_seen && v->base > 0;
	if (v->gpu || v->basis != BASIS_EPOCHS || !(v->setup_seen || attached) || t->teeth)
		return false;
	bool after_first = (attached || v->first_rise >= 0.05 * v->level) && heap_age(v) < HEAP_EPOCHS &&
			   t->slope < 0.15 * v->level;
	bool churns = heap_age(v) < 30 && swing_usual(v, t->slope) > 2 * t->slope;
	if ((!after_first && !churns) || began_straight(v, t, tail) || outgrows_heaps(v, t, tail))
		return false;
	return !(heap_age(v) >= 16 && goes_on_alike(v, t, tail)) && is_odd(v, tail, m);
}
