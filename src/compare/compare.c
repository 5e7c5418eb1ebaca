/* SPDX-License-Identifier: MIT */
/* Alignment, and what is noise. Where a side has several runs their spread is the noise; a single run does not show how
 * much the next one would differ, so that two single ones must differ by more than runs of the same program do. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/stats.h"
#include "base/units.h"
#include "base/xalloc.h"

/* How far apart two runs of the same program may be, as shares of their level: tests/compare/pairs measures it. */
#define PLATEAU_SHARE 0.01
#define PEAK_SHARE    0.03
#define DRIFT_SHARE   0.018 /* of growth, over the part compared */
#define REPEATS_SHARE 0.003 /* where the noise is known from several runs */
#define LEAST_BYTES   (1.0 * MIB)
#define TIME_SHARE    0.05
#define MEDIAN_BOUNDS 2.5 /* standard deviations over the root of their number */

enum { RUNS_MAX = 64, POINTS_MIN = 4 };

/* One run's part of a comparison. */
struct stretch {
	double level, level_noise, slope, slope_noise; /* noise: half of the 95 % bounds within the run */
	bool ok, sloped; /* there is a level; there are enough points for a slope */
};

static const struct curve *curve_of(const struct series_figures *f, bool by_epoch)
{
	return by_epoch ? &f->by_epoch : &f->by_time;
}

/* The points between two x. */
static int cut(const struct curve *c, double from, double to, double *x, double *y)
{
	int n = 0;

	for (int i = 0; i < c->n; i++)
		if (c->x[i] >= from && c->x[i] <= to) {
			x[n] = c->x[i];
			y[n++] = c->low[i];
		}
	return n;
}

/* Where growth is looked for: in the last two thirds, and where a run has settled, since then. */
static double growth_from(const struct series_figures *f, bool by_epoch, double from, double to)
{
	const struct curve *c = curve_of(f, by_epoch);
	double third = from + (to - from) / 3, x[CURVE_POINTS], y[CURVE_POINTS];
	double onset = by_epoch ? (double)f->v.onset_epoch + 1 : (double)f->v.onset_ms / MS_PER_S;

	if (f->v.plateau_bytes == 0 || f->v.shape == SHAPE_GROWTH || onset <= third ||
	    cut(c, onset, to, x, y) < POINTS_MIN)
		return third;
	return onset;
}

/* Set-up and warm-up are left out of the slope; the level is that of the last
 * third. */
static struct stretch stretch_of(const struct series_figures *f, bool by_epoch, double from, double to)
{
	double x[CURVE_POINTS], y[CURVE_POINTS], r[CURVE_POINTS], bounds;
	const struct curve *c = curve_of(f, by_epoch);
	struct stretch p = {0};
	struct line l;
	int n = cut(c, to - (to - from) / 3, to, x, y);

	if (n == 0)
		return p;
	p.ok = true;
	p.level = stats_median(y, n);
	bounds = MEDIAN_BOUNDS / sqrt(n);
	n = cut(c, growth_from(f, by_epoch, from, to), to, x, y);
	if (n < POINTS_MIN)
		return p;
	l = stats_line(x, y, n, 4096, r);
	p.sloped = true;
	p.slope = fmax(l.slope, 0); /* what falls does not grow */
	p.slope_noise = l.se * stats_t975(l.dof);
	p.level_noise = bounds * stats_mad(r, n);
	return p;
}

/* Bounds of the slope of the difference, epoch by epoch: what both do alike cancels. False: they have too few in
 * common. */
static bool slope_of_difference(const struct series_figures *a, const struct series_figures *b, double from,
				double to, double *slope, double *noise)
{
	double x[CURVE_POINTS], y[CURVE_POINTS];
	const struct curve *ca = &a->by_epoch, *cb = &b->by_epoch;
	double start = fmax(growth_from(a, true, from, to), growth_from(b, true, from, to));
	struct line l;
	int n = 0;

	for (int i = 0, k = 0; i < ca->n; i++) {
		while (k < cb->n && cb->x[k] < ca->x[i] - 0.25)
			k++;
		if (k < cb->n && fabs(cb->x[k] - ca->x[i]) < 0.25 && ca->x[i] >= start && ca->x[i] <= to) {
			x[n] = ca->x[i];
			y[n++] = cb->low[k] - ca->low[i];
		}
	}
	if (n < POINTS_MIN)
		return false;
	l = stats_line(x, y, n, 4096, NULL);
	*slope = l.slope;
	*noise = l.se * stats_t975(l.dof);
	return true;
}

static double mean(const double *a, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i];
	return n > 0 ? sum / n : 0;
}

static double square_of_sd(const double *a, int n)
{
	double sd = stats_sd(a, n);

	return sd * sd;
}

/* single: the noise where each side has one run; least: it is never below. */
static struct figure figure_of(const double *base, int bases, const double *new, int news, double single,
			       double least)
{
	struct figure f = {.ok = bases > 0 && news > 0};
	int dof = bases + news - 2;
	double pooled;

	if (!f.ok)
		return f;
	f.base = mean(base, bases);
	f.new = mean(new, news);
	f.difference = f.new - f.base;
	f.noise = single;
	if (dof > 0) {
		pooled =
		    (square_of_sd(base, bases) * (bases - 1) + square_of_sd(new, news) * (news - 1)) / dof;
		f.noise = fmax(stats_t975(dof) * sqrt(pooled * (1.0 / bases + 1.0 / news)), least);
	}
	f.beyond = fabs(f.difference) > f.noise;
	return f;
}

struct side {
	const struct run_figures *const *runs;
	int n;
};

/* The same figure of every run of a side that has it. */
struct values {
	double v[RUNS_MAX];
	int n;
};

struct view {
	bool by_epoch;
	double from, to;
};

enum which { WHICH_LEVEL, WHICH_SLOPE, WHICH_PEAK, WHICH_JUMP, WHICH_KEPT, WHICH_FREE };

static const struct series_figures *figures_of(const struct run_figures *r, const char *name,
					       enum which which)
{
	if (which == WHICH_KEPT)
		return &r->kept;
	if (which == WHICH_FREE)
		return &r->freed;
	return run_figures_find(r, name);
}

static struct values values_of(const struct side *side, const char *name, enum which which,
			       const struct view *view)
{
	struct values out = {.n = 0};

	for (int i = 0; i < side->n && out.n < RUNS_MAX; i++) {
		const struct series_figures *f = figures_of(side->runs[i], name, which);
		struct stretch p = {0};

		if (f)
			p = stretch_of(f, view->by_epoch, view->from, view->to);
		if (!f || (!p.ok && which != WHICH_PEAK && which != WHICH_JUMP) ||
		    (!p.sloped && which == WHICH_SLOPE))
			continue;
		out.v[out.n++] = which == WHICH_SLOPE  ? p.slope
				 : which == WHICH_PEAK ? (double)f->v.peak_bytes
				 : which == WHICH_JUMP ? f->v.jump_bytes
						       : p.level;
	}
	return out;
}

static struct figure figure(const struct side *base, const struct side *new, const char *name,
			    enum which which, const struct view *view, double single, double least)
{
	struct values a = values_of(base, name, which, view), b = values_of(new, name, which, view);

	return figure_of(a.v, a.n, b.v, b.n, single, least);
}

/* What the runs of a side waver by themselves: their level, or their slope. */
static double own_noise(const struct side *side, const char *name, enum which which, const struct view *view)
{
	double sum = 0;

	for (int i = 0; i < side->n; i++) {
		const struct series_figures *f = run_figures_find(side->runs[i], name);
		struct stretch p = {0};

		if (f)
			p = stretch_of(f, view->by_epoch, view->from, view->to);
		sum += which == WHICH_SLOPE ? p.slope_noise * p.slope_noise : p.level_noise * p.level_noise;
	}
	return sqrt(sum);
}

static struct figure growth_figure(const struct side *base, const struct side *new, const char *name,
				   const struct view *view, double level)
{
	double span = (view->to - view->from) * 2 / 3, drift, single, slope, noise;
	const struct series_figures *a = run_figures_find(base->runs[0], name),
				    *b = run_figures_find(new->runs[0], name);
	struct figure f;

	drift = span > 0 ? fmax(DRIFT_SHARE * level, 1.25 * LEAST_BYTES) / span : HUGE_VAL;
	single = fmax(
	    hypot(own_noise(base, name, WHICH_SLOPE, view), own_noise(new, name, WHICH_SLOPE, view)), drift);
	f = figure(base, new, name, WHICH_SLOPE, view, single, drift * REPEATS_SHARE / DRIFT_SHARE);
	if (base->n != 1 || new->n != 1 || !view->by_epoch || !f.ok || !a || !b)
		return f;
	if (slope_of_difference(a, b, view->from, view->to, &slope, &noise)) {
		f.noise = fmax(noise, drift);
		f.beyond = fabs(f.difference) > f.noise;
	}
	return f;
}

/* One run of each side does not tell how much the figure varies. */
static void forget_noise(struct figure *f)
{
	f->noise_unknown = true;
	f->noise = 0;
	f->beyond = false;
}

static int growing(const struct side *side, const char *name)
{
	int n = 0;

	for (int i = 0; i < side->n; i++) {
		const struct series_figures *f = run_figures_find(side->runs[i], name);

		n += f && f->v.shape == SHAPE_GROWTH;
	}
	return n;
}

static void compare_series(struct series_comparison *s, const struct side *base, const struct side *new,
			   const char *name, const struct view *view)
{
	struct figure *f = s->figures;
	double level, own, least, single;

	memcpy(s->name, name, sizeof(s->name));
	s->base_grows = growing(base, name);
	s->new_grows = growing(new, name);
	own = hypot(own_noise(base, name, WHICH_LEVEL, view), own_noise(new, name, WHICH_LEVEL, view));
	f[FIGURE_PLATEAU] = figure(base, new, name, WHICH_LEVEL, view, 0, 0);
	level = f[FIGURE_PLATEAU].ok ? f[FIGURE_PLATEAU].base : 0;
	least = fmax(REPEATS_SHARE * level, LEAST_BYTES / 16);
	single = fmax(fmax(PLATEAU_SHARE * level, own), LEAST_BYTES);
	f[FIGURE_PLATEAU] = figure(base, new, name, WHICH_LEVEL, view, single, least);
	f[FIGURE_PEAK] =
	    figure(base, new, name, WHICH_PEAK, view, fmax(PEAK_SHARE * level, 2 * single), least);
	f[FIGURE_JUMP] = figure(base, new, name, WHICH_JUMP, view, HUGE_VAL, 2 * least);
	if (base->n == 1 && new->n == 1)
		forget_noise(&f[FIGURE_JUMP]);
	f[FIGURE_GROWTH] = growth_figure(base, new, name, view, level);
	if (strcmp(name, "host") != 0)
		return;
	f[FIGURE_KEPT] = figure(base, new, name, WHICH_KEPT, view, single, least);
	f[FIGURE_FREE] = figure(base, new, name, WHICH_FREE, view, single, least);
}

static bool has_epochs(const struct side *side)
{
	for (int i = 0; i < side->n; i++) {
		bool has = false;

		for (int k = 0; k < side->runs[i]->n; k++)
			has = has || side->runs[i]->series[k].by_epoch.n >= POINTS_MIN;
		if (!has)
			return false;
	}
	return true;
}

static void narrow(struct view *v, const struct side *side)
{
	for (int i = 0; i < side->n; i++) {
		double from = HUGE_VAL, to = -HUGE_VAL;

		for (int k = 0; k < side->runs[i]->n; k++) {
			const struct curve *c = curve_of(&side->runs[i]->series[k], v->by_epoch);

			if (c->n == 0)
				continue;
			from = fmin(from, c->x[0]);
			to = fmax(to, c->x[c->n - 1]);
		}
		v->from = fmax(v->from, from);
		v->to = fmin(v->to, to);
	}
}

/* One run of each side: how long an epoch takes depends on what else the machine did. */
static struct figure compare_times(const struct side *base, const struct side *new)
{
	struct values v[2] = {{.n = 0}, {.n = 0}};
	const struct side *sides[2] = {base, new};
	struct figure f;

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < sides[s]->n && i < RUNS_MAX; i++)
			if (sides[s]->runs[i]->epochs_timed > 0)
				v[s].v[v[s].n++] =
				    stats_median(sides[s]->runs[i]->epoch_s, sides[s]->runs[i]->epochs_timed);
	f = figure_of(v[0].v, v[0].n, v[1].v, v[1].n, HUGE_VAL, TIME_SHARE * mean(v[0].v, v[0].n));
	if (v[0].n == 1 && v[1].n == 1)
		forget_noise(&f);
	return f;
}

/* +1 more, -1 less memory, 0 neither. */
static int direction(const struct series_comparison *s, enum figure_kind kind)
{
	const struct figure *f = &s->figures[kind];

	return f->ok && f->beyond ? (f->difference > 0) - (f->difference < 0) : 0;
}

/* A leak that came is worse whatever the level is by now: it goes on. One that went makes up for no higher level. */
static enum comparison_result result_of(const struct comparison *c)
{
	bool better = false, worse = false;

	if (c->lack.kind != LACK_NONE)
		return COMPARISON_UNKNOWN;
	for (int i = 0; i < c->n; i++) {
		int growth = direction(&c->series[i], FIGURE_GROWTH),
		    level = direction(&c->series[i], FIGURE_PLATEAU),
		    peak = direction(&c->series[i], FIGURE_PEAK);

		worse = worse || growth > 0 || level > 0 || peak > 0;
		better = better || growth < 0 || (growth == 0 && (level < 0 || peak < 0));
	}
	if (better && worse)
		return COMPARISON_MIXED;
	return better ? COMPARISON_BETTER : worse ? COMPARISON_WORSE : COMPARISON_SAME;
}

static bool in_both(const struct side *base, const struct side *new, const char *name)
{
	for (int i = 0; i < base->n; i++)
		if (!run_figures_find(base->runs[i], name))
			return false;
	for (int i = 0; i < new->n; i++)
		if (!run_figures_find(new->runs[i], name))
			return false;
	return true;
}

/* Rows that were lost are not like those that were read: what is left may be the end of a file. */
static enum lack_kind lack_of_run(const struct run_figures *r)
{
	if (r->lost > r->samples)
		return LACK_ROWS;
	return r->samples < POINTS_MIN ? LACK_SAMPLES : LACK_NONE;
}

static bool has_points(const struct run_figures *r, const struct view *view)
{
	double x[CURVE_POINTS], y[CURVE_POINTS];

	for (int i = 0; i < r->n; i++)
		if (cut(curve_of(&r->series[i], view->by_epoch), view->from, view->to, x, y) >= POINTS_MIN)
			return true;
	return false;
}

/* Keeps the first lack that was found. */
static void look_for_lack(struct comparison_lack *lack, const struct side *side, bool new,
			  const struct view *view)
{
	for (int i = 0; i < side->n && lack->kind == LACK_NONE; i++) {
		const struct run_figures *r = side->runs[i];

		*lack = (struct comparison_lack){lack_of_run(r), new, i, r->samples, r->lost};
		if (lack->kind == LACK_NONE && view && !has_points(r, view))
			lack->kind = LACK_COMMON;
	}
}

static struct comparison_lack find_lack(const struct side *base, const struct side *new,
					const struct view *view, int series)
{
	struct comparison_lack lack = {LACK_NONE};

	look_for_lack(&lack, base, false, NULL);
	look_for_lack(&lack, new, true, NULL);
	look_for_lack(&lack, base, false, view);
	look_for_lack(&lack, new, true, view);
	if (lack.kind == LACK_NONE && series == 0)
		lack.kind = LACK_COMMON;
	return lack;
}

struct comparison *compare_runs(const struct run_figures *const *base, int base_runs,
				const struct run_figures *const *new, int new_runs)
{
	struct comparison *c = xcalloc(1, sizeof(*c));
	struct side a = {base, base_runs}, b = {new, new_runs};
	struct view view = {.from = -HUGE_VAL, .to = HUGE_VAL};

	c->base_runs = base_runs;
	c->new_runs = new_runs;
	c->by_epoch = view.by_epoch = has_epochs(&a) && has_epochs(&b);
	narrow(&view, &a);
	narrow(&view, &b);
	c->from = view.from;
	c->to = view.to;
	c->series = xcalloc((size_t)base[0]->n, sizeof(*c->series));
	for (int i = 0; i < base[0]->n; i++)
		if (in_both(&a, &b, base[0]->series[i].name))
			compare_series(&c->series[c->n++], &a, &b, base[0]->series[i].name, &view);
	c->epoch_s = compare_times(&a, &b);
	c->lack = find_lack(&a, &b, &view, c->n);
	c->result = result_of(c);
	return c;
}

void compare_free(struct comparison *c)
{
	if (!c)
		return;
	free(c->series);
	free(c);
}

const char *compare_result_name(enum comparison_result result)
{
	static const char *const names[] = {[COMPARISON_SAME] = "same",
					    [COMPARISON_BETTER] = "better",
					    [COMPARISON_WORSE] = "worse",
					    [COMPARISON_MIXED] = "mixed",
					    [COMPARISON_UNKNOWN] = "unknown"};

	return names[result];
}

const char *compare_figure_name(enum figure_kind kind)
{
	static const char *const names[FIGURE_KINDS] = {
	    [FIGURE_PLATEAU] = "plateau", [FIGURE_PEAK] = "peak", [FIGURE_GROWTH] = "growth",
	    [FIGURE_JUMP] = "jump",       [FIGURE_KEPT] = "kept", [FIGURE_FREE] = "free",
	};

	return names[kind];
}
