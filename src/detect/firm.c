/* SPDX-License-Identifier: MIT */
/* How sure a growth is: a rise that is regular can be told after few epochs, one that has stopped or comes in
 * odd lumps must wait. Knows nothing of the other verdicts. */
#include <math.h>
#include <string.h>

#include "detect/parts.h"

/* Mean increment over its standard error, at the block size where it is largest: lumps that come at odd
 * times stay small at every size, noise around a line averages out at the larger ones. With 3.2 (4 for
 * blocks, which are tried several times) 1 to 2 % of steady generated series raised an alarm at some moment,
 * and none of the recorded runs that rise in lumps (a curriculum, layers added twice, the creep of an
 * ordinary fit()). */
static bool increments_regular(const double *y, int n, double strict)
{
	for (int b = 1; n / b >= 5; b *= 2) {
		int k = n / b, off = n - k * b;
		double d[STATS_MAX], mean = 0, var = 0;
		for (int i = 0; i < k; i++)
			d[i] = stats_median(y + off + i * b, b);
		double kept = stats_kept(d, k);
		stats_diff(d, k, d);
		for (int i = 0; i < k - 1; i++)
			mean += d[i] / (k - 1);
		for (int i = 0; i < k - 1; i++)
			var += (d[i] - mean) * (d[i] - mean) / (k - 2);
		var *= kept;
		if (mean > 0 && mean * sqrt(k - 1) >=
				    strict * (b > 1 ? 4.0 + 8.0 / (k - 1) : 3.2 + 6.0 / (k - 1)) * sqrt(var))
			return true;
	}
	return false;
}

/* No new high for twice as long as it ever took before: segments of a fragmented GPU cache come at up to
 * twice their mean distance, a buffer that is full never grows again. */
static bool stalled(const double *x, const double *y, int n, double slope)
{
	return trend_stall(x, y, n, slope, 2, 0.5);
}

/* A ramp that filled each window from end to end; in the last one neither the top nor the width went on:
 * full. Recorded replay buffers: windows 11.6 MiB wide, the last one 0.35, before the floor shows
 * anything. */
static bool ramp_over(const struct view *v, int from, double slope)
{
	double w[STATS_MAX];
	int n = v->n - from, last = v->n - 1;
	if (v->gpu || v->rows[last] < 0.5 * stats_median(v->rows + from, n - 1))
		return false; /* a GPU's comes in segments, never as a ramp; of part of a window the width tells nothing */
	for (int i = 0; i < n; i++)
		w[i] = v->hi[from + i] - v->lo[from + i];
	double usual = stats_median(w, n - 1), per = slope * (v->x[last] - v->x[from]) / (n - 1);
	/* of whole arenas some windows hold two, some none */
	bool ramp = stats_quantile(w, n - 1, 0.2) > 0.5 * usual;
	return ramp && usual > 0.6 * per && usual < 1.5 * per && w[n - 1] < 0.4 * usual &&
	       v->hi[last] - v->hi[last - 1] < 0.3 * per;
}

/* The last windows of y against the rise per window. Quiet: three of them, and the last one by 0.6, since a
 * ramp that stopped dead with the window before still lifts the next median by half (recorded: 11.7 MiB per
 * epoch until a replay buffer was full, then 6.3, then none). Noisy: more of them, by their medians, and as
 * little as a last third may. */
static bool end_rises(const double *y, int n, double per)
{
	double d[STATS_MAX];
	stats_diff(y, n, d);
	int more = (int)fmin(n / 3.0, stats_mad(d, n - 1) / per), m = 3 + more, k = m / 2 + 1;
	if (more == 0)
		return y[n - 1] - y[n - 4] >= 0.5 * per * 3 && d[n - 2] >= 0.6 * per;
	m = k + m > n ? n - k : m;
	return stats_median(y + n - k, k) - stats_median(y + n - k - m, k) >= 0.3 * per * m;
}

bool firm_goes_on(const struct view *v, const struct trend *t)
{
	int from = view_tail(v, t), n = v->n - from;
	if (n < 5 || t->slope <= 0)
		return false;
	/* a collector gave it back (py_cycles_big): what rises now is the next tooth */
	if (v->lo[v->n - 1] - v->lo[from] < 0.5 * (stats_max(v->lo + from, n) - v->lo[from]))
		return false;
	if (v->gpu)
		return !stalled(v->x + from, v->lo + from, n, t->slope);
	double per = t->slope * (v->x[v->n - 1] - v->x[from]) / (n - 1);
	return end_rises(v->lo + from, n, per) && end_rises(v->med + from, n, per);
}

/* How little the second half may rise against the first. A logarithm that began with training gives at most
 * 0.55 over 8 windows, 0.45 over 14 and 0.39 over 20; recorded leaks under a warm-up 0.6 to 0.75. */
static double half_ratio_least(int n)
{
	return n < 10 ? 0.7 : n < 20 ? 0.6 : 0.55;
}

/* A rise as gradual as the one from window k on was given back before, and its top is hardly reached again: so
 * far it is the collector's next tooth. Cycles that were collected at every eighth epoch were firm growth in
 * their second tooth. What was held and then released is no tooth, and a leak may follow it. */
static bool is_next_tooth(const double *y, int n, int k)
{
	int top = 0, low = 0;
	double most = 0;
	for (int i = 1; i <= k; i++)
		top = y[i] > y[top] ? i : top;
	for (int i = 1; i < top; i++)
		low = y[i] < y[low] ? i : low;
	for (int i = low; i < top; i++)
		most = fmax(most, y[i + 1] - y[i]);
	double fall = y[top] - y[k], climbed = y[top] - y[low];
	int held = 0;
	for (int i = low; i <= k; i++)
		held += y[i] > y[top] - 0.1 * climbed;
	return held <= 2 && y[n - 1] < y[top] + 0.25 * climbed && fall > 0.5 * (y[n - 1] - y[k]) &&
	       climbed > 0.5 * fall && most < 0.5 * climbed;
}

bool firm_holds(const struct view *v, const struct trend *t)
{
	int n = v->n - v->first, from = view_tail(v, t) - v->first;
	double y[STATS_MAX];
	struct step steps[STEPS_MAX];
	steps_smooth((t->floor ? v->lo : v->med) + v->first, n, y);
	int peeled = steps_peel(y, n, 0.1, steps);
	const double *x = v->x + v->first + from;
	n -= from;
	for (int i = 0; i < peeled; i++)
		if (steps[i].at > from && fabs(steps[i].size) < 6 * t->slope * (x[n - 1] - x[0]) / (n - 1))
			return false; /* lumps of the rise itself, no jumps */
	if (v->basis == BASIS_EPOCHS && !v->gpu &&
	    is_next_tooth((t->floor ? v->lo : v->med) + v->first, from + n, from))
		return false;
	if (n < 4 || stalled(x, y + from, n, t->slope) || ramp_over(v, v->first + from, t->slope))
		return false;
	/* a line beside a settling curve, beyond doubt: a logarithm's last third is 0.58 of the one before */
	bool beside = t->beside || (t->line_z >= 6 && t->line_share >= 0.4 && t->kappa >= 0.75 && n >= 16);
	int late = n / 3;
	if (trend_half_ratio(x, y + from, n, v->quantum) < half_ratio_least(n) && !beside &&
	    !trend_straight(x + late, y + from + late, n - late, v->quantum))
		return false;
	/* 8 epochs of it, and a slope of 7 errors: of 1,085 generated leaks 13 are told sooner, of 3,291
	 * steady series 4 more raise an alarm, of the recorded ones none */
	if (v->basis == BASIS_EPOCHS && n >= 8 && t->z >= 7 && !t->after_steeper)
		return true;
	/* after a warm-up thrice: the creep that an ordinary fit() keeps for 30 epochs reaches 2.9 */
	return increments_regular(y + from, n, t->after_steeper ? 3 : 1);
}

/* A heap creeps by up to 0.1 % of its level in each of the first epochs, by amounts that differ: so little
 * growth must be even to be told early. */
static bool creeps(const struct view *v, int from, int n, double slope)
{
	return !v->gpu && slope < 0.001 * v->level && stats_unevenness(v->lo + from, n) > 0.9;
}

/* The later half rises much less than the first. */
static bool run_slows_down(const double *x, const double *y, int n)
{
	int half = n > 4 ? n / 2 : 1, end = n - 1;
	double a = (y[half] - y[0]) / (x[half] - x[0]),
	       b = (y[end] - y[end - half]) / (x[end] - x[end - half]);
	return b < 0.7 * a;
}

/* Few windows, but each rose like the others. */
static bool regular_run(const double *x, const double *y, int n, const struct view *v, struct line *l)
{
	/* by number of windows; found on generated seeds 1 to 4 as what alarms on less than 2 % of steady
	 * series */
	static const double z_need[] = {[4] = 9, [5] = 7.5, [6] = 7, [7] = 6, [8] = 5.5};
	static const double share_need[] = {
	    [4] = 0.0012, [5] = 0.0012, [6] = 0.0009, [7] = 0.0007, [8] = 0.0006};
	int k = n < 8 ? n : 8;
	for (int i = 1; i < n; i++)
		if (y[i] <= y[i - 1])
			return false; /* most runs end here, before the dearer tests */
	if (run_slows_down(x, y, n))
		return false;
	*l = stats_line(x, y, n, 4096, NULL);
	/* neither creep nor drift comes to 2 % of the level within a few epochs: two thirds of the certainty
	 * raised no more alarms on 2,500 steady generated series, with 1 % of the level it did */
	double gain = l->slope * (x[n - 1] - x[0]), large = gain > 0.02 * v->level ? 0.65 : 1;
	if (l->slope <= 0 || l->slope < large * z_need[k] * l->se)
		return false;
	double calm = fmin(1, 12 * l->se / l->slope);
	if (gain < GAIN_LEAST || (!v->gpu && gain < share_need[k] * calm * calm * v->level))
		return false;
	for (int i = 1; i < n; i++)
		if (y[i] - y[i - 1] < 0.3 * l->slope * (x[i] - x[i - 1]))
			return false;
	return true;
}

/* Windows k to j of the n that y has; l is the line through them. */
struct run {
	const double *x, *y;
	int n, k, j;
	struct line l;
};

/* What came before a run that does not begin with the first window: level, but for jumps. A warm-up comes
 * down to the run's slope bit by bit, a jump at once. */
static bool run_stands_out(const struct run *r)
{
	int odd = 0, jumps = 0, k = r->k;
	for (int i = k - 1; i >= 0 && odd <= k / 8 && jumps <= 1 + k / 8; i--) {
		double rise = fabs(r->y[i + 1] - r->y[i]) / ((r->x[i + 1] - r->x[i]) * r->l.slope);
		bool onset = i == k - 1 && r->y[i + 1] > r->y[i]; /* it may lie within a window */
		odd += rise > (onset ? 1.2 : 0.6) && rise < 8;
		jumps += rise >= 8;
	}
	return odd <= k / 8 && jumps <= 1 + k / 8;
}

/* Seven rises and more, up to now, that are all the same: no heap rises so, whatever came before. A warm-up
 * without noise is as smooth, but falls behind; the next tooth of a collector has been there before. */
static bool run_is_exact(const struct run *r)
{
	double d[STATS_MAX];
	int m = r->j - r->k;
	const double *x = r->x + r->k, *y = r->y + r->k;
	if (m < 7 || stats_max(r->y, r->k + 1) > y[0] + 0.3 * (y[m] - y[0]))
		return false;
	stats_diff(y, m + 1, d);
	return stats_max(d, m) - stats_min(d, m) < 0.12 * stats_median(d, m) &&
	       trend_straight(x, y, m + 1, 4096);
}

/* What came before was an even ramp that ended within one window: a buffer is full, and the run goes on beside
 * it. Curves come down bit by bit. Recorded: 17 MiB per epoch until a cache was full, 2 MiB kept per epoch all
 * along. */
static bool run_follows_ramp(const struct run *r)
{
	enum { RAMP = 4 };
	double d[RAMP];
	if (r->k < RAMP + 1)
		return false;
	for (int i = 0; i < RAMP; i++) {
		int at = r->k - 2 - i;
		d[i] = (r->y[at + 1] - r->y[at]) / (r->x[at + 1] - r->x[at]);
	}
	return stats_min(d, RAMP) > 4 * r->l.slope && stats_max(d, RAMP) < 1.3 * stats_min(d, RAMP);
}

/* Floors and medians must both rise, as far as the other one can tell. */
static bool other_agrees(const struct view *v, bool floor, int from, const struct line *l)
{
	const double *y = floor ? v->med : v->lo;
	struct line o = stats_line(v->x + from, y + from, v->n - from, 4096, NULL);
	return o.slope + (floor ? 2 * o.se : 0) > 0.5 * l->slope;
}

/* What came since the run ended is a jump, which may lie in two windows, and little else: 90 MiB taken at once
 * kept a creep of 0.1 MiB per epoch alive that had long ended (one row per epoch). */
static bool jump_alone_goes_on(const struct run *r)
{
	double d[STATS_MAX], gain = r->y[r->n - 1] - r->y[r->j];
	int since = r->n - 1 - r->j, at = 0;
	if (since < 4)
		return false;
	stats_diff(r->y + r->j, since + 1, d);
	for (int i = 1; i < since; i++)
		at = d[i] > d[at] ? i : at;
	double beside = fmax(at > 0 ? d[at - 1] : 0, at + 1 < since ? d[at + 1] : 0);
	return d[at] > 8 * r->l.slope &&
	       gain - d[at] - fmax(0, beside) < 0.3 * r->l.slope * (r->x[r->n - 1] - r->x[r->j]);
}

/* Since the run ended: has it gone on much as before? A GPU's memory comes in segments, so that a window or two
 * may pass without one. */
static bool run_goes_on(const struct run *r, bool gpu)
{
	const double *x = r->x, *y = r->y;
	int n = r->n, k = r->k, j = r->j, mid = (k + n) / 2;
	double d[STATS_MAX], per = r->l.slope * (x[n - 1] - x[k]) / (n - 1 - k);
	if (j == n - 1)
		return true;
	double since = (y[n - 1] - y[j]) / (x[n - 1] - x[j]);
	double first = (y[mid] - y[k]) / (x[mid] - x[k]), second = (y[n - 1] - y[mid]) / (x[n - 1] - x[mid]);
	if (gpu)
		return y[n - 1] > y[n - 3] && second > 0.5 * first;
	stats_diff(y + k, j - k + 1, d);
	if (y[n - 1] - y[n - 2] < fmin(0.4 * per, per - 2.2 * stats_sd(d, j - k)))
		return false;
	return since > 0.6 * r->l.slope && second > 0.7 * first && !jump_alone_goes_on(r) &&
	       !stalled(x + k, y + k, n - k, r->l.slope);
}

static bool run_holds(const struct view *v, bool floor, struct run *r)
{
	int from = v->first + r->k, m = r->j - r->k + 1;
	return r->l.slope >= creep_most(v) && !creeps(v, from, m, r->l.slope) && run_goes_on(r, v->gpu) &&
	       other_agrees(v, floor, from, &r->l) && !ramp_over(v, from, r->l.slope) &&
	       !(v->basis == BASIS_EPOCHS && !v->gpu && is_next_tooth(r->y, r->n, r->k));
}

static struct trend run_trend(const struct view *v, bool floor, const struct run *r)
{
	struct line l = stats_line(r->x + r->k, r->y + r->k, r->n - r->k, v->quantum, NULL);
	return (struct trend){.growth = true,
			      .slope = l.slope,
			      .se = l.se,
			      .z = l.slope / l.se,
			      .dof = l.dof,
			      .begin = v->first + r->k,
			      .floor = floor,
			      .block = 1,
			      .last = 1};
}

/* A run that ended at window `oldest` or later, counted from the first that takes part. */
static bool find_run(const struct view *v, bool floor, int oldest, bool (*told_apart)(const struct run *),
		     struct trend *t)
{
	int shortest = v->basis == BASIS_EPOCHS ? 3 : 5;
	struct run r = {.x = v->x + v->first, .y = (floor ? v->lo : v->med) + v->first, .n = v->n - v->first};
	for (r.j = r.n - 1; r.j >= oldest; r.j--) {
		for (r.k = r.j > 11 ? r.j - 11 : 0; r.k <= r.j - shortest; r.k++) {
			if (!regular_run(r.x + r.k, r.y + r.k, r.j - r.k + 1, v, &r.l) || !told_apart(&r) ||
			    !run_holds(v, floor, &r))
				continue;
			*t = run_trend(v, floor, &r);
			if (!creep_is(v, t))
				return true;
		}
	}
	return false;
}

bool firm_early(const struct view *v, bool floor, struct trend *t)
{
	int n = v->n - v->first;
	if (v->basis == BASIS_EPOCHS)
		return find_run(v, floor, 3, run_stands_out, t);
	/* without epochs: short runs only, which the slower test cannot tell yet */
	return n >= 6 && n <= 16 && find_run(v, floor, n - 1, run_stands_out, t);
}

bool firm_beside(const struct view *v, struct trend *t)
{
	int n = v->n - v->first;
	if (v->basis != BASIS_EPOCHS)
		return false;
	for (int floor = 1; floor >= 0; floor--)
		if (find_run(v, floor, n - 1, run_is_exact, t) ||
		    find_run(v, floor, n > 9 ? n - 6 : 3, run_follows_ramp, t))
			return true;
	return false;
}

/* The largest increment of the last third: what a step of the stairs is, if there are any. */
static double stair_size(const double *d, int n)
{
	return stats_max(d + n - n / 3, n / 3);
}

/* Steps of half to 2.2 times the size, from the end backwards while nothing else moves by a fifth of it; the
 * first ones may be larger (predictions kept every 5th epoch: 73, 36, 19, 18, 17 MiB). Their windows go to
 * at. */
static int stairs_find(const double *d, int n, double size, bool large, int *at)
{
	int m = 0;
	for (int i = n - 1; i >= 0 && d[i] <= 2.2 * size; i--) {
		/* the first part of a step may fall into the window before */
		bool split = large && m > 0 && at[m - 1] == i + 2 && d[i] > 0;
		if (d[i] > 0.5 * size)
			at[m++] = i + 1;
		else if (fabs(d[i]) > 0.2 * size && !split)
			break;
	}
	return m;
}

/* How many of the last steps come at like distances; the first ones come when they like. */
static int like_gaps(const double *x, const int *at, int m, double *most)
{
	double least = HUGE_VAL;
	int n = 1;
	*most = 0;
	for (; n < m; n++) {
		double gap = x[at[n - 1]] - x[at[n]];
		if (fmax(*most, gap) > 1.4 * fmin(least, gap) + 0.1)
			break;
		least = fmin(least, gap);
		*most = fmax(*most, gap);
	}
	return n;
}

/* All of the steps are the same, and nothing moves between them: no recorded heap rises so. Generated leaks
 * of 0.03 to 0.1 % of the level at every 3rd epoch differed by 0.03 of the step, and moved by as much between
 * them. */
static bool stairs_exact(const double *d, int n, const int *at, int m)
{
	double least = HUGE_VAL, most = 0, between = 0;
	int step = 0;
	for (int i = 0; i < m; i++) {
		least = fmin(least, d[at[i] - 1]);
		most = fmax(most, d[at[i] - 1]);
	}
	for (int i = n - 1; i >= at[m - 1] - 1; i--) {
		if (step < m && at[step] - 1 == i)
			step++;
		else
			between = fmax(between, fabs(d[i]));
	}
	return most < 1.15 * least && between < 0.12 * least;
}

/* A leak at every k-th epoch: three like steps at like distances and nothing between them. */
bool firm_stairs(const struct view *v, bool floor, struct trend *t)
{
	int n = v->n - v->first, at[STATS_MAX] = {0};
	const double *x = v->x + v->first;
	double y[STATS_MAX], d[STATS_MAX], gap, sum = 0;
	if (v->basis != BASIS_EPOCHS || n < 6)
		return false;
	steps_smooth((floor ? v->lo : v->med) + v->first, n, y);
	stats_diff(y, n, d);
	double size = stair_size(d, n - 1);
	double share = size / v->level;
	if (size <= GAIN_LEAST || (!v->gpu && share <= 0.0003))
		return false;
	bool large = share > 0.02; /* a heap's own lumps came to 1 % */
	int m = like_gaps(x, at, stairs_find(d, n - 1, size, large, at), &gap);
	if (m < 3 || gap < 1.5 * (x[n - 1] - x[n - 2]) || x[n - 1] - x[at[0]] > 1.2 * gap)
		return false;
	bool exact = stairs_exact(d, n - 1, at, m);
	if (!v->gpu && !exact && share <= 0.0005)
		return false;
	for (int i = 0; i + 1 < m; i++)
		sum += d[at[i] - 1];
	if (y[n - 1] - y[at[m - 1]] < 0.7 * sum)
		return false; /* given back between the steps: a tooth that is sampled ever later */
	double span = x[at[0]] - x[at[m - 1]];
	*t = (struct trend){.growth = true,
			    .dof = m - 1,
			    .floor = floor,
			    .block = 1,
			    .clear_stairs = large || exact || (m > 3 && share > 0.012)};
	t->slope = (y[at[0]] - y[at[m - 1]]) / span;
	t->se = 0.3 * size / span;
	t->z = t->slope / t->se;
	t->begin = v->first + at[m - 1];
	return true;
}

/* Steps of y up, or -1 when it fell at some time. */
static int steps_up(const double *y, int n, int b)
{
	int up = 0;
	for (int i = b; i < n; i += b) {
		if (y[i] < y[i - b])
			return -1;
		up += y[i] > y[i - b];
	}
	return up;
}

/* A GPU's memory has no noise: six to twelve blocks of epochs, of which four rose and none fell, and the
 * later half no less than the first. Of 420 generated GPUs that hold their memory one raised an alarm so. */
bool firm_often(const struct view *v, struct trend *t)
{
	int n = v->n - v->first;
	if (!v->gpu || v->basis != BASIS_EPOCHS)
		return false;
	for (int m = 6; m <= 12; m += 2) {
		for (int b = 1; m * b < n; b *= 2) {
			const double *x = v->x + v->n - 1 - m * b, *y = v->lo + v->n - 1 - m * b;
			int up = steps_up(y, m * b + 1, b);
			double first = y[m / 2 * b] - y[0], second = y[m * b] - y[m / 2 * b];
			if (up < 4 || second < 0.7 * first || stalled(x, y, m * b + 1, first / (m / 2 * b)))
				continue;
			struct line l = stats_line(x, y, m * b + 1, v->quantum, NULL);
			*t = (struct trend){
			    .growth = true, .slope = l.slope, .se = l.se, .z = l.slope / l.se, .dof = l.dof};
			t->begin = v->n - 1 - m * b;
			t->floor = true;
			t->block = 1;
			return true;
		}
	}
	return false;
}
