/* SPDX-License-Identifier: MIT */
/* Is a row of windows lasting growth? A slope that is significant, spread, still going on and not settling.
 * Knows nothing of epochs or verdicts. */
#include <math.h>
#include <string.h>

#include "detect/parts.h"

/* Few windows: only a sizeable gain counts, since caches still fill. This rule alone took alarms on the way
 * from 9 to 3 % of steady generated runs. */
static double gain_needed(int n, const double *x, double level)
{
	int m = (int)(x[n - 1] - x[0]) + 1;
	m = m > n ? m : n;
	double share = m < 8 ? 0.025 : m < 14 ? 0.006 : 0;
	return fmax(GAIN_LEAST, share * level / (m > 4 ? m - 3 : 1));
}

/* What share of that is still asked for: a line of 50 errors needs no size to be seen. Two more of 1,085
 * generated leaks are told within 12 epochs, and no steady one raises an alarm for it. */
static double doubt(double z)
{
	return fmax(0.3, fmin(1, 15 / z));
}

/* (sum of rises)^2 / sum of squares over at most 12 blocks: 1 when all came at once, 2 for two late steps; a
 * leak at every 10th of 80 epochs still gives 4. */
static double rise_spread(const double *y, int n, int blocks)
{
	double b[STATS_MAX], sum = 0, squares = 0;
	for (int k = 0; k < blocks; k++) {
		int from = k * n / blocks, to = (k + 1) * n / blocks;
		b[k] = stats_median(y + from, to - from);
	}
	for (int k = 1; k < blocks; k++) {
		double c = fmax(0, b[k] - b[k - 1]);
		sum += c;
		squares += c * c;
	}
	return squares > 0 ? sum * sum / squares : 0;
}

/* Below 0.3 of the slope the last third is level: harmless creep had 0.04 to 0.5 in its second half, the
 * smallest recorded leaks 0.7 and more; its own error is allowed for. */
static bool last_third_level(const double *x, const double *y, int n, double q, double slope, struct trend *t)
{
	int m = n / 3 > 3 ? n / 3 : 3;
	const double *xl = x + n - m, *yl = y + n - m;
	double theil = m > 3 ? stats_theil(xl, yl, m) : (yl[m - 1] - yl[0]) / (xl[m - 1] - xl[0]);
	struct line l = stats_line(xl, yl, m, q, NULL);
	int h = m / 2 > 2 ? m / 2 : 2;
	double gain = yl[m - 1] - yl[0];
	if (n > m + 2)
		gain = stats_median(y + n - h, h) - stats_median(y + (n - m - h > 0 ? n - m - h : 0), h);
	t->last = fmax(theil, l.slope) / slope;
	/* imports of 7 s in two parts and 3 s of training: 0.01, while blocks of four windows still rose */
	t->last_level = n >= 12 && t->last + 3 * l.se / slope < 0.15;
	return t->last + fmin(0.3, l.se / slope) < 0.30 ||
	       (l.slope <= 0 && gain <= 0.2 * slope * (x[n - 1] - x[n - m]));
}

bool trend_stall(const double *x, const double *y, int n, double slope, double times, double windows)
{
	double top = y[0], at = x[0], longest = 0, typical = n > 1 ? (x[n - 1] - x[0]) / (n - 1) : 1;
	for (int i = 1; i < n; i++) {
		if (y[i] < top + 0.3 * slope * typical)
			continue;
		longest = fmax(longest, x[i] - at);
		top = y[i];
		at = x[i];
	}
	return x[n - 1] - at > times * longest + windows * typical;
}

/* Level, and not one window higher for far longer than ever before: a file in /dev/shm was mapped in 30
 * epochs, and nothing came in the 9 after them. */
static bool is_full(const double *x, const double *y, int n, double slope)
{
	enum { LEVEL = 6 };
	double per_window = slope * (x[n - 1] - x[0]) / (n - 1);
	const double *end = y + n - LEVEL;
	return n >= 2 * LEVEL && stats_max(end, LEVEL) - stats_min(end, LEVEL) < 0.3 * per_window &&
	       trend_stall(x, y, n, slope, 4, 3);
}

/* Few windows, and each of the last three rises at most 0.65 of the one before: as good as over. Less is not
 * enough: five rises of a recorded leak (torch_total_60) went from 0.57 to 0.07 MiB. Among many windows the
 * last epoch of any leak can end so. */
static bool dies_away(const double *y, int n)
{
	double d[STATS_MAX];
	if (n < 5 || n > 10)
		return false;
	stats_diff(y + n - 5, 5, d);
	return d[1] < 0.65 * d[0] && d[2] < 0.65 * d[1] && d[3] < 0.65 * d[2];
}

/* Slope of the last third over that of the middle third: a line gives 1, a logarithm 0.58. */
static double end_over_middle(const double *x, const double *y, int n, double q, double *se)
{
	int m = n / 3;
	*se = 0;
	if (m < 3)
		return 1;
	struct line mid = stats_line(x + m, y + m, m + 1, q, NULL);
	struct line end = stats_line(x + n - m - 1, y + n - m - 1, m + 1, q, NULL);
	if (mid.slope <= 0)
		return 1;
	*se = hypot(end.se, end.slope / mid.slope * mid.se) / mid.slope;
	return end.slope / mid.slope;
}

double trend_half_ratio(const double *x, const double *y, int n, double q)
{
	int m = (n + 1) / 2;
	double a = stats_line(x, y, m, q, NULL).slope, b = stats_line(x + n - m, y + n - m, m, q, NULL).slope;
	return a > 0 ? b / a : 2;
}

/* How much more another fit leaves than curve and line together, in errors of these: an F of one parameter. */
static double over_joint(double sse, const struct settle *s, int dof)
{
	return (sse - s->sse_joint) / s->sse_joint * dof / s->inflation;
}

/* The curve is nearly over, the line is not, and no second curve that settles late can stand in for it:
 * without the last 16 of 80 made runs of two or three exponentials raised an alarm, with it none. Residues
 * that hang together speak for a curve that is none of ours. */
static bool outlasts_curve(const double *x, const double *y, int n, double q, const struct settle *s, int dof)
{
	if (s->line_slope < 20 * s->line_se || s->curve_end > 0.33 * s->line_slope || s->inflation > 2.5)
		return false;
	return over_joint(settle_slow_sse(x, y, n, q), s, dof) >= 15;
}

/* A line so precise is there whatever the curve. Either two thirds of the slope before are left in the last
 * third, which no logarithm has (0.58), more of it where the line is little beside the curve; or it outlasts
 * the curve. Of 66 generated leaks under a warm-up 11 instead of 25 need more than 12 epochs; none of 195
 * generated and 34 recorded warm-ups raises an alarm for it. */
static bool is_beside(const double *x, const double *y, int n, double q, const struct settle *s,
		      const struct trend *t, double kappa)
{
	int dof = n - 4;
	if (n < 12 || t->line_z < 12 || over_joint(s->sse_alone, s, dof) < 20)
		return false;
	return (t->line_share >= 0.3 && kappa >= 0.66) || (t->line_share >= 0.1 && kappa >= 0.8) ||
	       outlasts_curve(x, y, n, q, s, dof);
}

/* The same windows are asked for more than once, and a fit is the dearest part of a judgement. */
struct fitted {
	bool known;
	struct settle s;
};

static struct settle fit_once(const double *x, const double *y, int n, double q, struct fitted *f)
{
	if (!f->known)
		settle_fit(x, y, n, q, &f->s);
	f->known = true;
	return f->s;
}

/* WHY_NONE: a settling curve does not explain it. level: 0 for a GPU, whose steps no curve fits. */
static enum why settling(const double *x, const double *y, int n, double q, double level, struct fitted *f,
			 struct trend *t)
{
	struct settle s = fit_once(x, y, n, q, f);
	if (!s.joint || s.sse_alone >= s.sse_line * (1 - 2.0 / n))
		return WHY_NONE;
	double kappa_se, span = x[n - 1] - x[0];
	double gain = stats_median(y + n - 3, 3) - stats_median(y, 3);
	double total = fmax(1, fmax(t->slope * span, gain));
	int dof = n - 4;
	t->line_z = s.line_se > 0 ? s.line_slope / s.line_se : 0;
	t->line_share = s.line_slope * span / total;
	t->line_share_se = s.line_se * span / total;
	t->fit_f = (s.sse_line - s.sse_alone) / s.sse_alone * (n - 3) / s.inflation;
	t->kappa = end_over_middle(x, y, n, q, &kappa_se);
	double kappa_low = t->fit_f > 12 ? t->kappa - kappa_se : t->kappa;
	/* A line beside the curve needs 3.5 errors and an eighth of the gain; with less than 60 % of it, also
	 * a last third that a logarithm would not have. Beyond F = 12 nobody would take the line for the
	 * better one. And the two must do better than any curve alone: generated logarithms had an F of 1.8
	 * to 4.1, leaks 10 and more. */
	double need = 3.5 + (dof < 10 ? 8.0 / dof : 0);
	double over_alone = over_joint(s.sse_alone, &s, dof);
	t->beside = level > 0 && is_beside(x, y, n, q, &s, t, kappa_low);
	if (t->beside || (t->line_z >= need && t->line_share >= 0.12 && (over_alone >= 5 || level == 0) &&
			  (t->line_share >= 0.6 || (n >= 12 && kappa_low >= 0.62)))) {
		if (t->line_share <= 0.8) {
			t->slope = s.line_slope;
			t->se = s.line_se;
			t->dof = dof;
			t->joint = true;
		}
		return WHY_NONE;
	}
	t->sure = t->fit_f > 12;
	if (t->line_share + 2 * t->line_share_se < 0.5 || t->fit_f > 12 || t->last < 0.5 ||
	    trend_half_ratio(x, y, n, q) < 0.5)
		return WHY_SATURATING;
	return WHY_NONE;
}

/* Bends down without having settled: cannot be told from a warm-up. */
static bool bending(const double *x, const double *y, int n, double q, const struct trend *t)
{
	double m[3][4] = {{0}}, mean = stats_median(y, n);
	double span = fmax(x[n - 1] - x[0], 1e-9);
	for (int i = 0; i < n; i++) {
		double u = (x[i] - x[0]) / span, b[3] = {1, u, u * u};
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++)
				m[r][c] += b[r] * b[c];
			m[r][3] += b[r] * (y[i] - mean);
		}
	}
	double inv = 0;
	/* Gauss, in place; the pivot that remains for u^2 is the inverse of its variance factor */
	for (int r = 0; r < 3; r++) {
		if (m[r][r] <= 1e-12)
			return false;
		if (r == 2)
			inv = 1 / m[2][2];
		for (int k = 0; k < 3; k++) {
			double f = k == r ? 0 : m[k][r] / m[r][r];
			for (int c = r; c < 4; c++)
				m[k][c] -= f * m[r][c];
		}
	}
	double a = m[0][3] / m[0][0], b1 = m[1][3] / m[1][1], b2 = m[2][3] / m[2][2];
	double r[STATS_MAX], sse = 0;
	for (int i = 0; i < n; i++) {
		double u = (x[i] - x[0]) / span;
		r[i] = y[i] - mean - a - b1 * u - b2 * u * u;
		sse += r[i] * r[i];
	}
	double s2 = fmax(sse / (n > 4 ? n - 3 : 1), q * q / 12 + 1);
	double se = sqrt(s2 * stats_ar_inflation(r, n) * inv);
	return b2 < -4.5 * se && b1 + 2 * b2 < 0.5 * b1 && t->line_z < 3.5 && t->last < 0.65;
}

static void judge_windows(const double *x, const double *y, int n, double q, double level, struct fitted *f,
			  struct trend *t)
{
	memset(t, 0, sizeof(*t));
	t->why = WHY_FEW;
	t->dof = n > 3 ? n - 2 : 1;
	if (n < 4)
		return;
	struct line l = stats_line(x, y, n, q, NULL);
	t->slope = l.slope;
	t->se = l.se;
	t->dof = l.dof;
	t->z = l.se > 0 ? l.slope / l.se : l.slope > 0 ? HUGE_VAL : 0;
	/* 5 errors, inflated for autocorrelation: 3 on plain floors gave 10 to 15 % of false alarms */
	t->why = WHY_NO_SLOPE;
	if (l.slope <= 0 || stats_theil_sign(y, n) <= 0)
		return;
	if (t->z < 5.0 + (l.dof < 8 ? 6.0 / l.dof : 0))
		return;
	t->why = WHY_TINY;
	if (l.slope * (x[n - 1] - x[0]) < fmax(GAIN_LEAST, doubt(t->z) * gain_needed(n, x, level)))
		return;
	int blocks = n < 12 ? n : 12;
	t->why = WHY_LUMPY;
	t->spread = rise_spread(y, n, blocks);
	if (t->spread < fmin(4, 0.55 * (blocks - 1)))
		return;
	t->last = 1;
	t->why = WHY_SETTLED;
	t->sure = is_full(x, y, n, l.slope);
	if (t->sure || dies_away(y, n) || (n >= 6 && last_third_level(x, y, n, q, l.slope, t)))
		return;
	t->why = n >= 6 ? settling(x, y, n, q, level, f, t) : WHY_NONE;
	if (t->why == WHY_NONE && n >= 7 && bending(x, y, n, q, t)) {
		t->why = WHY_BENDING;
		t->sure = true;
	}
	t->growth = t->why == WHY_NONE;
}

void trend_tail(const double *x, const double *y, int n, double q, double level, struct trend *t)
{
	struct fitted f = {0};
	judge_windows(x, y, n, q, level, &f, t);
}

struct hinge {
	bool ok;
	int at;
	double sse, before, after;
};

/* Sums over the windows after each, of x and y from their means: all that a hinge there needs to know. */
struct after {
	double x, xx, y, xy;
};

static void sums_after(const double *x, const double *y, int n, double mx, double my, struct after *out)
{
	struct after s = {0};
	for (int i = n - 1; i >= 0; i--) {
		double a = x[i] - mx, c = y[i] - my;
		out[i] = s;
		s.x += a, s.xx += a * a, s.y += c, s.xy += a * c;
	}
}

/* The best two lines that meet; at most 40 places are tried. */
static struct hinge hinge_find(const double *x, const double *y, int n)
{
	struct hinge best = {0};
	struct after after[STATS_MAX];
	int places = n - 6 < 40 ? n - 6 : 40;
	struct line l = stats_line(x, y, n, 0, NULL);
	double saa = 0, sac, syy;
	sums_after(x, y, n, l.mean_x, l.mean_y, after);
	for (int i = 0; i < n; i++)
		saa += (x[i] - l.mean_x) * (x[i] - l.mean_x);
	sac = l.slope * saa;
	syy = l.sse + l.slope * sac;
	for (int p = 0; p < places; p++) {
		int k = places > 1 ? 3 + (int)((double)p * (n - 7) / (places - 1)) : 3, m = n - 1 - k;
		/* b = max(0, x - x[k]) against a = x, itself and y, from their means */
		double u = x[k] - l.mean_x, sb = after[k].x - m * u;
		double sab = after[k].xx - u * after[k].x, sbc = after[k].xy - u * after[k].y;
		double sbb = after[k].xx - 2 * u * after[k].x + m * u * u - sb * sb / n;
		double det = saa * sbb - sab * sab;
		if (det <= 0)
			continue;
		double ca = (sac * sbb - sbc * sab) / det, cb = (sbc * saa - sac * sab) / det;
		double sse = fmax(0, syy - ca * sac - cb * sbc);
		if (!best.ok || sse < best.sse)
			best = (struct hinge){true, k, sse, ca, ca + cb};
	}
	return best;
}

/* Growth all along: does a later onset fit better? Then the slope is that of the part after it. */
static void refine_onset(const double *x, const double *y, int n, double q, struct trend *t)
{
	if (n < 10)
		return;
	struct hinge h = hinge_find(x, y, n);
	double least = n * (q * q / 12 + 1);
	double sse = stats_line(x, y, n, q, NULL).sse;
	if (!h.ok || h.sse + least >= 0.5 * (sse + least) || h.after <= 1.6 * fmax(0, h.before) ||
	    n - h.at < 5)
		return;
	struct line l = stats_line(x + h.at, y + h.at, n - h.at, q, NULL);
	if (l.slope <= 0)
		return;
	t->slope = l.slope;
	t->se = l.se;
	t->dof = l.dof;
	t->from = h.at;
	t->joint = false;
}

/* A tail that is straight where a logarithm would still bend: what came before was a warm-up of its own. The
 * bend is told by the slope of the second half over the first; a logarithm that began with training has the
 * least of all curves that settle. */
bool trend_straight(const double *x, const double *y, int n, double q)
{
	int m = (n + 1) / 2;
	if (n < 8 || x[0] <= 0)
		return false;
	struct line a = stats_line(x, y, m, q, NULL), b = stats_line(x + n - m, y + n - m, m, q, NULL);
	if (a.slope <= 0 || b.slope <= 0)
		return false;
	double ratio = b.slope / a.slope, se = hypot(b.se, ratio * a.se) / a.slope;
	double bend =
	    log(x[n - 1] / x[n - m]) / (x[n - 1] - x[n - m]) / (log(x[m - 1] / x[0]) / (x[m - 1] - x[0]));
	return ratio - 1.5 * se > bend + 0.4 * (1 - bend) && ratio > 0.75;
}

/* The part before a tail: quieter than the tail's gain, and not steeper, else it is a warm-up. */
static bool tail_stands_out(const double *x, const double *y, int n, int k, double q, const struct trend *t,
			    const struct trend *whole)
{
	if (x[n - 1] - x[k] > 0.35 * (x[n - 1] - x[0]) && trend_straight(x + k, y + k, n - k, q))
		return true;
	if (k >= 3) {
		double gain = t->slope * (x[n - 1] - x[k]);
		double range = stats_quantile(y, k + 1, 0.95) - stats_quantile(y, k + 1, 0.05);
		double r[STATS_MAX];
		stats_line(x, y, k + 1, q, r);
		double noise = y[k] > y[0] ? stats_max(r, k + 1) - stats_min(r, k + 1) : range;
		if (gain < 2.5 * fmin(noise, range) || y[n - 1] - stats_max(y, k + 1) < 0.4 * gain)
			return false;
	}
	double before = (y[k] - y[0]) / fmax(1e-9, x[k] - x[0]);
	return before <= 1.3 * t->slope ||
	       (whole->line_z >= 3.5 && whole->why != WHY_SATURATING && whole->why != WHY_SETTLED);
}

/* A warm-up hides the line that goes on beside it, for its bend counts as noise of the line. Tried where the
 * last third rises clearly: elsewhere it would cost time and find nothing. */
static bool grows_beside(const double *x, const double *y, int n, double q, double level, struct fitted *f,
			 struct trend *t)
{
	struct trend s = *t;
	int third = n / 3;
	if (t->why != WHY_NO_SLOPE || t->slope <= 0 || n < 12 || level == 0)
		return false;
	struct line end = stats_line(x + n - third, y + n - third, third, q, NULL);
	if (end.slope < 6 * end.se || settling(x, y, n, q, level, f, &s) != WHY_NONE || !s.beside)
		return false;
	last_third_level(x, y, n, q, s.slope, &s);
	if (s.last < 0.7 || s.slope * (x[n - 1] - x[0]) < gain_needed(n, x, level))
		return false;
	s.growth = true;
	s.why = WHY_NONE;
	*t = s;
	return true;
}

/* Two lines, the later one less steep, that fit better than any curve which settles: a leak that has slowed
 * down is one still. Recorded: 8 MiB kept per epoch and then 3; threads that keep a stack each; vectors kept
 * by a callback of spaCy. They were called settled for up to 20 epochs. */
static bool slows_to_line(const double *x, const double *y, int n, double q, double level, struct fitted *f,
			  struct trend *t)
{
	struct trend tail;
	if (n < 12 || level == 0 || t->why == WHY_TINY || t->why == WHY_LUMPY)
		return false;
	struct hinge h = hinge_find(x, y, n);
	if (!h.ok || h.at < 4 || n - h.at < 6 || h.after < 0.2 * h.before || h.after > h.before)
		return false;
	double least = n * (q * q / 12 + 1);
	if (h.sse + least > 0.6 * (fit_once(x, y, n, q, f).sse_alone + least) ||
	    h.sse + least > 0.6 * (settle_slow_sse(x, y, n, q) + least))
		return false;
	trend_tail(x + h.at, y + h.at, n - h.at, q, level, &tail);
	if (!tail.growth || tail.z < 6)
		return false;
	*t = tail;
	t->from = h.at;
	t->after_steeper = true;
	return true;
}

void trend_judge(const double *x, const double *y, int n, double q, double level, int min_points,
		 struct trend *out)
{
	static const double parts[] = {1 / 6.0, 1 / 3.0, 0.5, 0.62};
	struct fitted whole = {0};
	int from[5], m = 0;
	judge_windows(x, y, n, q, level, &whole, out);
	if (out->growth) {
		refine_onset(x, y, n, q, out);
		return;
	}
	if (grows_beside(x, y, n, q, level, &whole, out) || slows_to_line(x, y, n, q, level, &whole, out))
		return;
	if (n >= 9) {
		struct hinge h = hinge_find(x, y, n);
		if (h.ok && h.after > h.before && n - h.at >= 5)
			from[m++] = h.at;
	}
	for (int i = 0; i < 4; i++)
		if (n - (int)(n * parts[i]) >= 6 && (int)(n * parts[i]) > 0)
			from[m++] = (int)(n * parts[i]);
	for (int i = 0; i < m; i++) {
		int k = from[i];
		struct trend t;
		trend_tail(x + k, y + k, n - k, q, level, &t);
		if (!t.growth || t.z < 6 || n - k < min_points || !tail_stands_out(x, y, n, k, q, &t, out))
			continue;
		t.from = k;
		t.after_steeper = y[k] - y[0] > 1.3 * t.slope * (x[k] - x[0]);
		*out = t;
		return;
	}
}
