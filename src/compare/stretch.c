/* SPDX-License-Identifier: MIT */
/* The level is the median of the last third. Growth is what the verdict says; where it says none, it is looked for in the
 * last two thirds: set-up and warm-up are left out. Knows nothing of other runs. */
#include "compare/stretch.h"

#include <math.h>

#include "base/clock.h"
#include "base/stats.h"
#include "base/units.h"

#define MEDIAN_VAR  1.57          /* a median's variance over that of a mean */
#define Z975        1.96          /* half of 95 % bounds in standard deviations */
#define PAGE_BYTES  4096.0        /* memory comes in these */
#define PIECE_BYTES ((double)MIB) /* an arena of Python's small objects */
#define SAME_EPOCH  0.25          /* epochs, and middles of joined ones, lie half an epoch apart or more */

struct points {
	double x[CURVE_POINTS], y[CURVE_POINTS];
	int n;
};

const struct curve *stretch_curve(const struct series_figures *f, const struct view *view)
{
	return view->by_epoch ? &f->by_epoch : &f->by_time;
}

static void cut(struct points *p, const struct curve *c, double from, double to)
{
	p->n = 0;
	for (int i = 0; i < c->n; i++)
		if (c->x[i] >= from && c->x[i] <= to) {
			p->x[p->n] = c->x[i];
			p->y[p->n++] = c->low[i];
		}
}

double stretch_peak(const struct series_figures *f, const struct view *view)
{
	const struct curve *c = stretch_curve(f, view);
	double high = view->by_epoch ? f->early_high : 0;

	if (view->whole)
		return (double)f->v.peak_bytes;
	for (int i = 0; i < c->n && c->x[i] <= view->to; i++)
		high = fmax(high, c->high[i]);
	return high;
}

int stretch_points(const struct curve *c, const struct view *view)
{
	struct points p;

	cut(&p, c, view->from, view->to);
	return p.n;
}

/* Where a run has settled later than that, growth is looked for since then. */
static double growth_from(const struct series_figures *f, const struct view *view)
{
	double third = view->from + (view->to - view->from) / 3;
	double onset = view->by_epoch ? (double)f->v.onset_epoch + 1 : (double)f->v.onset_ms / MS_PER_S;
	struct points p;

	if (f->v.plateau_bytes == 0 || f->v.shape == SHAPE_GROWTH || onset <= third)
		return third;
	cut(&p, stretch_curve(f, view), onset, view->to);
	return p.n < STRETCH_POINTS_MIN ? third : onset;
}

/* Takes the largest step back to the size of the next; by how much it stood out. */
static double level_lone_step(struct points *p)
{
	double steps[CURVE_POINTS], usual, next = 0, excess;
	int largest = 0, n = p->n - 1;

	stats_diff(p->y, p->n, steps);
	usual = stats_median(steps, n);
	for (int i = 1; i < n; i++)
		if (fabs(steps[i] - usual) > fabs(steps[largest] - usual))
			largest = i;
	for (int i = 0; i < n; i++)
		if (i != largest)
			next = fmax(next, fabs(steps[i] - usual));
	excess = fabs(steps[largest] - usual) - next;
	for (int i = largest + 1; i < p->n; i++)
		p->y[i] -= copysign(excess, steps[largest] - usual);
	return excess;
}

static double square_sum(const struct points *p, double mean_x)
{
	double sum = 0;

	for (int i = 0; i < p->n; i++)
		sum += (p->x[i] - mean_x) * (p->x[i] - mean_x);
	return sum;
}

/* Noise that has a memory leaves a median of many points hardly better than one of them. */
static double median_var(const struct points *p, int level_points)
{
	double residuals[CURVE_POINTS], var, memory, usual;
	struct line l = stats_line(p->x, p->y, p->n, PAGE_BYTES, residuals);

	var = fmax(l.sse / l.dof, PAGE_BYTES * PAGE_BYTES / 12);
	memory = l.se * l.se * square_sum(p, l.mean_x) / var;
	usual = fmax(stats_mad(residuals, p->n), PAGE_BYTES / 4); /* a few odd epochs do not move a median */
	return MEDIAN_VAR * fmin(var, usual * usual) * fmin(memory / level_points, 1);
}

/* Of all pairs of points: single odd ones do not move it. */
static double median_slope(const struct points *p)
{
	double x[CURVE_POINTS / 2], y[CURVE_POINTS / 2];
	int n = 0, every = p->n > CURVE_POINTS / 2 ? 2 : 1;

	for (int i = 0; i < p->n; i += every, n++) {
		x[n] = p->x[i];
		y[n] = p->y[i];
	}
	return stats_theil(x, y, n);
}

static struct stretch measure(const struct curve *c, double growth_from_x, const struct view *view)
{
	double third = (view->to - view->from) / 3;
	struct stretch s = {0};
	struct points p;
	struct line l;
	int level_points;

	cut(&p, c, view->to - third, view->to);
	if (p.n == 0)
		return s;
	s.ok = true;
	s.level = stats_median(p.y, p.n);
	level_points = p.n;
	cut(&p, c, growth_from_x, view->to);
	if (p.n < STRETCH_POINTS_MIN)
		return s;
	l = stats_line(p.x, p.y, p.n, PAGE_BYTES, NULL);
	level_lone_step(&p);
	s.sloped = true;
	s.slope = median_slope(&p);
	s.slope_var = s.line_var = l.se * l.se;
	cut(&p, c, view->from + third, view->to);
	s.piece = fmin(level_lone_step(&p), PIECE_BYTES);
	s.level_var = median_var(&p, level_points);
	return s;
}

static bool has_judged_slope(const struct verdict *v, const struct view *view)
{
	return v->shape == SHAPE_GROWTH && v->slope_known && v->per_epoch == view->by_epoch;
}

struct stretch stretch_of(const struct series_figures *f, const struct view *view)
{
	struct stretch s = measure(stretch_curve(f, view), growth_from(f, view), view);

	if (has_judged_slope(&f->v, view)) {
		s.slope = view->by_epoch ? f->v.slope_bytes_per_epoch : f->v.slope_bytes_per_s;
		s.slope_var = fmax(s.slope_var, pow((f->v.slope_high - f->v.slope_low) / (2 * Z975), 2));
	}
	s.slope = fmax(s.slope, 0); /* what falls does not grow */
	return s;
}

struct stretch stretch_of_difference(const struct series_figures *a, const struct series_figures *b,
				     const struct view *view)
{
	const struct curve *ca = &a->by_epoch, *cb = &b->by_epoch;
	struct curve d = {.n = 0};

	for (int i = 0, k = 0; i < ca->n; i++) {
		while (k < cb->n && cb->x[k] < ca->x[i] - SAME_EPOCH)
			k++;
		if (k < cb->n && fabs(cb->x[k] - ca->x[i]) < SAME_EPOCH) {
			d.x[d.n] = ca->x[i];
			d.low[d.n++] = cb->low[k] - ca->low[i];
		}
	}
	return measure(&d, fmin(growth_from(a, view), growth_from(b, view)), view);
}
