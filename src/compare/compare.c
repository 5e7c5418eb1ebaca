/* SPDX-License-Identifier: MIT */
/* Alignment, the figures of both sides, and what they come to. What is noise is spread.c's. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/xalloc.h"
#include "compare/spread.h"

#define END_SHARE  0.1  /* of its time by which a run may be the longer one and yet end with the other */
#define TIME_SHARE 0.05 /* the time of an epoch depends on what else the machine does */

enum { RUNS_MAX = 64 };

static double mean(const double *a, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i];
	return n > 0 ? sum / n : 0;
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

enum which { WHICH_LEVEL, WHICH_SLOPE, WHICH_PEAK, WHICH_JUMP, WHICH_KEPT, WHICH_FREE };

static const struct series_figures *figures_of(const struct run_figures *r, const char *name,
					       enum which which, const struct view *view)
{
	if (which == WHICH_KEPT || (which == WHICH_SLOPE && view->kept && strcmp(name, "host") == 0))
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
		const struct series_figures *f = figures_of(side->runs[i], name, which, view);
		struct stretch p = {0};

		if (f)
			p = stretch_of(f, view);
		if (!f || (!p.ok && which != WHICH_PEAK && which != WHICH_JUMP) ||
		    (!p.sloped && which == WHICH_SLOPE))
			continue;
		out.v[out.n++] = which == WHICH_SLOPE  ? p.slope
				 : which == WHICH_PEAK ? stretch_peak(f, view)
				 : which == WHICH_JUMP ? f->v.jump_bytes
						       : p.level;
	}
	return out;
}

static struct figure figure_of(const struct values *base, const struct values *new, double expected_var)
{
	struct figure f = {.ok = base->n > 0 && new->n > 0};

	if (!f.ok)
		return f;
	f.base = mean(base->v, base->n);
	f.new = mean(new->v, new->n);
	f.difference = f.new - f.base;
	f.noise = spread_bounds(expected_var, base->v, base->n, new->v, new->n);
	f.beyond = fabs(f.difference) > f.noise;
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

/* What the runs of both sides waver by themselves, in the mean. */
static struct stretch mean_stretch(const struct side *base, const struct side *new, const char *name,
				   enum which which, const struct view *view)
{
	const struct side *sides[] = {base, new};
	struct stretch sum = {0};
	int n = 0;

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < sides[s]->n; i++, n++) {
			const struct series_figures *f = figures_of(sides[s]->runs[i], name, which, view);
			struct stretch p = {0};

			if (f)
				p = stretch_of(f, view);
			sum.level_var += p.level_var;
			sum.slope_var += p.slope_var;
			sum.line_var += p.line_var;
			sum.piece = fmax(sum.piece, p.piece);
		}
	sum.level_var /= n;
	sum.slope_var /= n;
	sum.line_var /= n;
	return sum;
}

/* As above; of one run each, what both do alike is no noise. */
static struct stretch own_noise(const struct side *base, const struct side *new, const char *name,
				enum which which, const struct view *view)
{
	struct stretch own = mean_stretch(base, new, name, which, view), d;
	const struct series_figures *a = figures_of(base->runs[0], name, which, view),
				    *b = figures_of(new->runs[0], name, which, view);

	if (base->n != 1 || new->n != 1 || !view->by_epoch || !a || !b)
		return own;
	d = stretch_of_difference(a, b, view);
	if (!d.sloped)
		return own;
	own.level_var = fmin(own.level_var, d.level_var / 2);
	if (growing(base, name) + growing(new, name) == 0) /* else slopes are those of two verdicts */
		own.slope_var = fmin(own.slope_var, d.slope_var / 2);
	own.piece = fmin(own.piece, d.piece);
	return own;
}

static struct figure compare_figure(const struct side *base, const struct side *new, const char *name,
				    enum which which, const struct view *view, double expected_var)
{
	struct values a = values_of(base, name, which, view), b = values_of(new, name, which, view);

	return figure_of(&a, &b, expected_var);
}

static double largest_swing(const struct side *side, const char *name)
{
	double swing = 0;

	for (int i = 0; i < side->n; i++) {
		const struct series_figures *f = run_figures_find(side->runs[i], name);

		swing = fmax(swing, f ? f->v.swing_bytes : 0);
	}
	return swing;
}

/* Samples in an epoch, of the run that has fewest; 0 unknown. */
static double fewest_looks(const struct side *side)
{
	double looks = HUGE_VAL;

	for (int i = 0; i < side->n; i++) {
		const struct run_figures *r = side->runs[i];

		looks = fmin(looks, r->epochs > 0 ? (double)r->samples / (double)r->epochs : 0);
	}
	return looks;
}

static double above_level(const struct values *peaks, const struct values *levels)
{
	return fmax(mean(peaks->v, peaks->n) - mean(levels->v, levels->n), 0);
}

/* Of heaps there is one reading as an epoch ends, some milliseconds late: where memory swings just then it is as much a
 * matter of phase as the lowest of few samples. Without the swing, like runs of a sawtooth are called different. */
static struct expected_spread expected_of(const struct side *base, const struct side *new, const char *name,
					  enum which which, const struct view *view)
{
	struct values a = values_of(base, name, WHICH_LEVEL, view),
		      b = values_of(new, name, WHICH_LEVEL, view);
	struct values high_a = values_of(base, name, WHICH_PEAK, view),
		      high_b = values_of(new, name, WHICH_PEAK, view);
	struct values free_a = values_of(base, name, WHICH_FREE, view),
		      free_b = values_of(new, name, WHICH_FREE, view);
	struct stretch own = own_noise(base, new, name, which, view);
	const struct run_habits habits = {
	    .swing_bytes = fmax(largest_swing(base, name), largest_swing(new, name)),
	    .looks = fmin(fewest_looks(base), fewest_looks(new)),
	    .grows = growing(base, name) + growing(new, name) > 0,
	    .level_bytes = mean(a.v, a.n),
	    .above_bytes = fmax(above_level(&high_a, &a), above_level(&high_b, &b)),
	    .free_bytes = which == WHICH_KEPT || strcmp(name, "host") != 0
			      ? 0
			      : fmax(mean(free_a.v, free_a.n), mean(free_b.v, free_b.n)),
	    .span = view->to - view->from,
	};

	return spread_expected(&own, &habits);
}

static void compare_series(struct series_comparison *s, const struct side *base, const struct side *new,
			   const char *name, const struct view *view)
{
	struct expected_spread e = expected_of(base, new, name, WHICH_LEVEL, view);
	struct figure *f = s->figures;

	memcpy(s->name, name, sizeof(s->name));
	s->base_grows = growing(base, name);
	s->new_grows = growing(new, name);
	f[FIGURE_PLATEAU] = compare_figure(base, new, name, WHICH_LEVEL, view, e.level_var);
	f[FIGURE_PEAK] = compare_figure(base, new, name, WHICH_PEAK, view, e.peak_var);
	f[FIGURE_JUMP] = compare_figure(base, new, name, WHICH_JUMP, view, e.peak_var);
	if (base->n == 1 && new->n == 1)
		forget_noise(&f[FIGURE_JUMP]);
	e = expected_of(base, new, name, WHICH_SLOPE, view);
	f[FIGURE_GROWTH] = compare_figure(base, new, name, WHICH_SLOPE, view, e.slope_var);
	if (strcmp(name, "host") != 0)
		return;
	e = expected_of(base, new, name, WHICH_KEPT, view);
	f[FIGURE_KEPT] = compare_figure(base, new, name, WHICH_KEPT, view, e.level_var);
	e = expected_of(base, new, name, WHICH_FREE, view);
	f[FIGURE_FREE] = compare_figure(base, new, name, WHICH_FREE, view, e.level_var);
}

static bool has_epochs(const struct side *side)
{
	for (int i = 0; i < side->n; i++) {
		bool has = false;

		for (int k = 0; k < side->runs[i]->n; k++)
			has = has || side->runs[i]->series[k].by_epoch.n >= STRETCH_POINTS_MIN;
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
			const struct curve *c = stretch_curve(&side->runs[i]->series[k], v);

			if (c->n == 0)
				continue;
			from = fmin(from, c->x[0]);
			to = fmax(to, c->x[c->n - 1]);
		}
		v->from = fmax(v->from, from);
		v->to = fmin(v->to, to);
	}
}

static bool all_end(const struct side *side, const struct view *view)
{
	double end = view->to * (view->by_epoch ? 1 : 1 + END_SHARE);

	for (int i = 0; i < side->n; i++)
		for (int k = 0; k < side->runs[i]->n; k++) {
			const struct curve *c = stretch_curve(&side->runs[i]->series[k], view);

			if (c->n > 0 && c->x[c->n - 1] > end)
				return false;
		}
	return true;
}

static bool all_tell_kept(const struct side *side, const struct view *view)
{
	for (int i = 0; i < side->n; i++)
		if (!stretch_of(&side->runs[i]->kept, view).sloped)
			return false;
	return true;
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
	f = figure_of(&v[0], &v[1], pow(TIME_SHARE * mean(v[0].v, v[0].n), 2));
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

		if (level == 0) /* what allocators keep free hides less of it */
			level = direction(&c->series[i], FIGURE_KEPT);
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
	return r->samples < STRETCH_POINTS_MIN ? LACK_SAMPLES : LACK_NONE;
}

static bool has_points(const struct run_figures *r, const struct view *view)
{
	for (int i = 0; i < r->n; i++)
		if (stretch_points(stretch_curve(&r->series[i], view), view) >= STRETCH_POINTS_MIN)
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
	struct comparison_lack lack = {.kind = LACK_NONE};

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
	view.whole = all_end(&a, &view) && all_end(&b, &view);
	view.kept = view.by_epoch && all_tell_kept(&a, &view) && all_tell_kept(&b, &view);
	c->from = view.from;
	c->to = view.to;
	c->series = xcalloc((size_t)base[0]->n, sizeof(*c->series));
	for (int i = 0; i < base[0]->n; i++)
		if (in_both(&a, &b, base[0]->series[i].name))
			compare_series(&c->series[c->n++], &a, &b, base[0]->series[i].name, &view);
	c->epoch_s = compare_times(&a, &b);
	c->lack = find_lack(&a, &b, &view, c->n);
	c->result = result_of(c);
	if (c->result != COMPARISON_UNKNOWN) {
		unlike_levels(&c->unlike, base, base_runs, new, new_runs, &view);
		unlike_epochs(&c->unlike, c->epoch_s.base, c->epoch_s.new);
	}
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
