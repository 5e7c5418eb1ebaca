/* SPDX-License-Identifier: MIT */
/* A series -> a verdict. Floors and medians of the windows are judged at several scales; growth must stand up
 * to what the others say. Pure: no clock, no I/O, no allocation. */
#include "detector.h"

#include <math.h>
#include <string.h>

#include "detector_parts.h"

enum { SCALES = 4, READINGS = 2 * SCALES + 1 };

struct findings {
	struct trend all[READINGS];
	int n;
	const struct trend *pick; /* NULL: nothing to say */
	bool growth, early;
};

const char *detector_shape_name(enum shape shape)
{
	static const char *const names[] = {
	    [SHAPE_UNDETERMINED] = "undetermined",
	    [SHAPE_FLAT] = "flat",
	    [SHAPE_RESERVATION] = "reservation",
	    [SHAPE_WARMUP] = "warmup",
	    [SHAPE_CYCLIC] = "cyclic",
	    [SHAPE_RELEASE] = "release",
	    [SHAPE_GROWTH] = "growth",
	};
	return names[shape];
}

static int coarsen(const double *x, const double *y, int n, int m, bool floor, double *cx, double *cy)
{
	int blocks = n / m, off = n - blocks * m;
	for (int b = 0; b < blocks; b++) {
		const double *p = y + off + b * m;
		double sum = 0;
		for (int i = 0; i < m; i++)
			sum += x[off + b * m + i];
		cx[b] = sum / m;
		cy[b] = floor ? stats_min(p, m) : stats_median(p, m);
	}
	return blocks;
}

static void judge_reading(const struct view *v, bool floor, struct findings *f)
{
	int n = v->n - v->first;
	double y[STATS_MAX], cx[STATS_MAX], cy[STATS_MAX];
	struct step steps[STEPS_MAX];
	steps_smooth((floor ? v->lo : v->med) + v->first, n, y);
	steps_peel(y, n, 0.1, steps);
	for (int m = 1; m <= 8; m *= 2) {
		if (m > 1 && n / m < 7)
			break;
		struct trend *t = &f->all[f->n++];
		int k = coarsen(v->x + v->first, y, n, m, floor, cx, cy);
		trend_judge(cx, cy, k, v->quantum, v->gpu ? 0 : v->level, m == 1 ? 5 : 8, t);
		t->floor = floor;
		t->block = m;
	}
}

static const struct trend *most_precise(const struct findings *f, bool growing)
{
	const struct trend *best = NULL, *pick = NULL;
	for (int i = 0; i < f->n; i++) {
		const struct trend *t = &f->all[i];
		if (t->growth == growing && (!best || t->se < best->se))
			best = t;
	}
	for (int i = 0; best && i < f->n; i++) {
		const struct trend *t = &f->all[i];
		if (t->growth == growing && t->se <= 1.4 * best->se &&
		    (!pick || t->block < pick->block || (t->block == pick->block && t->se < pick->se)))
			pick = t;
	}
	return pick;
}

static bool is_creep(const struct view *v, const struct trend *t)
{
	if (v->gpu)
		return false;
	if (v->basis == BASIS_EPOCHS)
		return t->slope < fmax(48e3, 0.0001 * v->level);
	double gain = t->slope * (v->x[v->n - 1] - v->x[v->first]);
	return gain < fmax(4 * 48e3, 0.0008 * v->level);
}

/* A leak lifts floors, medians and tops alike; one that is precise and does not rise speaks against it. */
static bool others_rise(const struct view *v, const struct trend *p)
{
	int n = v->n - v->first, from = p->from * p->block;
	const double *all[] = {p->floor ? v->med : v->lo, v->hi};
	struct step steps[STEPS_MAX];
	double y[STATS_MAX];
	for (int i = 0; i < 2 && n - from >= 5; i++) {
		steps_smooth(all[i] + v->first, n, y);
		steps_peel(y, n, 0.1, steps);
		struct line l = stats_line(v->x + v->first + from, y + from, n - from, v->quantum, NULL);
		if (l.se < 0.25 * p->slope && l.slope < 0.3 * p->slope)
			return false;
	}
	return true;
}

static bool contradicted(const struct view *v, const struct findings *f, const struct trend *p)
{
	int coarse = 0;
	for (int i = 0; i < f->n; i++) {
		const struct trend *t = &f->all[i];
		bool settles = t->why == WHY_SATURATING || t->why == WHY_SETTLED || t->why == WHY_BENDING;
		coarse += !t->growth && settles && t->sure;
		if (coarse > 1)
			return true;
		if (t->growth || !settles || t->block > p->block)
			continue;
		if (t->sure || (t->block == p->block && t->se <= 1.2 * p->se))
			return true;
	}
	return !others_rise(v, p);
}

static void judge_growth(const struct view *v, struct findings *f)
{
	int n = v->n - v->first;
	memset(f, 0, sizeof(*f));
	if (n < 4)
		return;
	judge_reading(v, true, f);
	judge_reading(v, false, f);
	f->pick = v->epochs >= 0 && v->epochs < 4 ? NULL : most_precise(f, true);
	f->growth = f->pick && !is_creep(v, f->pick) && !contradicted(v, f, f->pick);
	if (!f->pick)
		f->pick = most_precise(f, false);
}

static void fill_slope(const struct view *v, const struct trend *p, struct verdict *out)
{
	int n = v->n - v->first;
	const double *y = (p->floor ? v->lo : v->med) + v->first;
	double d[STATS_MAX];
	stats_diff(y, n, d);
	double mid = stats_median(d, n - 1);
	for (int i = 0; i < n - 1; i++)
		d[i] = fabs(d[i] - mid);
	double step = stats_quantile(d, n - 1, 0.8);
	double span = fmax(1e-9, v->x[v->n - 1] - v->x[v->first]);
	double a = 1.15 * stats_t975(p->dof) * p->se, b = 0.004 * p->slope,
	       c = 0.8 * (step + v->quantum) / span;
	double h = sqrt(a * a + b * b + c * c), per_s = v->seconds_per_x > 0 ? 1 / v->seconds_per_x : 0;
	out->slope_known = true;
	out->per_epoch = v->basis == BASIS_EPOCHS;
	out->slope_bytes_per_epoch = out->per_epoch ? p->slope : 0;
	out->slope_bytes_per_s = p->slope * per_s;
	out->slope_low = (p->slope - h) * (out->per_epoch ? 1 : per_s);
	out->slope_high = (p->slope + h) * (out->per_epoch ? 1 : per_s);
}

void detector_judge(const struct series *s, struct verdict *out)
{
	struct series whole = *s;
	struct view v, fine;
	struct findings f;
	memset(out, 0, sizeof(*out));
	out->jump_ms = out->jump_epoch = out->onset_ms = out->onset_epoch = out->epochs = -1;
	out->first_bytes = s->opening[0];
	out->last_bytes = s->last_bytes;
	out->peak_bytes = s->peak_bytes;
	if (s->rows < 6)
		return;
	series_settle(&whole);
	view_build(&whole, false, &v);
	view_build(&whole, true, &fine);
	out->basis = v.basis;
	out->epochs = v.epochs;
	judge_growth(&v, &f);
	struct trend *t = &f.all[f.n];
	f.early = fine.epochs >= 5 && (firm_early(&fine, true, t) || firm_early(&fine, false, t) ||
					  firm_stairs(&fine, true, t) || firm_stairs(&fine, false, t) || firm_often(&fine, t)) && !is_creep(&fine, t);
	if (f.early && !f.growth) {
		f.growth = true;
		f.pick = t;
		v = fine;
	}
	if (f.pick)
		fill_slope(&v, f.pick, out);
	if (f.growth) {
		out->shape = SHAPE_GROWTH;
		out->firm = f.early || firm_holds(&v, f.pick);
		if (out->firm && !f.early && view_back(&v)) {
			judge_growth(&v, &f);
			out->firm = f.growth;
		}
		return;
	}
	out->shape = classes_judge(&fine);
	out->firm = out->shape != SHAPE_UNDETERMINED;
}
