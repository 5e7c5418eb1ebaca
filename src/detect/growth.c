/* SPDX-License-Identifier: MIT */
/* The windows of a run -> does it grow, how surely, how fast. Floors and medians are weighed apart, and the quieter of
 * them counts more. The one rule for growth, and the one for firm, are here. */
#include <math.h>
#include <string.h>

#include "detect/course.h"
#include "detect/noise.h"
#include "detect/parts.h"

/* Growth is firm beyond this, with and without the last two windows; it is said beyond GROWTH_WEIGHT (parts.h). That is the
 * least step of 0.05 by which at most 3 % of the steady recordings are called growth at their
 * end, this one that of 0.01 by which at most 3 % of them are firm growth at some moment once settled, and 2 % of the
 * ordinary runs drawn by lot (make score). */
#define FIRM_WEIGHT 0.91

/* Growth that outweighs the rest is not settled, whatever it comes to. */
#define RISING_WEIGHT 0.5

/* Less than this per epoch is what every long-lived process gathers, and less than this share of a large level. What a
 * heap has in use moves by less. */
#define LEAST_BYTES      (48.0 * 1024)
#define LEAST_SHARE      5e-5
#define LEAST_BYTES_HEAP (16.0 * 1024)

/* What a heap has in use is there after the first epochs or never: a curve or a fill is ten times less likely than elsewhere. */
#define HEAP_CURVES_LOG (-2.3)

/* A run that would gain this share of its level, if it went on for as long as it has, has not settled. */
#define RISE_SHARE 0.02

enum { WINDOWS_LEAST = 4, LEFT_OUT = 2, SHORT_EPOCHS = 16 };

/* Windows without the last `left_out`, joined in pairs until a course takes them. */
static void course_fill(const struct view *v, bool floor, int left_out, struct course_in *in)
{
	double x[VIEW_MAX], y[VIEW_MAX];
	int n = v->n - left_out - v->first;
	memcpy(x, v->x + v->first, (size_t)n * sizeof(x[0]));
	memcpy(y, (floor ? v->lo : v->med) + v->first, (size_t)n * sizeof(y[0]));
	while (n > COURSE_MAX) {
		int m = 0;
		for (int i = n % 2; i + 1 < n; i += 2, m++) {
			x[m] = (x[i] + x[i + 1]) / 2;
			y[m] = floor ? fmin(y[i], y[i + 1]) : (y[i] + y[i + 1]) / 2;
		}
		n = m;
	}
	in->n = n;
	memcpy(in->x, x, (size_t)n * sizeof(x[0]));
	memcpy(in->y, y, (size_t)n * sizeof(y[0]));
}

/* A training that was seen coming up has a new heap, whatever number it resumes at. How old that of a process without epochs
 * is, nobody knows. */
static void age_fill(const struct view *v, struct course_in *in)
{
	for (int i = 0; i < in->n; i++)
		in->age[i] =
		    v->basis != BASIS_EPOCHS ? HUGE_VAL : in->x[i] - (v->setup_seen ? (double)v->base : 0);
}

/* Per x. Windows of time are not epochs: all of them count as a short training. */
static double least_growth(const struct view *v)
{
	double begun = fmin(v->med[v->first], v->level);
	double least = fmax(v->kind == SERIES_HEAP ? LEAST_BYTES_HEAP : LEAST_BYTES, LEAST_SHARE * begun);
	if (v->kind == SERIES_GPU)
		return 0.01 * v->quantum;
	return v->basis == BASIS_EPOCHS ? least : least * SHORT_EPOCHS / v->n;
}

/* Nothing moved: most parts of a run, and most GPUs. */
static bool is_still(const struct view *v)
{
	for (int i = v->first + 1; i < v->n; i++)
		if (v->lo[i] != v->lo[v->first] || v->med[i] != v->med[v->first])
			return false;
	return true;
}

/* Each row says as much as it could tell of a slope. */
static double odds_join(const struct course c[2])
{
	double a = 1 / (1 + c[0].slope_sd), b = 1 / (1 + c[1].slope_sd);
	return (a * c[0].odds + b * c[1].odds) / (a + b);
}

/* What is known of such a series beforehand. */
static void prior_fill(const struct view *v, struct course_in *in)
{
	in->level = v->level;
	in->quantum = v->quantum;
	in->least = least_growth(v);
	in->single = series_is_of_ends(v->kind);
	in->curves_log = v->kind == SERIES_HEAP ? HEAP_CURVES_LOG : 0;
}

/* Log odds of growth; false with too few windows. Single readings are floors and medians in one. */
static bool odds_of(const struct view *v, int left_out, struct course c[2], double *odds)
{
	if (v->n - left_out - v->first < WINDOWS_LEAST || v->level <= 0)
		return false;
	for (int i = 0; i < (series_is_of_ends(v->kind) ? 1 : 2); i++) {
		struct course_in in;
		course_fill(v, i == 0, left_out, &in);
		age_fill(v, &in);
		prior_fill(v, &in);
		noise_variances(&in);
		course_judge(&in, &c[i]);
	}
	if (series_is_of_ends(v->kind))
		c[1] = c[0];
	*odds = odds_join(c);
	return true;
}

static double weight_of(double odds)
{
	return 1 / (1 + exp(-odds));
}

static bool was_sure(const struct view *v, int left_out)
{
	struct course c[2];
	double odds;
	return odds_of(v, left_out, c, &odds) && weight_of(odds) > FIRM_WEIGHT;
}

/* Now and without the last windows; or then and before, so that one odd window does not take an alarm back while growth is
 * said. */
bool growth_is_firm(const struct growth *g)
{
	return was_sure(g->view, LEFT_OUT) && (g->weight > FIRM_WEIGHT || was_sure(g->view, 2 * LEFT_OUT));
}

/* Of two readings of one slope the surer one counts more. */
static void slope_join(double a, double a_sd, double b, double b_sd, struct growth *out)
{
	double wa = 1 / (a_sd * a_sd + 1), wb = 1 / (b_sd * b_sd + 1);
	out->slope = (wa * a + wb * b) / (wa + wb);
	out->sd = fmax(fmin(a_sd, b_sd), fabs(a - b) / 2);
}

static bool is_curved(const struct course *c)
{
	return c->settled == COURSE_CURVE || c->settled == COURSE_FILL;
}

static int window_at(const struct view *v, double x)
{
	int i = v->first;
	while (i < v->n - 2 && v->x[i] < x)
		i++;
	return i;
}

/* Too few windows to be weighed, but each lies above the one before it: that is no plateau. */
static bool only_rises(const struct view *v)
{
	double least = least_growth(v);
	for (int i = v->first + 1; i < v->n; i++)
		if (v->lo[i] - v->lo[i - 1] < least || v->med[i] - v->med[i - 1] < least)
			return false;
	return v->n - v->first >= 3;
}

/* No growth is said: whether it has settled, by what all courses rise by at their ends. */
static void judge_rest(const struct view *v, const struct course c[2], struct growth *out)
{
	double span = v->x[v->n - 1] - v->x[v->first];
	/* a last step is no measure */
	double usual = stats_median(v->med + v->first, v->n - v->first);
	slope_join(c[0].end, c[0].end_sd, c[1].end, c[1].end_sd, out);
	out->detectable = fmax(out->detectable, out->slope + 2 * out->sd);
	double goes_on = out->slope > out->sd ? out->slope * span : 0;
	out->rises = out->weight > RISING_WEIGHT || goes_on > RISE_SHARE * fmin(usual, v->level);
}

void growth_judge(const struct view *v, struct growth *out)
{
	struct course c[2];
	double odds;
	*out = (struct growth){.view = v};
	if ((v->epochs >= 0 && v->epochs < 4) || v->n - v->first < WINDOWS_LEAST) {
		out->rises = only_rises(v);
		return;
	}
	if (is_still(v)) {
		out->known = true;
		out->detectable = least_growth(v);
		return;
	}
	if (!odds_of(v, 0, c, &odds))
		return;
	out->known = true;
	out->weight = weight_of(odds);
	out->curved = is_curved(&c[0]) || is_curved(&c[1]);
	slope_join(c[0].slope, c[0].slope_sd, c[1].slope, c[1].slope_sd, out);
	out->detectable = fmax(least_growth(v), fmax(0, out->slope) + 5 * out->sd);
	bool likely = out->weight > GROWTH_WEIGHT;
	out->growth = likely && out->slope > 2 * out->sd;
	if (!out->growth)
		judge_rest(v, c, out);
	out->onset = window_at(v, c[c[1].odds > c[0].odds].onset);
}
