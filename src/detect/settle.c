/* SPDX-License-Identifier: MIT */
/* Does a rise slow down? Saturating curves are fitted alone and beside a straight line.
 * Knows nothing of epochs or verdicts. */
#include <math.h>
#include <string.h>

#include "detect/parts.h"

enum { CURVES = 4, GRID = 7 };

struct problem {
	int n;
	double u[STATS_MAX], y[STATS_MAX]; /* u: 0..1; y: from its mean */
	double suu, suy, syy, mean_u;
	double high[CURVES]; /* longest scale of each curve */
};

struct fit {
	bool ok;
	int curve;
	double p, sse;
	double k, c;     /* of the curve and of the line */
	double c_factor; /* variance of c over that of the noise */
};

/* Windows come at equal distances for the most part, so that each value of the exponential is the one before
 * times the same factor: that is a tenth of the cost of the function. */
static void exponential_fill(const double *u, int n, double p, double *out)
{
	double left = exp(-u[0] / p), factor = 1, step = 0;
	out[0] = 1 - left;
	for (int i = 1; i < n; i++) {
		double d = u[i] - u[i - 1];
		if (fabs(d - step) > 1e-9) {
			step = d;
			factor = exp(-d / p);
		}
		left *= factor;
		out[i] = 1 - left;
	}
}

static void curve_fill(int curve, const double *u, int n, double p, double *out)
{
	switch (curve) {
	case 0:
		exponential_fill(u, n, p, out);
		break;
	case 1: /* single precision: three times as fast, and its error is far below any noise */
		for (int i = 0; i < n; i++)
			out[i] = log1pf((float)(u[i] / p));
		break;
	case 2:
		for (int i = 0; i < n; i++)
			out[i] = u[i] / (u[i] + p);
		break;
	default:
		for (int i = 0; i < n; i++)
			out[i] = 1 - 1 / sqrt(1 + u[i] / p);
	}
}

/* Where the curve's scale may lie, in spans of the data: from "over at once" to "hardly told from a line". */
static const double scale_low[CURVES] = {1 / 60.0, 1 / 600.0, 1 / 200.0, 1 / 300.0};
static const double scale_high[CURVES] = {1 / 2.2, 1 / 8.0, 1 / 5.0, 1 / 6.0};

/* A logarithm counts from the start of training, which may lie well before the first window. */
static double longest_scale(int curve, double begin, double span)
{
	return curve == 1 ? fmin(0.5, fmax(scale_high[curve], (begin + 1) / span)) : scale_high[curve];
}

static void problem_set(struct problem *p, const double *x, const double *y, int n)
{
	double mean = 0, span = fmax(x[n - 1] - x[0], 1e-9);
	memset(p, 0, sizeof(*p));
	p->n = n;
	for (int i = 0; i < CURVES; i++)
		p->high[i] = longest_scale(i, x[0], span);
	for (int i = 0; i < n; i++) {
		p->u[i] = (x[i] - x[0]) / span;
		p->mean_u += p->u[i] / n;
		mean += y[i] / n;
	}
	for (int i = 0; i < n; i++) {
		double u = p->u[i] - p->mean_u;
		p->y[i] = y[i] - mean;
		p->suu += u * u;
		p->suy += u * p->y[i];
		p->syy += p->y[i] * p->y[i];
	}
}

static void try_curve(const struct problem *p, int curve, double scale, struct fit *alone, struct fit *joint)
{
	double f[STATS_MAX], s = 0, sp = 0, sy = 0, su = 0;
	curve_fill(curve, p->u, p->n, scale, f);
	for (int i = 0; i < p->n; i++) {
		s += f[i];
		sp += f[i] * f[i];
		sy += f[i] * p->y[i];
		su += f[i] * (p->u[i] - p->mean_u);
	}
	sp -= s * s / p->n;
	if (sp <= 0)
		return;
	double k0 = sy / sp, sse0 = fmax(0, p->syy - k0 * sy);
	if (k0 >= 0 && (!alone->ok || sse0 < alone->sse))
		*alone = (struct fit){.ok = true, .curve = curve, .p = scale, .sse = sse0, .k = k0};
	double det = sp * p->suu - su * su;
	if (det <= 1e-12 * sp * p->suu)
		return;
	double k = (sy * p->suu - p->suy * su) / det, c = (p->suy * sp - sy * su) / det;
	double sse = fmax(0, p->syy - k * sy - c * p->suy);
	if (c < 0)
		k = k0, c = 0, sse = sse0; /* a line that falls is no leak: the curve alone */
	if (k >= 0 && (!joint->ok || sse < joint->sse))
		*joint = (struct fit){true, curve, scale, sse, k, c, sp / det};
}

static void refine(const struct problem *p, struct fit around, double width, struct fit *alone,
		   struct fit *joint)
{
	if (!around.ok)
		return;
	double step = log(p->high[around.curve] / scale_low[around.curve]) / (GRID - 1) * width;
	for (int i = 0; i < GRID; i++) {
		double scale = around.p * exp((2.0 * i / (GRID - 1) - 1) * step);
		try_curve(p, around.curve, fmin(scale, p->high[around.curve]), alone, joint);
	}
}

/* What the curve a and the slow one b, both from their means and neither falling, leave of y. */
static double pair_sse(const struct problem *p, const double *a, const double *b)
{
	double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
	for (int i = 0; i < p->n; i++) {
		aa += a[i] * a[i], ab += a[i] * b[i], bb += b[i] * b[i];
		ay += a[i] * p->y[i], by += b[i] * p->y[i];
	}
	double det = aa * bb - ab * ab, k = ay * bb - by * ab, c = by * aa - ay * ab;
	if (det > 1e-12 * aa * bb && k >= 0 && c >= 0)
		return fmax(0, p->syy - (k * ay + c * by) / det);
	double by_a = ay > 0 && aa > 0 ? ay * ay / aa : 0, by_b = by > 0 && bb > 0 ? by * by / bb : 0;
	return fmax(0, p->syy - fmax(by_a, by_b));
}

/* From its mean. */
static void curve_centred(const struct problem *p, int curve, double scale, double *out)
{
	double mean = 0;
	curve_fill(curve, p->u, p->n, scale, out);
	for (int i = 0; i < p->n; i++)
		mean += out[i] / p->n;
	for (int i = 0; i < p->n; i++)
		out[i] -= mean;
}

double settle_slow_sse(const double *x, const double *y, int n, double q)
{
	/* exponentials that have 4, 19 and 43 % of themselves left at the end: faster ones are the first
	 * curve's, slower ones cannot be told from lines */
	static const double slow[] = {0.3, 0.6, 1.2};
	enum { SLOW = sizeof(slow) / sizeof(slow[0]) };
	struct problem p;
	double a[STATS_MAX], b[SLOW][STATS_MAX], best = HUGE_VAL;
	problem_set(&p, x, y, n);
	for (int k = 0; k < SLOW; k++)
		curve_centred(&p, 0, slow[k], b[k]);
	for (int curve = 0; curve < CURVES; curve++) {
		double ratio = log(p.high[curve] / scale_low[curve]) / (2 * GRID - 1);
		for (int i = 0; i < 2 * GRID; i++) {
			curve_centred(&p, curve, scale_low[curve] * exp(i * ratio), a);
			for (int k = 0; k < SLOW; k++)
				best = fmin(best, pair_sse(&p, a, b[k]));
		}
	}
	return best + n * (q * q / 12 + 1);
}

static double joint_inflation(const struct problem *p, const struct fit *f)
{
	double r[STATS_MAX] = {0}, mean = 0;
	curve_fill(f->curve, p->u, p->n, f->p, r);
	for (int i = 0; i < p->n; i++) {
		r[i] = p->y[i] - f->k * r[i] - f->c * p->u[i];
		mean += r[i] / p->n;
	}
	for (int i = 0; i < p->n; i++)
		r[i] -= mean;
	return stats_ar_inflation(r, p->n);
}

void settle_fit(const double *x, const double *y, int n, double q, struct settle *out)
{
	struct problem p;
	struct fit alone = {0}, joint = {0};
	problem_set(&p, x, y, n);
	for (int curve = 0; curve < CURVES; curve++) {
		double ratio = log(p.high[curve] / scale_low[curve]) / (GRID - 1);
		for (int i = 0; i < GRID; i++)
			try_curve(&p, curve, scale_low[curve] * exp(i * ratio), &alone, &joint);
	}
	for (int round = 0; round < 2; round++) {
		refine(&p, joint, round ? 0.25 : 1, &alone, &joint);
		refine(&p, alone, round ? 0.25 : 1, &alone, &joint);
	}
	/* to 1 % of the scale: with 5 %, what a coarse scale leaves looks like a second curve where there is
	 * little noise */
	refine(&p, joint, 0.06, &alone, &joint);
	double span = fmax(x[n - 1] - x[0], 1e-9), least = q * q / 12 + 1;
	memset(out, 0, sizeof(*out));
	out->sse_line = fmax(0, p.syy - p.suy * p.suy / p.suu) + n * least;
	out->sse_alone = (alone.ok ? alone.sse : out->sse_line - n * least) + n * least;
	out->joint = joint.ok;
	out->inflation = 1;
	if (!joint.ok)
		return;
	out->sse_joint = joint.sse + n * least;
	out->inflation = joint_inflation(&p, &joint);
	out->line_slope = joint.c / span;
	static const double last[] = {0.95, 1};
	double end[2];
	curve_fill(joint.curve, last, 2, joint.p, end);
	out->curve_end = joint.k * (end[1] - end[0]) / (last[1] - last[0]) / span;
	double s2 = fmax(joint.sse / (n > 5 ? n - 4 : 1), least);
	out->line_se = sqrt(s2 * out->inflation * joint.c_factor) / span;
}
