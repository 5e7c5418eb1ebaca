/* SPDX-License-Identifier: MIT */
/* What holds of every verdict, whatever the series: tried on random ones, 400 of them or INVARIANTS=N. */
#include "../../../src/detect/detector.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MB 1048576.0

/* A run as a sum of parts, each there or not. Sizes in MB. */
struct made {
	int epochs, rows;
	int64_t base;
	double level, noise, walk, leak;
	double rise, tau, fill, full, jump, jump_at, tooth, period;
	bool blind, setup;
	int64_t row_ms;
	uint32_t seed;
};

static double uniform(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return (double)(*seed >> 8) / (1 << 24);
}

static double log_uniform(uint32_t *seed, double low, double high)
{
	return exp(log(low) + uniform(seed) * log(high / low));
}

static bool chance(uint32_t *seed, double p)
{
	return uniform(seed) < p;
}

static struct made made_by(uint32_t number)
{
	uint32_t s = number * 2654435761u + 12345;
	struct made m = {.row_ms = 200};
	m.epochs = (int)log_uniform(&s, 6, 90);
	m.rows = (int)log_uniform(&s, 1, 40);
	m.base = chance(&s, 0.2) ? (int64_t)(40 * uniform(&s)) : 0;
	m.setup = m.base == 0;
	m.level = log_uniform(&s, 60, 8000);
	m.noise = m.level * log_uniform(&s, 1e-5, 3e-2);
	m.walk = chance(&s, 0.3) ? m.level * log_uniform(&s, 1e-5, 3e-3) : 0;
	m.leak = chance(&s, 0.4) ? m.level * log_uniform(&s, 1e-4, 3e-2) : 0;
	if (chance(&s, 0.3)) {
		m.rise = m.level * log_uniform(&s, 0.02, 0.6);
		m.tau = m.epochs * log_uniform(&s, 0.03, 0.8);
	}
	if (chance(&s, 0.2)) {
		m.fill = m.level * log_uniform(&s, 0.02, 0.6);
		m.full = m.epochs * uniform(&s);
	}
	if (chance(&s, 0.3)) {
		m.jump = m.level * (uniform(&s) - 0.4);
		m.jump_at = m.epochs * uniform(&s);
	}
	if (chance(&s, 0.2)) {
		m.tooth = m.level * log_uniform(&s, 0.01, 0.4);
		m.period = log_uniform(&s, 0.3, m.epochs / 2.0);
	}
	m.seed = s;
	return m;
}

static double made_at(const struct made *m, double x, double walked, uint32_t *seed)
{
	double v = m->level + m->leak * x + walked + m->noise * (uniform(seed) - 0.5);
	v += m->tau > 0 ? m->rise * (1 - exp(-x / m->tau)) : 0;
	v += m->full > 0 ? m->fill * fmin(1, x / m->full) : 0;
	v += m->jump != 0 && x >= m->jump_at ? m->jump : 0;
	v += m->period > 0 ? m->tooth * (x / m->period - floor(x / m->period)) : 0;
	return fmax(v, 1);
}

static struct verdict judge_made(const struct made *m)
{
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	uint32_t seed = m->seed;
	double walked = 0;
	int64_t at = 0;
	for (int i = 0; m->setup && i < 20; i++, at += m->row_ms)
		series_push(s, at, -1, (uint64_t)(m->level * (i + 1) / 20 * MB));
	for (int i = 0; i <= m->epochs * m->rows; i++, at += m->row_ms) {
		walked += i % m->rows == 0 ? m->walk * (uniform(&seed) - 0.5) : 0;
		series_push(s, at, m->blind ? -1 : m->base + i / m->rows,
			    (uint64_t)(made_at(m, (double)i / m->rows, walked, &seed) * MB));
	}
	detector_judge(s, &v);
	series_free(s);
	return v;
}

static uint32_t series_count(void)
{
	const char *n = getenv("INVARIANTS");
	return n ? (uint32_t)strtoul(n, NULL, 10) : 400;
}

static bool is_steady(const struct verdict *v)
{
	return v->shape != SHAPE_GROWTH && v->shape != SHAPE_UNDETERMINED;
}

static int how_rising(const struct verdict *v)
{
	return v->shape == SHAPE_GROWTH ? 2 : v->shape == SHAPE_UNDETERMINED;
}

static void no_steady_verdict_beside_a_slope_that_is_clear(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < series_count(); i++) {
		struct made m = made_by(i);
		struct verdict v = judge_made(&m);
		double gain = v.slope_bytes_per_epoch * (m.epochs - 2); /* without the first, as judged */
		if (is_steady(&v) && v.slope_low > 0 && gain > 0.025 * (double)v.plateau_bytes)
			fail_msg("series %u: %s, +%.0f (%.0f to %.0f)", i, detector_shape_name(v.shape),
				 v.slope_bytes_per_epoch, v.slope_low, v.slope_high);
		if (v.detectable_bytes > 0 && v.slope_bytes_per_epoch > v.detectable_bytes)
			fail_msg("series %u: %.0f would have shown, rises by %.0f", i, v.detectable_bytes,
				 v.slope_bytes_per_epoch);
	}
}

static void growth_is_within_its_bounds_and_has_a_weight(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < series_count(); i++) {
		struct made m = made_by(i);
		struct verdict v = judge_made(&m);
		assert_true(v.weight >= 0 && v.weight <= 1);
		assert_true(isfinite(v.slope_bytes_per_s) && isfinite(v.slope_low) && isfinite(v.slope_high));
		if (v.shape == SHAPE_GROWTH)
			assert_true(v.slope_low > 0 && v.slope_low <= v.slope_bytes_per_epoch &&
				    v.slope_bytes_per_epoch <= v.slope_high);
		assert_true(!v.firm || v.shape != SHAPE_UNDETERMINED);
		assert_true(v.weight <= 0.5 || !is_steady(&v));
	}
}

/* An hour per epoch instead of seconds. */
static void time_is_of_no_account_where_epochs_are_known(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < series_count(); i++) {
		struct made m = made_by(i), slow = m;
		slow.row_ms = 16 * m.row_ms;
		struct verdict a = judge_made(&m), b = judge_made(&slow);
		if (a.shape != b.shape || a.firm != b.firm)
			fail_msg("series %u: %s, slower %s", i, detector_shape_name(a.shape),
				 detector_shape_name(b.shape));
	}
}

/* 3 % of the level per epoch, more than anything else there is in most of them: of fifty series one may be less rising
 * with it, where it hides in something else (a fall that it fills up, a curve that it straightens). */
static void a_leak_makes_nothing_less_rising(void **state)
{
	uint32_t less = 0;
	(void)state;
	for (uint32_t i = 0; i < series_count(); i++) {
		struct made m = made_by(i), leak = m;
		leak.leak += 0.03 * m.level;
		struct verdict a = judge_made(&m), b = judge_made(&leak);
		less += how_rising(&b) < how_rising(&a);
	}
	assert_true(less <= series_count() / 50);
}

/* Firm growth by epochs is never firmly steady by time, nor the other way round, but for one in fifty whose few
 * windows fall badly. */
static void without_the_epochs_nothing_turns_round(void **state)
{
	uint32_t turned = 0;
	(void)state;
	for (uint32_t i = 0; i < series_count(); i++) {
		struct made m = made_by(i), blind = m;
		blind.blind = true;
		struct verdict a = judge_made(&m), b = judge_made(&blind);
		turned +=
		    a.firm && b.firm && (a.shape == SHAPE_GROWTH ? is_steady(&b) : b.shape == SHAPE_GROWTH);
	}
	assert_true(turned <= series_count() / 50);
}

/* However slow, when it is long enough. */
static void straight_lines_are_growth(void **state)
{
	static const struct {
		double level, leak; /* MB */
		int epochs;
	} lines[] = {{2048, 0.15, 1000},
		     {8192, 0.65, 500},
		     {400, 0.055, 300},
		     {400, 0.055, 2000},
		     {400, 0.055, 20000}};
	(void)state;
	for (size_t i = 0; i < 2 * sizeof(lines) / sizeof(lines[0]); i++) {
		struct made m = {.epochs = lines[i / 2].epochs,
				 .rows = 4,
				 .level = lines[i / 2].level,
				 .leak = lines[i / 2].leak * 1e6 / MB,
				 .row_ms = 200,
				 .blind = i % 2};
		struct verdict v = judge_made(&m);
		if (v.shape != SHAPE_GROWTH || !v.firm)
			fail_msg("%g kB in %d epochs on %g MiB%s: %s, weight %.3f", 1000 * lines[i / 2].leak,
				 m.epochs, m.level, m.blind ? ", blind" : "", detector_shape_name(v.shape),
				 v.weight);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_steady_verdict_beside_a_slope_that_is_clear),
	    cmocka_unit_test(growth_is_within_its_bounds_and_has_a_weight),
	    cmocka_unit_test(time_is_of_no_account_where_epochs_are_known),
	    cmocka_unit_test(a_leak_makes_nothing_less_rising),
	    cmocka_unit_test(without_the_epochs_nothing_turns_round),
	    cmocka_unit_test(straight_lines_are_growth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
