/* SPDX-License-Identifier: MIT */
/* Every kind of course is as likely as any other before the row is seen: level, exponentials, logarithm, power, fill, teeth,
 * every k-th level of another kind; all but the first also beside a line; and the line itself, which shares its part with
 * hinges and stairs. Variants of a kind share, too. Steps are added to any of them by the fit. */
#include "detect/shapes.h"

#include <math.h>
#include <string.h>

/* The slowest curve that still settles: from thirty epochs on its last third gains a third to a fifth of what its first did. */
#define POWER 0.36

/* A fall of this share of the greatest one ends a tooth. */
#define GREAT_TURN 0.5

/* A collector comes again in about the time that it took before: what rises for longer is no tooth. */
#define TOOTH_LATE 1.5

enum { PERIOD_MOST = 6, SCALES = 7 };

/* Of exponentials, in shares of the run: with more than 0.45 nobody can tell them from a line. */
static const double scales[SCALES] = {0.03, 0.05, 0.08, 0.125, 0.2, 0.3, 0.45};

static int column_add(struct shapes *s, double end)
{
	s->end[s->columns] = end;
	return s->columns++;
}

static struct shape_set *set_add(struct shapes *s, enum course_kind kind, double prior)
{
	struct shape_set *set = &s->set[s->sets++];
	*set = (struct shape_set){.kind = kind, .prior = prior};
	if (kind == COURSE_CURVE || kind == COURSE_FILL)
		set->prior += s->curves_log;
	return set;
}

static void set_part(struct shape_set *set, int column, int sign)
{
	set->part[set->parts] = column;
	set->sign[set->parts++] = sign;
}

/* Two sets: what settles, and the same beside a line. */
static void pair_add(struct shapes *s, enum course_kind kind, const int *columns, int n, int sign,
		     double prior, bool core)
{
	for (int grows = 0; grows < 2; grows++) {
		struct shape_set *set = set_add(s, kind, prior);
		set->core = core;
		set->grows = grows;
		if (grows)
			set_part(set, SHAPES_LINE, 1);
		for (int i = 0; i < n; i++)
			set_part(set, columns[i], sign);
	}
}

static void growth_add(struct shapes *s, enum course_kind kind, int column, double prior, int onset)
{
	struct shape_set *set = set_add(s, kind, prior);
	set->grows = true;
	set->core = kind == COURSE_LINE;
	set->onset = onset;
	set_part(set, column, 1);
}

static void exponentials_add(struct shapes *s, const double *u)
{
	int first = s->columns;
	for (int k = 0; k < SCALES; k++) {
		int c = column_add(s, exp(-1 / scales[k]) / scales[k]);
		for (int i = 0; i < s->n; i++)
			s->col[c][i] = 1 - exp(-u[i] / scales[k]);
		pair_add(s, COURSE_CURVE, &c, 1, 0, -log(2 * SCALES), false);
	}
	for (int k = 0; k < SCALES; k++) /* what lies between two, or fades at two paces */
		for (int j = k + 1; j < SCALES; j += 3) {
			int two[] = {first + k, first + j};
			pair_add(s, COURSE_CURVE, two, 2, 1, -log(2 * 9), false);
		}
}

static void slow_curves_add(struct shapes *s, const double *u)
{
	int logarithm = column_add(s, s->n / (1.0 + s->n));
	int power = column_add(s, POWER * pow(1 + 1 / s->span, POWER - 1));
	for (int i = 0; i < s->n; i++) {
		s->col[logarithm][i] = log1p(u[i] * s->n);
		s->col[power][i] = pow(u[i] + 1 / s->span, POWER);
	}
	pair_add(s, COURSE_CURVE, &logarithm, 1, 1, 0, false);
	pair_add(s, COURSE_CURVE, &power, 1, 1, 0, true);
}

static void fills_add(struct shapes *s, const double *u, int stride)
{
	int count = (s->n - 6 + stride) / stride;
	for (int k = 3; k < s->n - 2; k += stride) {
		int c = column_add(s, 0);
		for (int i = 0; i < s->n; i++)
			s->col[c][i] = fmin(u[i], u[k]);
		pair_add(s, COURSE_FILL, &c, 1, 0, -log(count), false);
	}
}

/* Time since the last great fall (way 1) or rise (-1). Where they are is paid for. */
static bool tooth_fill(const struct course_in *in, int way, double *out, double *prior)
{
	double most = 0, begin = in->x[0], longest = 0;
	int turns = 0, n = in->n;
	for (int i = 1; i < n; i++)
		most = fmax(most, way * (in->y[i - 1] - in->y[i]));
	for (int i = 0; i < n; i++) {
		if (i > 0 && most > 0 && way * (in->y[i - 1] - in->y[i]) > GREAT_TURN * most) {
			turns++;
			longest = fmax(longest, in->x[i] - 1 - begin);
			begin = in->x[i] - 1;
		}
		out[i] = (in->x[i] - begin) / (in->x[n - 1] - in->x[0]);
	}
	*prior = lgamma(turns + 1) + lgamma(n - turns) - lgamma(n) - M_LN2;
	bool overdue = in->x[n - 1] - begin > TOOTH_LATE * longest + 1;
	return turns > 0 && turns <= n / 2 && !(way > 0 && overdue);
}

static void teeth_add(struct shapes *s, const struct course_in *in)
{
	double prior;
	if (tooth_fill(in, 1, s->col[s->columns], &prior)) {
		int c = column_add(s, 0);
		pair_add(s, COURSE_TEETH, &c, 1, 1, prior, true);
	}
	if (tooth_fill(in, -1, s->col[s->columns], &prior)) /* beside a line it would be stairs */
		set_part(set_add(s, COURSE_TEETH, prior), column_add(s, 0), -1);
}

/* Epochs from one to the next of its kind: three of them must have been seen, and windows of several epochs hide the short ones. */
struct periods {
	int least, most, count;
};

static struct periods periods_of(const struct shapes *s)
{
	int seen = (int)(s->span + 1) / 3, most = seen < PERIOD_MOST ? seen : PERIOD_MOST, least = 2;
	while (least <= most && least * (s->n - 1) < 1.5 * s->span)
		least++;
	return (struct periods){least, most, most * (most + 1) / 2 - least * (least - 1) / 2};
}

/* Every k-th epoch is of another kind: it validates, or saves. */
static void pulses_add(struct shapes *s, const struct course_in *in)
{
	struct periods p = periods_of(s);
	for (int k = p.least; k <= p.most; k++)
		for (int phase = 0; phase < k; phase++) {
			int c = column_add(s, 0);
			for (int i = 0; i < s->n; i++)
				s->col[c][i] = lround(in->x[i] - in->x[0]) % k == phase;
			pair_add(s, COURSE_TEETH, &c, 1, 0, -log(p.count), false);
		}
}

static void hinges_add(struct shapes *s, const double *u, int stride, double prior)
{
	int count = (s->n - 7 + stride) / stride;
	for (int k = 3; k < s->n - 3; k += stride) {
		int c = column_add(s, 1);
		for (int i = 0; i < s->n; i++)
			s->col[c][i] = fmax(0, u[i] - u[k]);
		growth_add(s, COURSE_HINGE, c, prior - log(count), k);
	}
}

static void stairs_add(struct shapes *s, const struct course_in *in, double prior)
{
	struct periods p = periods_of(s);
	for (int k = p.least; k <= p.most; k++)
		for (int phase = 0; phase < k; phase++) {
			int c = column_add(s, 1);
			for (int i = 0; i < s->n; i++)
				s->col[c][i] =
				    floor((double)(lround(in->x[i] - in->x[0]) + phase) / k) * k / s->span;
			growth_add(s, COURSE_STAIRS, c, prior - log(p.count), 0);
		}
}

void shapes_fill(struct shapes *s, const struct course_in *in)
{
	double u[COURSE_MAX] = {0};
	int n = in->n, stride = n / 12 > 1 ? n / 12 : 1;
	s->n = n;
	s->curves_log = in->curves_log;
	s->columns = s->sets = 0;
	s->span = in->x[n - 1] - in->x[0];
	for (int i = 0; i < n; i++)
		u[i] = (in->x[i] - in->x[0]) / s->span;
	memcpy(s->col[column_add(s, 1)], u, (size_t)n * sizeof(u[0]));
	set_add(s, COURSE_LEVEL, 0)->core = true;
	double share = -log(1 + (n > 6) + (s->span >= 5));
	growth_add(s, COURSE_LINE, SHAPES_LINE, share, 0);
	exponentials_add(s, u);
	slow_curves_add(s, u);
	fills_add(s, u, stride);
	teeth_add(s, in);
	hinges_add(s, u, stride, share);
	pulses_add(s, in);
	stairs_add(s, in, share);
}
