/* SPDX-License-Identifier: MIT */
/* Does the run grow, and how sure is that? Floors and medians of the windows are judged at several scales,
 * and growth must stand up to what the others say. Knows nothing of the other verdicts. */
#include <math.h>
#include <string.h>

#include "detect/parts.h"

enum { SCALES = 4, READINGS = 2 * SCALES };

struct findings {
	struct trend all[READINGS];
	int n;
	const struct trend *pick; /* NULL: nothing to say */
	bool growth;
	bool beside;  /* one of them is sure that it grows beside a settling curve */
	bool settles; /* surely, as at least one of them says */
};

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
		t->begin = v->n - (k - t->from) * m;
	}
}

/* The finest scale whose error is within 1.4 times the least: coarser ones cost epochs and add little. */
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

/* A leak lifts floors, medians and tops alike; one that is precise and does not rise speaks against it, and
 * so do floors that fall, for teeth disturb them least. Precise is an error of a quarter of the slope, not
 * rising less than 0.3 of it: sampling that drifts through an epoch lifts floors by eight times as much as
 * tops. */
static bool others_rise(const struct view *v, const struct trend *p)
{
	int n = v->n - v->first, from = view_tail(v, p) - v->first;
	const double *all[] = {p->floor ? v->med : v->lo, v->hi};
	struct step steps[STEPS_MAX];
	double y[STATS_MAX];
	for (int i = 0; i < 2 && n - from >= 5; i++) {
		steps_smooth(all[i] + v->first, n, y);
		if (i == 0)
			steps_peel(y, n, 0.1, steps);
		struct line l = stats_line(v->x + v->first + from, y + from, n - from, v->quantum, NULL);
		if ((l.se < 0.25 * p->slope && l.slope < 0.3 * p->slope) ||
		    (i == 0 && !p->floor && l.slope + 3 * l.se < 0.3 * p->slope))
			return false;
	}
	return true;
}

/* What a jump leaves must go on after it: a trend that lives on the windows before is over. */
static bool over_since_jump(const struct view *v, const struct trend *p)
{
	int n = v->n - v->first, last = 0;
	double y[STATS_MAX];
	struct step steps[STEPS_MAX];
	steps_smooth((p->floor ? v->lo : v->med) + v->first, n, y);
	for (int i = steps_peel(y, n, 0.1, steps) - 1; i >= 0; i--) {
		last = steps[i].at + 1 > last ? steps[i].at + 1 : last;
		double since = p->slope * (v->x[v->n - 1] - v->x[v->first + steps[i].at]);
		if (steps[i].size < 0 && steps[i].size > -0.02 * v->level && since < -1.5 * steps[i].size)
			return true; /* only makes up for a small fall */
	}
	if (last == 0 || n - last < 4)
		return false;
	struct line l = stats_line(v->x + v->first + last, y + last, n - last, v->quantum, NULL);
	return l.slope + l.se < 0.4 * p->slope;
}

static bool says_settling(const struct trend *t)
{
	return t->why == WHY_SATURATING || t->why == WHY_SETTLED || t->why == WHY_BENDING;
}

/* A line of ten errors through all windows is not bent by what blocks of four times as many make of it: graphs
 * kept without known epochs, 260 MiB in 35 even windows, were undetermined for two such. */
static bool too_coarse(const struct trend *t, const struct trend *p)
{
	return t->block > 2 * p->block && p->z >= 10 && !p->after_steeper;
}

static bool contradicted(const struct view *v, const struct findings *f, const struct trend *p)
{
	int coarse = 0;
	for (int i = 0; i < f->n && !f->beside; i++) {
		const struct trend *t = &f->all[i];
		coarse += !t->growth && says_settling(t) && t->sure && !too_coarse(t, p);
		if (coarse > 1)
			return true;
		if (t->growth || !says_settling(t) || t->block > p->block)
			continue;
		if (t->sure || t->last_level || (t->block == p->block && t->se <= 1.2 * p->se))
			return true;
	}
	return !others_rise(v, p) || over_since_jump(v, p);
}

static void findings_judge(const struct view *v, struct findings *f)
{
	int n = v->n - v->first;
	memset(f, 0, sizeof(*f));
	if (n < 4)
		return;
	judge_reading(v, true, f);
	judge_reading(v, false, f);
	f->pick = v->epochs >= 0 && v->epochs < 4 ? NULL : most_precise(f, true);
	for (int i = 0; i < f->n; i++)
		f->beside |= f->all[i].growth && f->all[i].beside;
	f->growth = f->pick && !creep_is(v, f->pick) && !contradicted(v, f, f->pick);
	for (int i = 0; i < f->n; i++)
		f->settles |= !f->all[i].growth && f->all[i].sure && !f->beside;
	if (!f->pick)
		f->pick = most_precise(f, false);
}

/* How far back a run that was sure of itself may speak for the present: a dip or an uneven epoch in a
 * recorded leak (300 KiB kept per epoch, 1.7 MiB given back once) unsettles the judgement for up to five
 * epochs. */
enum { LOOK_BACK = 6, PAST = LOOK_BACK + 3 };

/* A slope of nearly twice the errors that growth needs is taken at its first sight: with 9 instead of 12
 * three more of 1,085 leaks were told within 12 epochs, and three more of 3,291 steady generated series
 * raised an alarm. */
#define CERTAIN_Z 9

enum { SEEN_SETTLE = 12 }; /* windows: more of them are long enough to see it settle */

/* What was found now (0), one window earlier (1), and so on; judged when asked for. */
struct past {
	struct view view; /* as it stood at the last one judged */
	int n;
	struct findings all[PAST];
};

static const struct findings *past_at(struct past *p, int i)
{
	while (p->n <= i) {
		if (p->n == PAST || (p->n > 0 && !view_back(&p->view)))
			return NULL;
		findings_judge(&p->view, &p->all[p->n++]);
	}
	return &p->all[i];
}

/* Two epochs in a row: growth at i and one window earlier; or one and two windows earlier, and still under
 * way. Once is enough where nothing is near a limit. */
static bool firm_in_a_row(const struct view *v, struct past *p, int i)
{
	const struct findings *now = past_at(p, i), *before, *first;
	if (now->settles && !now->growth)
		return false;
	if (now->growth && now->pick && now->pick->z >= CERTAIN_Z && firm_holds(v, now->pick))
		return true;
	before = past_at(p, i + 1);
	if (!before || !before->growth)
		return false;
	if (now->growth && firm_holds(v, now->pick))
		return true;
	if (now->settles || !firm_holds(v, before->pick))
		return false;
	first = past_at(p, i + 2);
	return first && first->growth;
}

/* The tops: those of the first epoch hold no set-up, so that there is one window more to judge by. Later than
 * the eighth epoch one more tells nothing. */
static bool tops_early(const struct view *fine, struct trend *t)
{
	struct view tops = *fine;
	if (fine->basis != BASIS_EPOCHS || fine->first != 1 || fine->gpu || fine->n > 8 || fine->n < 5)
		return false;
	tops.first = 0;
	memcpy(tops.med, fine->hi, sizeof(tops.med));
	tops.lo[0] = 2 * tops.lo[1] - tops.lo[2];
	if (!firm_early(&tops, false, t))
		return false;
	t->begin = t->begin > 0 ? t->begin : 1;
	return true;
}

/* Spikes can look like a period that they do not have, and hide in a few long windows what many short ones
 * show. */
static bool beyond_doubt(const struct view *fine, struct trend *t)
{
	struct findings f;
	findings_judge(fine, &f);
	if (!f.growth || !f.pick->floor || f.pick->z < 20 || !firm_holds(fine, f.pick))
		return false;
	*t = *f.pick;
	return true;
}

/* A rise so regular that the windows of single epochs tell it. */
static bool is_regular(const struct view *fine, struct trend *t)
{
	return (fine->epochs < 0 || fine->epochs >= 5) &&
	       (firm_early(fine, true, t) || firm_early(fine, false, t) || tops_early(fine, t) ||
		firm_often(fine, t) || firm_stairs(fine, true, t) || firm_stairs(fine, false, t)) &&
	       !creep_is(fine, t);
}

/* Tells more than the joined windows do: those of single epochs may hold what the joined ones mix. */
static bool is_clearer(const struct trend *t, const struct findings *now)
{
	return !now->growth || !now->pick || t->se < 0.5 * now->pick->se;
}

static void take_fine(struct growth *out, const struct trend *t)
{
	out->growth = out->known = out->fine = true;
	out->pick = *t;
}

/* As it looks i windows before now, where v and fine end. */
static void judge_at(const struct view *v, const struct view *fine, struct past *p, int i, struct growth *out)
{
	const struct findings *now = past_at(p, i);
	struct trend t;
	bool regular = is_regular(fine, &t) && !(now->settles && v->n > SEEN_SETTLE), sure;
	memset(out, 0, sizeof(*out));
	if (regular && is_clearer(&t, now)) {
		take_fine(out, &t);
		out->firm = true;
		return;
	}
	out->growth = now->growth;
	out->known = now->pick != NULL;
	if (now->pick)
		out->pick = *now->pick;
	if (v->basis == BASIS_PERIOD && !now->growth && !now->settles && beyond_doubt(fine, &t)) {
		take_fine(out, &t);
		return;
	}
	out->firm = regular || firm_in_a_row(v, p, i);
	if (out->firm && !now->growth) {
		out->growth = out->known = true;
		out->pick = *past_at(p, i + 1)->pick;
	}
	if (!out->firm && fine->epochs >= 5 && firm_beside(fine, &t)) {
		if (!now->growth)
			take_fine(out, &t);
		out->firm = true;
	} else if (teeth_rise(fine, &t, &sure) && is_clearer(&t, now)) {
		take_fine(out, &t);
		out->firm |= sure;
	}
}

/* Growth at three moments in a row, or sure of it at three in a row not long ago, and the rise goes on as
 * before: one epoch that does not fit takes nothing back. With two in a row 2.6 % instead of 1.9 % of steady
 * generated series raised an alarm. Growth now, and sure of it once, is as good, unless a heap could have
 * been taken for it then: of 1,085 leaks 5 more were told for good within 12 epochs, and no steady series
 * more raised an alarm. */
static bool firm_held(const struct view *v, const struct view *fine, struct past *p, struct growth *out)
{
	struct view back = *v, back_fine = *fine;
	struct growth then, kept = *out;
	int firm = 0, growing = out->growth;
	bool sure_once = false;
	for (int i = 1; i <= LOOK_BACK && view_back(&back) && view_back(&back_fine); i++) {
		judge_at(&back, &back_fine, p, i, &then);
		firm = then.firm ? firm + 1 : 0;
		growing = growing == i && then.growth ? growing + 1 : growing;
		if (firm == 1 && !out->growth)
			kept = then;
		sure_once |=
		    then.firm && out->growth && !heap_may_settle(then.fine ? &back_fine : &back, &then.pick);
		if (firm == 3 || growing == 3 || sure_once)
			break;
		if (firm + LOOK_BACK - i < 3 && !out->growth)
			return false;
	}
	if ((firm < 3 && growing < 3 && !sure_once) || !firm_goes_on(kept.fine ? fine : v, &kept.pick))
		return false;
	if (!out->growth && heap_settles(kept.fine ? fine : v, &kept.pick))
		return false; /* by now it looks like one: a convolution fit, two rises of 7 MiB in 25 epochs */
	*out = kept;
	return true;
}

/* Few rows: joined to windows they hide what the rows show, a late onset or a jump beside a leak. Of 34
 * missed leaks in 23 generated sets it finds 10, and calls one of 10,000 steady series growth. With known
 * epochs the rows within one differ more, so that more is asked. Of fewer than 24 none is sure: ordinary fits
 * attached to seconds ago. */
static void shows_in_rows(const struct view *v, const struct findings *now, const struct view *rows,
			  struct growth *out)
{
	struct findings f;
	if (v->basis == BASIS_PERIOD || rows->n <= v->n)
		return;
	for (int i = 0; i < now->n; i++)
		if (says_settling(&now->all[i]))
			return;
	if (now->pick && now->pick->growth && now->pick->slope < creep_most(v))
		return; /* so small a gain is creep in any windows */
	findings_judge(rows, &f);
	if (!f.growth || f.settles || f.pick->z < (v->basis == BASIS_EPOCHS ? 8 : 6))
		return;
	out->growth = out->known = true;
	out->firm = rows->n >= 24 && f.pick->z >= CERTAIN_Z && firm_holds(rows, f.pick);
	out->pick = *f.pick;
	out->view = rows;
}

/* Rises like a leak, by a thousandth of the level per epoch and more, and is called none because young heaps
 * do so, too. */
static bool rises_like_heap(const struct view *v, const struct findings *now)
{
	const struct trend *p = now->pick;
	return p && p->growth && p->last >= 0.5 && p->slope >= fmax(0.001 * v->level, creep_most(v)) &&
	       heap_settles(v, p) && !contradicted(v, now, p);
}

void growth_judge(const struct view *v, const struct view *fine, const struct view *rows, struct growth *out)
{
	struct past p = {.view = *v};
	judge_at(v, fine, &p, 0, out);
	const struct findings *now = past_at(&p, 0);
	bool over = now->settles && v->n > SEEN_SETTLE;
	if (!out->firm && (out->growth || (!over && view_rises(fine))))
		out->firm = firm_held(v, fine, &p, out);
	out->view = out->fine ? fine : v;
	if (!out->growth)
		shows_in_rows(v, now, rows, out);
	out->firm = out->firm && !heap_may_settle(out->view, &out->pick);
	out->like_heap = !out->growth && rises_like_heap(v, now);
}

bool growth_would_show(const struct view *v, double slope)
{
	struct view more = *v;
	struct findings f;
	for (int i = 0; i < more.n; i++) {
		double rise = slope * (more.x[i] - more.x[0]);
		more.lo[i] += rise;
		more.med[i] += rise;
		more.hi[i] += rise;
	}
	findings_judge(&more, &f);
	return f.growth;
}
