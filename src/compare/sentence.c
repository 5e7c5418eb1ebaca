/* SPDX-License-Identifier: MIT */
/* What matters first: growth that came or went, then the level, then the peak. Figures within the noise are not
 * mentioned, except to say that there is nothing else. */
#include "compare/sentence.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verdict/sentence_parts.h"

char *compare_amount(char buf[UNITS_TEXT_MAX], enum figure_kind kind, double value)
{
	if (kind == FIGURE_GROWTH && fabs(value) < 1)
		snprintf(buf, UNITS_TEXT_MAX, "0 B");
	else if (kind == FIGURE_GROWTH)
		units_bytes_signed(buf, value);
	else
		units_bytes(buf, (uint64_t)llround(fmax(value, 0)));
	return buf;
}

/* %g would say 1.25e+03. */
char *compare_seconds(char buf[UNITS_TEXT_MAX], double seconds)
{
	snprintf(buf, UNITS_TEXT_MAX, fabs(seconds) < 999.5 ? "%.3g s" : "%.0f s", seconds);
	return buf;
}

static const char *amount(char buf[UNITS_TEXT_MAX], double value)
{
	return units_bytes(buf, (uint64_t)llround(fabs(value)));
}

static bool most_grow(int growing, int runs)
{
	return 2 * growing > runs;
}

/* Growth that was and is no more; the new side may only rise by what is noise beside it. */
static bool growth_gone(const struct comparison *c, const struct series_comparison *s)
{
	const struct figure *f = &s->figures[FIGURE_GROWTH];

	return f->beyond && f->difference < 0 && most_grow(s->base_grows, c->base_runs) &&
	       !most_grow(s->new_grows, c->new_runs) && f->new < fmax(f->base / 4, f->noise);
}

static bool growth_came(const struct comparison *c, const struct series_comparison *s)
{
	const struct figure *f = &s->figures[FIGURE_GROWTH];

	return f->beyond && f->difference > 0 && !most_grow(s->base_grows, c->base_runs) &&
	       f->base < f->new / 4;
}

static void add_growth(struct text *t, const struct comparison *c, const struct series_comparison *s)
{
	const struct figure *f = &s->figures[FIGURE_GROWTH];
	const char *per = c->by_epoch ? "epoch" : "second";
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	if (growth_gone(c, s))
		text_add(t, "growth of %s per %s is gone", amount(a, f->base), per);
	else if (growth_came(c, s))
		text_add(t, "memory now grows by %s per %s", amount(a, f->new), per);
	else if (f->base > 0 && f->new > 0)
		text_add(t, "growth is %s from %s to %s per %s", f->difference < 0 ? "down" : "up",
			 amount(a, f->base), amount(b, f->new), per);
	else
		text_add(t, "%s per %s %s growth", amount(a, f->difference), per,
			 f->difference < 0 ? "less" : "more");
}

static void add_level(struct text *t, const struct figure *f, const char *what, const char *when)
{
	char a[UNITS_TEXT_MAX];

	text_add(t, "%s %s", what, amount(a, f->difference));
	if (f->base > 0)
		text_add(t, " (%.*f %%)", fabs(f->difference / f->base) < 0.1,
			 fabs(f->difference / f->base) * 100);
	text_add(t, " %s%s", f->difference < 0 ? "lower" : "higher", when);
}

/* Growth is less and the level higher, or the other way round. */
static bool opposed(const struct series_comparison *s)
{
	return (s->figures[FIGURE_GROWTH].difference > 0) != (s->figures[FIGURE_PLATEAU].difference > 0);
}

/* Where one of the two grows, there is no plateau but a level that it has come to. */
static void add_plateau(struct text *t, const struct comparison *c, const struct series_comparison *s)
{
	const struct figure *growth = &s->figures[FIGURE_GROWTH];
	bool but = growth->ok && growth->beyond && opposed(s);
	bool settled = s->new_grows == 0 && (s->base_grows == 0 || (growth_gone(c, s) && !but));
	const char *const names[2][2] = {{"level", "plateau"},
					 {", but the level is", ", but the plateau is"}};
	char when[32] = "";

	if (!settled)
		snprintf(when, sizeof(when), c->by_epoch ? " by epoch %.0f" : " after %.0f s", c->to);
	text_add(t, "%s", growth->ok && growth->beyond && !but ? "; " : "");
	add_level(t, &s->figures[FIGURE_PLATEAU], names[but][settled], when);
}

/* The plateau does not tell: allocators keep too much free. */
static void add_kept(struct text *t, const struct figure *f, const char *before)
{
	char a[UNITS_TEXT_MAX];
	double share = f->base > 0 ? fabs(f->difference / f->base) : 0;

	text_add(t, "%sthe program keeps %s (%.*f %%) %s", before, amount(a, f->difference), share < 0.1,
		 share * 100, f->difference < 0 ? "less" : "more");
}

static bool both_grow(const struct comparison *c, const struct series_comparison *s)
{
	return s->figures[FIGURE_GROWTH].ok && most_grow(s->base_grows, c->base_runs) &&
	       most_grow(s->new_grows, c->new_runs);
}

static void add_both(struct text *t, const struct comparison *c, const struct series_comparison *s)
{
	const struct figure *growth = &s->figures[FIGURE_GROWTH];
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	text_add(t, "both grow, by %s and %s per %s", amount(a, growth->base), amount(b, growth->new),
		 c->by_epoch ? "epoch" : "second");
}

/* What differs in this series, with a separator before each clause but the first. */
static void add_series(struct text *t, const struct comparison *c, const struct series_comparison *s,
		       bool *first)
{
	const struct figure *f = s->figures;
	bool growth = f[FIGURE_GROWTH].ok && f[FIGURE_GROWTH].beyond,
	     level = f[FIGURE_PLATEAU].ok && f[FIGURE_PLATEAU].beyond,
	     kept = !level && f[FIGURE_KEPT].ok && f[FIGURE_KEPT].beyond;

	if (!growth && !level && !kept && !(f[FIGURE_PEAK].ok && f[FIGURE_PEAK].beyond))
		return;
	text_add(t, "%s", *first ? "" : "; ");
	if (strcmp(s->name, "host") != 0)
		text_add(t, "%s: ", s->name);
	if (growth)
		add_growth(t, c, s);
	if (level)
		add_plateau(t, c, s);
	else if (kept)
		add_kept(t, &f[FIGURE_KEPT], growth ? "; " : "");
	else if (!growth)
		add_level(t, &f[FIGURE_PEAK], "peak", "");
	if (!growth && both_grow(c, s)) {
		text_add(t, "; ");
		add_both(t, c, s);
	}
	*first = false;
}

static const char *lead(const struct comparison *c)
{
	for (int i = 0; c->result == COMPARISON_BETTER && i < c->n; i++)
		if (growth_gone(c, &c->series[i]))
			return "The fix works: ";
	return c->result == COMPARISON_BETTER  ? "Better: "
	       : c->result == COMPARISON_WORSE ? "Worse: "
					       : "Mixed: ";
}

static void add_same(struct text *t, const struct comparison *c, const struct series_comparison *s)
{
	const struct figure *level = &s->figures[FIGURE_PLATEAU];
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], noise[UNITS_TEXT_MAX];

	if (strcmp(s->name, "host") != 0)
		text_add(t, "%s: ", s->name);
	if (both_grow(c, s))
		add_both(t, c, s);
	else
		text_add(t, "plateau %s and %s (±%s)", amount(a, level->base), amount(b, level->new),
			 amount(noise, level->noise));
}

/* "base", or "run 2 of base" where it has several. */
static void add_run(struct text *t, const struct comparison *c)
{
	const char *side = c->lack.new ? "new" : "base";

	if ((c->lack.new ? c->new_runs : c->base_runs) > 1)
		text_add(t, "run %d of %s", c->lack.run + 1, side);
	else
		text_add(t, "%s", side);
}

static void add_common(struct text *t, const struct comparison *c)
{
	double epochs = c->to - c->from + 1;

	text_add(t, "the runs have ");
	if (c->n == 0)
		text_add(t, "no series in common.");
	else if (!c->by_epoch)
		text_add(t, "only %.1f s in common.", c->to);
	else if (epochs < 1)
		text_add(t, "no epoch in common.");
	else
		text_add(t, "only %.0f epochs in common.", epochs);
}

static void add_lack(struct text *t, const struct comparison *c)
{
	const struct comparison_lack *lack = &c->lack;

	text_add(t, "Too little to compare: ");
	if (lack->kind == LACK_COMMON) {
		add_common(t, c);
		return;
	}
	add_run(t, c);
	if (lack->kind == LACK_ROWS)
		text_add(t, " is damaged, %" PRIu64 " row%s could be read and %" PRIu64 " could not.",
			 lack->samples, lack->samples == 1 ? "" : "s", lack->lost);
	else
		text_add(t, " has %" PRIu64 " sample%s.", lack->samples, lack->samples == 1 ? "" : "s");
}

char *compare_regression(char buf[SENTENCE_MAX], const struct comparison *c, const struct regressed_figure *r,
			 const struct regression_limit *limit)
{
	const struct figure *f = &r->series->figures[r->kind];
	struct text t = {.buf = buf};
	char a[UNITS_TEXT_MAX];

	buf[0] = '\0';
	text_add(&t, "%s ", r->series->name);
	if (r->kind == FIGURE_GROWTH)
		text_add(&t, "growth %s per %s faster, which adds ", amount(a, f->difference),
			 c->by_epoch ? "epoch" : "second");
	else
		text_add(&t, "%s higher by ", compare_figure_name(r->kind));
	text_add(&t, "%s (%.*f %%)", amount(a, r->bytes), r->share < 0.1, r->share * 100);
	if (limit->bytes > 0)
		text_add(&t, ", allowed are %s", amount(a, limit->bytes));
	else if (limit->share > 0)
		text_add(&t, ", allowed are %g %%", limit->share * 100);
	return buf;
}

char *compare_sentence(char buf[SENTENCE_MAX], const struct comparison *c)
{
	struct text t = {.buf = buf};
	bool first = true;

	buf[0] = '\0';
	if (c->result == COMPARISON_UNKNOWN) {
		add_lack(&t, c);
		return buf;
	}
	text_add(&t, "%s",
		 c->result == COMPARISON_SAME ? "No difference beyond the runs' own noise: " : lead(c));
	for (int i = 0; i < c->n; i++) {
		if (c->result != COMPARISON_SAME) {
			add_series(&t, c, &c->series[i], &first);
			continue;
		}
		text_add(&t, "%s", i ? "; " : "");
		add_same(&t, c, &c->series[i]);
	}
	text_add(&t, ".");
	return buf;
}

char *compare_doubt(char buf[SENTENCE_MAX], const struct comparison *c)
{
	const struct unlikeness *u = &c->unlike;
	struct text t = {.buf = buf};
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	buf[0] = '\0';
	if (!u->levels && !u->epochs)
		return buf;
	text_add(&t, "Perhaps not the same program: ");
	if (u->levels)
		text_add(&t, "the host holds %s and %s%s", amount(a, u->base_bytes), amount(b, u->new_bytes),
			 u->epochs ? "; " : "");
	if (u->epochs)
		text_add(&t, "an epoch takes %s and %s", compare_seconds(a, u->base_s),
			 compare_seconds(b, u->new_s));
	text_add(&t, ".");
	return buf;
}
