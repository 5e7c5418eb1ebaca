/* SPDX-License-Identifier: MIT */
/* Each case is two made runs and what must be said of them. */
#include "compare/compare.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "compare/gate.h"
#include "compare/sentence.h"

enum { EPOCHS = 24, ROWS = 10, RUNS = 3 };

struct shape_of_run {
	double level_mib, growth_mib; /* of the host, and per epoch */
	double gpu_mib;               /* 0: none */
	bool no_epochs;
};

static uint32_t seed;

static double noise(void)
{
	seed = seed * 1664525 + 1013904223;
	return (double)(seed >> 8) / (1 << 24) - 0.5;
}

static struct run_figures *make_longer(const struct shape_of_run *shape, int epochs)
{
	struct channel channels[CH_HOST_COUNT + 2] = {0};
	int n = CH_HOST_COUNT + (shape->gpu_mib > 0 ? 2 : 0);
	static struct sample s;
	struct run_figures *r;
	struct judge *j = judge_new();

	snprintf(channels[CH_HOST_COUNT].name, CHANNEL_NAME_MAX, "gpu0_bytes");
	snprintf(channels[CH_HOST_COUNT + 1].name, CHANNEL_NAME_MAX, "gpu0_total_bytes");
	r = run_figures_new(channels, n);
	judge_channels(j, channels, n);
	for (int i = 0; i < epochs * ROWS; i++) {
		int epoch = i / ROWS;
		double mib = shape->level_mib + shape->growth_mib * epoch + 0.2 * noise();

		s = (struct sample){.elapsed_ms = i * 100,
				    .wall_ms = -1,
				    .epoch = shape->no_epochs ? -1 : epoch,
				    .procs = 1,
				    .n = n};
		s.v[CH_HELD] = (struct reading){(uint64_t)(mib * MIB), true};
		if (shape->gpu_mib > 0)
			s.v[CH_HOST_COUNT] = (struct reading){(uint64_t)(shape->gpu_mib * MIB), true};
		judge_push(j, &s);
		run_figures_push(r, &s, judge_host_bytes(j, &s));
	}
	run_figures_finish(r, judge_run(j), 0);
	judge_free(j);
	return r;
}

static struct run_figures *make_run(const struct shape_of_run *shape)
{
	return make_longer(shape, EPOCHS);
}

static struct comparison *compare_made(const struct shape_of_run *base, int bases,
				       const struct shape_of_run *new, int news)
{
	struct run_figures *a[RUNS], *b[RUNS];
	struct comparison *c;

	for (int i = 0; i < bases; i++)
		a[i] = make_run(&base[i]);
	for (int i = 0; i < news; i++)
		b[i] = make_run(&new[i]);
	c = compare_runs((const struct run_figures *const *)a, bases, (const struct run_figures *const *)b,
			 news);
	for (int i = 0; i < bases; i++)
		run_figures_free(a[i]);
	for (int i = 0; i < news; i++)
		run_figures_free(b[i]);
	return c;
}

static bool regressed(const struct comparison *c, const struct regression_limit *limit)
{
	struct regressed_figure found[2 * GATED_FIGURES];

	return compare_regressions(c, limit, found) > 0;
}

static void the_sentence_fits(void **state)
{
	static const struct {
		struct shape_of_run base, new;
		enum comparison_result result;
		bool regressed;
		const char *begins;
	} cases[] = {
	    {{300, 0, 0, false},
	     {300, 0, 0, false},
	     COMPARISON_SAME,
	     false,
	     "No difference beyond the runs' own noise: plateau 300 MiB and 300 MiB"},
	    {{300, 0, 0, false}, {302, 0, 0, false}, COMPARISON_SAME, false, "No difference"},
	    {{300, 0, 0, false},
	     {306, 0, 0, false},
	     COMPARISON_WORSE,
	     true,
	     "Worse: plateau 6.00 MiB (2.0 %) higher."},
	    {{306, 0, 0, false},
	     {300, 0, 0, false},
	     COMPARISON_BETTER,
	     false,
	     "Better: plateau 6.00 MiB (2.0 %) lower."},
	    {{300, 8, 0, false},
	     {300, 0, 0, false},
	     COMPARISON_BETTER,
	     false,
	     "The fix works: growth of 8.00 MiB per epoch is gone; plateau 148 MiB (33 %) lower."},
	    {{300, 0, 0, false},
	     {300, 0.75, 0, false},
	     COMPARISON_WORSE,
	     true,
	     "Worse: memory now grows by 7"},
	    {{300, 8, 0, false},
	     {300, 3, 0, false},
	     COMPARISON_BETTER,
	     false,
	     "Better: growth is down from 8.00 MiB to 3.00 MiB per epoch; level 9"},
	    {{300, 8, 0, false},
	     {300, 8, 0, false},
	     COMPARISON_SAME,
	     false,
	     "No difference beyond the runs' own noise: both grow, by 8.00 MiB and 8.00 MiB per epoch."},
	    {{300, 0, 2000, false},
	     {300, 0, 3000, false},
	     COMPARISON_WORSE,
	     true,
	     "Worse: gpu0: plateau 1000 MiB (50 %) higher."},
	    {{300, 8, 2000, false},
	     {300, 0, 3000, false},
	     COMPARISON_MIXED,
	     true,
	     "Mixed: growth of 8.00 MiB per epoch is gone; plateau"},
	    {{300, 8, 0, true},
	     {300, 0, 0, true},
	     COMPARISON_BETTER,
	     false,
	     "The fix works: growth of 7.83 MiB per second is gone"},
	    {{300, 0, 0, true}, {300, 0, 0, false}, COMPARISON_SAME, false, "No difference"},
	    {{23, 0, 0, false}, {23.2, 0, 0, false}, COMPARISON_SAME, false, "No difference"},
	    {{23, 0, 0, false}, {23.6, 0, 0, false}, COMPARISON_WORSE, true, "Worse: plateau 6"},
	    {{23, 0, 0, false}, {23, 0.06, 0, false}, COMPARISON_WORSE, true, "Worse: memory now grows by 6"},
	};
	static const struct regression_limit none;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct comparison *c = compare_made(&cases[i].base, 1, &cases[i].new, 1);
		char text[SENTENCE_MAX];

		if (c->result != cases[i].result ||
		    strncmp(compare_sentence(text, c), cases[i].begins, strlen(cases[i].begins)) != 0 ||
		    regressed(c, &none) != cases[i].regressed)
			fail_msg("case %zu: %s: %s", i, compare_result_name(c->result),
				 compare_sentence(text, c));
		compare_free(c);
	}
}

static void repeats_show_their_noise(void **state)
{
	static const struct shape_of_run calm[RUNS] = {
	    {300, 0, 0, false}, {300.2, 0, 0, false}, {299.9, 0, 0, false}};
	static const struct shape_of_run more[RUNS] = {
	    {302, 0, 0, false}, {302.2, 0, 0, false}, {301.9, 0, 0, false}};
	static const struct shape_of_run wild[RUNS] = {
	    {290, 0, 0, false}, {315, 0, 0, false}, {312, 0, 0, false}};
	struct comparison *c = compare_made(calm, RUNS, more, RUNS);

	(void)state;
	assert_int_equal(c->result, COMPARISON_WORSE); /* 0.7 %, which one run of each would not show */
	compare_free(c);
	c = compare_made(calm, RUNS, wild, RUNS);
	assert_int_equal(c->result, COMPARISON_SAME); /* 1.9 %, but they differ more among themselves */
	compare_free(c);
	c = compare_made(wild, RUNS, more, 1);
	assert_int_equal(c->result, COMPARISON_SAME);
	compare_free(c);
}

static void a_limit_lets_small_ones_pass(void **state)
{
	static const struct shape_of_run base = {300, 0, 0, false}, more = {312, 0, 0, false},
					 grows = {300, 1, 0, false};
	static const struct {
		const struct shape_of_run *new;
		struct regression_limit limit;
		bool regressed;
	} cases[] = {
	    {&more, {10 * MIB, 0}, true}, {&more, {14 * MIB, 0}, false}, {&more, {0, 0.03}, true},
	    {&more, {0, 0.05}, false},    {&grows, {20 * MIB, 0}, true}, {&grows, {40 * MIB, 0}, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct comparison *c = compare_made(&base, 1, cases[i].new, 1);

		if (regressed(c, &cases[i].limit) != cases[i].regressed)
			fail_msg("case %zu", i);
		compare_free(c);
	}
}

/* A leak in a run that goes on longer comes to more, but not in the part that both have. */
static void a_longer_run_is_compared_as_far_as_the_other_goes(void **state)
{
	static const struct shape_of_run shapes[] = {{300, 2, 0, false}, {300, 2, 0, true}};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct run_figures *half = make_run(&shapes[i]), *whole = make_longer(&shapes[i], 2 * EPOCHS);
		struct comparison *c = compare_runs((const struct run_figures *const *)&half, 1,
						    (const struct run_figures *const *)&whole, 1);
		const struct figure *peak = &c->series[0].figures[FIGURE_PEAK];

		assert_int_equal(c->result, COMPARISON_SAME);
		assert_false(peak->beyond);
		assert_true(fabs(peak->difference) < 3 * MIB);
		compare_free(c);
		run_figures_free(half);
		run_figures_free(whole);
	}
}

/* The limit is held against the percentage that the sentence has. */
static void one_figure_has_one_percentage(void **state)
{
	static const struct shape_of_run base = {300, 0, 0, false}, more = {330, 0, 0, false};
	struct comparison *c = compare_made(&base, 1, &more, 1);
	struct regressed_figure found[2 * GATED_FIGURES];
	int n;

	(void)state;
	c->series[0].figures[FIGURE_PEAK].base *= 2;
	n = compare_regressions(c, &(struct regression_limit){0, 0}, found);
	assert_int_equal(n, 2);
	for (int i = 0; i < n; i++) {
		const struct figure *f = &found[i].series->figures[found[i].kind];

		assert_true(fabs(found[i].share - f->difference / f->base) < 1e-9);
	}
	compare_free(c);
}

static void long_runs_are_joined(void **state)
{
	struct channel channels[CH_HOST_COUNT] = {0};
	struct run_figures *r = run_figures_new(channels, CH_HOST_COUNT);
	const struct curve *c = &r->series[0].by_epoch;
	struct sample s = {.n = CH_HOST_COUNT};

	(void)state;
	for (int i = 0; i <= 1000; i++) {
		s.elapsed_ms = i * 1000;
		s.epoch = i;
		run_figures_push(r, &s, (struct reading){(uint64_t)(1000 + i), true});
	}
	assert_in_range(c->n, CURVE_POINTS / 2, CURVE_POINTS);
	for (int i = 0; i + 1 < c->n; i++) {
		assert_true(c->x[i] < c->x[i + 1]);
		assert_true(fabs(c->low[i] - 1000 - (c->x[i] - c->step)) < 1e-9);
	}
	run_figures_free(r);
}

/* What is like one program with a leak, or with half the batch, is not doubted. */
static void runs_that_have_little_in_common_are_doubted(void **state)
{
	static const struct {
		struct shape_of_run base, new;
		const char *doubt;
	} cases[] = {
	    {{300, 0, 0, false},
	     {3000, 0, 0, false},
	     "Perhaps not the same program: the host holds 300 MiB and 2.93 GiB."},
	    {{3000, 0, 0, true},
	     {300, 8, 0, true},
	     "Perhaps not the same program: the host holds 2.93 GiB and 452 MiB."},
	    {{300, 0, 0, false}, {300, 200, 0, false}, ""},
	    {{300, 0, 0, false}, {900, 0, 0, false}, ""},
	};
	char text[SENTENCE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct comparison *c = compare_made(&cases[i].base, 1, &cases[i].new, 1);

		assert_string_equal(compare_doubt(text, c), cases[i].doubt);
		compare_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_sentence_fits),
	    cmocka_unit_test(repeats_show_their_noise),
	    cmocka_unit_test(a_limit_lets_small_ones_pass),
	    cmocka_unit_test(a_longer_run_is_compared_as_far_as_the_other_goes),
	    cmocka_unit_test(one_figure_has_one_percentage),
	    cmocka_unit_test(long_runs_are_joined),
	    cmocka_unit_test(runs_that_have_little_in_common_are_doubted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
