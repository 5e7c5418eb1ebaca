/* SPDX-License-Identifier: MIT */
/* Adds up the evidence for growth and for all else, over shapes, steps and kinds of noise. */
#include "detect/course.h"

#include <math.h>

#include "detect/fit.h"

/* What is a thousand times less likely than the best so far is not gone into: shapes that events as good as their best one
 * leave there, and kinds of noise under which no core shape is better. A millionth is not even added up. */
#define NEGLIGIBLE 7.0

/* A step costs at least so much, in units of log likelihood: its place, its size, its sign. */
#define STEP_COST 3.0

enum { NOISES_KEPT = 3 };

/* Mean and spread of a slope, by the evidence of what it was found with. */
struct mean {
	double sum, squares, total;
	double most; /* log of the largest weight so far, which counts 1 */
};

struct tally {
	const struct course_in *in;
	double least; /* share of the level over the span that is growth */
	double growth, settled, best_growth, best_settled;
	struct mean slope, end;
	struct course *out;
};

static double log_add(double a, double b)
{
	double most = fmax(a, b);
	return isinf(most) ? most : most + log1p(exp(fmin(a, b) - most));
}

static double normal_cdf(double z)
{
	return 0.5 * erfc(-z * M_SQRT1_2);
}

static void mean_add(struct mean *m, double weight_log, double slope, double sd)
{
	if (weight_log > m->most) {
		double f = exp(m->most - weight_log);
		m->sum *= f;
		m->squares *= f;
		m->total *= f;
		m->most = weight_log;
	}
	double f = exp(weight_log - m->most);
	m->sum += f * slope;
	m->squares += f * (slope * slope + sd * sd);
	m->total += f;
}

static double mean_of(const struct mean *m)
{
	return m->total > 0 ? m->sum / m->total : 0;
}

static double mean_sd(const struct mean *m)
{
	double mean = mean_of(m);
	return m->total > 0 ? sqrt(fmax(0, m->squares / m->total - mean * mean)) : 0;
}

/* How likely an amount has the sign it must have. */
static double sign_right(int sign, double z)
{
	return sign == 0 ? 0.5 : normal_cdf(sign * z);
}

/* What of a fitted shape counts: all of it that has the right signs, and of that what grows by more than the least. */
struct share {
	double all, grows;
};

/* Stairs that come down again are swings: beside one release, a quarter of what they climb at most. */
static bool is_given_back(const struct terms *t)
{
	double back = 0, most = 0;
	for (int i = t->parts; i < t->n; i++) {
		double down = fmax(0, -t->amount[i]);
		back += down;
		most = fmax(most, down);
	}
	return back - most > 0.25 * t->amount[0];
}

static struct share share_of(const struct shape_set *set, const struct terms *t, double least)
{
	if (set->kind == COURSE_STAIRS && is_given_back(t))
		return (struct share){0, 0};
	struct share s = {1, set->grows ? normal_cdf((t->amount[0] - least) / t->se[0]) : 0};
	for (int i = 0; i < set->parts; i++) {
		double right = sign_right(set->sign[i], t->amount[i] / t->se[i]);
		s.all *= right;
		s.grows *= i > 0 ? right : 1;
	}
	return s;
}

static void tally_add(struct tally *y, const struct fit *f, const struct shape_set *set,
		      const struct terms *t, double evidence)
{
	if (evidence < fmax(y->best_growth, y->best_settled) - 2 * NEGLIGIBLE)
		return;
	double end_sd, end = terms_end(f, t, &end_sd);
	struct share share = share_of(set, t, y->least);
	double growth = evidence + log(share.grows),
	       settled = evidence + log(fmax(0, share.all - share.grows));
	if (share.all <= 0)
		return;
	y->growth = log_add(y->growth, growth);
	y->settled = log_add(y->settled, settled);
	mean_add(&y->end, evidence + log(share.all), end, end_sd);
	if (share.grows > 0)
		mean_add(&y->slope, growth, end, end_sd);
	if (growth > y->best_growth) {
		y->best_growth = growth;
		y->out->onset = y->in->x[set->onset];
	}
	if (!set->grows && settled > y->best_settled) {
		y->best_settled = settled;
		y->out->settled = set->kind;
	}
}

/* How much an event must gain at least, to be worth the search for more: what a shape is behind must be made up by this one and
 * those that are left, of which each is taken to gain twice as much as this one at most. Core shapes are searched to their last event. */
static double event_worth(const struct shape_set *set, double behind, int left)
{
	if (set->core && left > 1)
		return STEP_COST;
	return STEP_COST + fmax(0, behind - NEGLIGIBLE) / (2 * left - 1);
}

/* The shape alone, then with one event after another; returns the best evidence. */
static double weigh(struct fit *f, const struct shape_set *set, struct tally *y)
{
	struct terms t;
	double prior = set->prior + f->noise_prior, best = -HUGE_VAL, log_places;
	if (!terms_start(f, set, &t))
		return best;
	for (int k = 0; k <= FIT_STEPS; k++) {
		double evidence = prior + terms_evidence(f, &t);
		tally_add(y, f, set, &t, evidence);
		best = fmax(best, evidence);
		double behind = fmax(y->best_growth, y->best_settled) - evidence;
		if (k == FIT_STEPS || f->m - t.n <= 2 ||
		    !terms_add_event(f, &t, event_worth(set, behind, FIT_STEPS - k), &log_places))
			break;
		prior += log_places - M_LN2; /* up or down */
	}
	return best;
}

static double weigh_all(struct fit *f, bool core, struct tally *y)
{
	double best = -HUGE_VAL;
	for (int i = 0; i < f->shapes->sets; i++)
		if (f->shapes->set[i].core == core)
			best = fmax(best, weigh(f, &f->shapes->set[i], y));
	return best;
}

/* The best kinds of noise by what the core shapes say, all shapes; the others the core alone. */
static void weigh_noises(const struct course_in *in, const struct shapes *s, struct tally *y)
{
	struct fit f;
	double core[NOISES] = {0}, most = -HUGE_VAL;
	for (int i = 0; i < NOISES; i++) {
		core[i] = -HUGE_VAL;
		if (isinf(noise_prior(&noises[i], in)))
			continue;
		fit_noise(&f, in, s, &noises[i]);
		core[i] = weigh_all(&f, true, y);
		most = fmax(most, core[i]);
	}
	for (int kept = 0; kept < NOISES_KEPT; kept++) {
		int best = 0;
		for (int i = 1; i < NOISES; i++)
			best = core[i] > core[best] ? i : best;
		if (core[best] < most - NEGLIGIBLE)
			break;
		core[best] = -HUGE_VAL;
		fit_noise(&f, in, s, &noises[best]);
		weigh_all(&f, false, y);
	}
}

void course_judge(const struct course_in *in, struct course *out)
{
	struct shapes s;
	*out = (struct course){0};
	shapes_fill(&s, in);
	struct tally y = {.in = in, .least = in->least * s.span / in->level, .out = out};
	y.growth = y.settled = y.best_growth = y.best_settled = y.slope.most = y.end.most = -HUGE_VAL;
	weigh_noises(in, &s, &y);
	double unit = in->level / s.span;
	out->odds = fmax(-50, fmin(50, y.growth - y.settled));
	out->slope = mean_of(&y.slope) * unit;
	out->slope_sd = mean_sd(y.slope.total > 0 ? &y.slope : &y.end) * unit;
	out->end = mean_of(&y.end) * unit;
	out->end_sd = mean_sd(&y.end) * unit;
}
