/* SPDX-License-Identifier: MIT */
#include "detect/detector.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MB 1048576.0

/* A run made of shapes: bytes at epoch x (fractional, from 0) are
 *   level + leak x + jump (from jump_at) + rise (1 - exp(-x / tau)) + the same of late_rise, late_tau
 *   + fill min(1, x / full) + tooth (x / period mod 1) - dip (for 0.03 of every epoch)
 *   + spike (in one row of six, at odd times). */
struct run {
	const char *name;
	enum shape want;
	int epochs, rows; /* rows per epoch */
	double level, leak;
	double jump, jump_at, rise, tau, late_rise, late_tau, fill, full, tooth, period, dip, spike;
	double every;   /* leak comes once every so many epochs; 0 all the time */
	double leak_at; /* leak begins */
	double noise;
	int64_t base; /* number of the first epoch; -1: no epochs at all */
	int imports;  /* rows of a long, irregular rise from nothing before all that */
	int idle;     /* rows after the end, lower by 30 */
	bool setup;   /* 20 rows come up from nothing before the first epoch */
	bool gpu;
};

static const struct run runs[] = {
    {.name = "no epochs: rises, works a while at its level, gives something back",
     .want = SHAPE_WARMUP,
     .epochs = 10,
     .rows = 40,
     .level = 200,
     .fill = 260,
     .full = 6.7,
     .idle = 30,
     .base = -1,
     .setup = true},
    {.name = "a small leak behind a small warm-up",
     .want = SHAPE_GROWTH,
     .epochs = 20,
     .rows = 8,
     .level = 300,
     .leak = 0.5,
     .rise = 4,
     .tau = 2.5,
     .noise = 0.2,
     .setup = true},
    {.name = "nothing happens", .want = SHAPE_FLAT, .epochs = 20, .rows = 20, .level = 400, .noise = 0.1},
    {.name = "attached late, nothing happens",
     .want = SHAPE_FLAT,
     .epochs = 20,
     .rows = 20,
     .level = 400,
     .base = 30},
    {.name = "comes up, then level",
     .want = SHAPE_RESERVATION,
     .epochs = 20,
     .rows = 20,
     .level = 400,
     .setup = true},
    {.name = "one late step",
     .want = SHAPE_RESERVATION,
     .epochs = 20,
     .rows = 20,
     .level = 400,
     .jump = 120,
     .jump_at = 8.5},
    {.name = "an early step among teeth",
     .want = SHAPE_RESERVATION,
     .epochs = 60,
     .rows = 20,
     .level = 100,
     .jump = 600,
     .jump_at = 2.5,
     .tooth = 40,
     .period = 1},
    {.name = "warms up",
     .want = SHAPE_WARMUP,
     .epochs = 30,
     .rows = 20,
     .level = 400,
     .rise = 100,
     .tau = 4,
     .noise = 0.2},
    {.name = "a buffer fills",
     .want = SHAPE_WARMUP,
     .epochs = 30,
     .rows = 20,
     .level = 400,
     .fill = 100,
     .full = 9},
    {.name = "collector",
     .want = SHAPE_CYCLIC,
     .epochs = 30,
     .rows = 40,
     .level = 400,
     .tooth = 60,
     .period = 0.7},
    {.name = "dropped each epoch",
     .want = SHAPE_CYCLIC,
     .epochs = 12,
     .rows = 40,
     .level = 400,
     .tooth = 60,
     .period = 1},
    {.name = "teeth of 3 epochs",
     .want = SHAPE_CYCLIC,
     .epochs = 40,
     .rows = 20,
     .level = 400,
     .tooth = 60,
     .period = 3},
    {.name = "leak beneath teeth of 6 epochs",
     .want = SHAPE_GROWTH,
     .epochs = 33,
     .rows = 12,
     .level = 300,
     .leak = 2,
     .tooth = 150,
     .period = 6.1},
    {.name = "teeth of 6 epochs",
     .want = SHAPE_CYCLIC,
     .epochs = 36,
     .rows = 12,
     .level = 300,
     .tooth = 150,
     .period = 6},
    {.name = "given back",
     .want = SHAPE_RELEASE,
     .epochs = 20,
     .rows = 20,
     .level = 800,
     .jump = -300,
     .jump_at = 9},
    {.name = "leak", .want = SHAPE_GROWTH, .epochs = 12, .rows = 20, .level = 400, .leak = 2, .noise = 0.1},
    {.name = "leak, attached late",
     .want = SHAPE_GROWTH,
     .epochs = 12,
     .rows = 20,
     .level = 400,
     .leak = 2,
     .base = 7},
    {.name = "small leak",
     .want = SHAPE_GROWTH,
     .epochs = 60,
     .rows = 10,
     .level = 1300,
     .leak = 0.33,
     .noise = 0.2},
    {.name = "leak under a collector",
     .want = SHAPE_GROWTH,
     .epochs = 40,
     .rows = 40,
     .level = 400,
     .leak = 2,
     .tooth = 60,
     .period = 0.7},
    {.name = "leak after a jump",
     .want = SHAPE_GROWTH,
     .epochs = 24,
     .rows = 20,
     .level = 400,
     .leak = 2,
     .jump = 200,
     .jump_at = 8},
    {.name = "leak after a release",
     .want = SHAPE_GROWTH,
     .epochs = 24,
     .rows = 20,
     .level = 800,
     .leak = 2,
     .jump = -300,
     .jump_at = 8},
    {.name = "leak under a warm-up",
     .want = SHAPE_GROWTH,
     .epochs = 40,
     .rows = 20,
     .level = 400,
     .leak = 3,
     .rise = 60,
     .tau = 3},
    {.name = "leak that begins late",
     .want = SHAPE_GROWTH,
     .epochs = 30,
     .rows = 20,
     .level = 400,
     .leak = 3,
     .leak_at = 15,
     .noise = 0.1},
    {.name = "leak every 5th epoch",
     .want = SHAPE_GROWTH,
     .epochs = 30,
     .rows = 10,
     .level = 400,
     .leak = 3,
     .every = 5},
    {.name = "leak, one row per epoch",
     .want = SHAPE_GROWTH,
     .epochs = 40,
     .rows = 1,
     .level = 400,
     .leak = 2,
     .noise = 0.2},
    {.name = "leak, 2,000 epochs",
     .want = SHAPE_GROWTH,
     .epochs = 2000,
     .rows = 3,
     .level = 400,
     .leak = 0.5,
     .noise = 1},
    {.name = "creep", .want = SHAPE_FLAT, .epochs = 40, .rows = 10, .level = 400, .leak = 0.01},
    {.name = "leak, no epochs",
     .want = SHAPE_GROWTH,
     .epochs = 40,
     .rows = 20,
     .level = 400,
     .leak = 4,
     .noise = 0.5,
     .base = -1},
    {.name = "level, no epochs",
     .want = SHAPE_FLAT,
     .epochs = 40,
     .rows = 20,
     .level = 400,
     .noise = 0.5,
     .base = -1},
    {.name = "comes up for long, then level, no epochs",
     .want = SHAPE_RESERVATION,
     .epochs = 12,
     .rows = 20,
     .level = 400,
     .noise = 0.05,
     .imports = 120,
     .base = -1},
    {.name = "comes up for long, then a leak, no epochs",
     .want = SHAPE_GROWTH,
     .epochs = 20,
     .rows = 15,
     .level = 400,
     .leak = 0.6,
     .noise = 0.05,
     .imports = 120,
     .base = -1},
    {.name = "comes up for long, leaks, idles before its end, no epochs",
     .want = SHAPE_GROWTH,
     .epochs = 20,
     .rows = 15,
     .level = 400,
     .leak = 4,
     .imports = 120,
     .idle = 40,
     .base = -1},
    {.name = "comes up for long, creeps in lumps, no epochs",
     .want = SHAPE_RESERVATION,
     .epochs = 20,
     .rows = 15,
     .level = 400,
     .leak = 0.2,
     .every = 7,
     .imports = 120,
     .base = -1},
    {.name = "comes up for long, then teeth, no epochs",
     .want = SHAPE_CYCLIC,
     .epochs = 12,
     .rows = 30,
     .level = 400,
     .tooth = 30,
     .period = 1,
     .imports = 120,
     .base = -1},
    {.name = "comes up for long, then a buffer fills, no epochs",
     .want = SHAPE_WARMUP,
     .epochs = 24,
     .rows = 20,
     .level = 400,
     .fill = 100,
     .full = 9,
     .imports = 80,
     .base = -1},
    {.name = "comes up for long, then gives back, no epochs",
     .want = SHAPE_RELEASE,
     .epochs = 20,
     .rows = 20,
     .level = 400,
     .jump = -150,
     .jump_at = 10,
     .imports = 80,
     .base = -1},
    {.name = "hardly longer than its coming up, no epochs",
     .want = SHAPE_RESERVATION,
     .epochs = 4,
     .rows = 20,
     .level = 400,
     .imports = 160,
     .base = -1},
    {.name = "teeth, no epochs",
     .want = SHAPE_CYCLIC,
     .epochs = 16,
     .rows = 60,
     .level = 400,
     .tooth = 60,
     .period = 1,
     .base = -1},
    {.name = "GPU segments",
     .want = SHAPE_GROWTH,
     .epochs = 14,
     .rows = 5,
     .level = 2000,
     .leak = 20,
     .every = 1,
     .gpu = true},
    {.name = "a jump of ten times the level, then a leak",
     .want = SHAPE_GROWTH,
     .epochs = 40,
     .rows = 20,
     .level = 400,
     .jump = 4000,
     .jump_at = 10,
     .leak = 0.3,
     .leak_at = 10,
     .noise = 0.05},
    {.name = "few rows, a leak, no epochs",
     .want = SHAPE_GROWTH,
     .epochs = 16,
     .rows = 1,
     .level = 400,
     .leak = 4,
     .noise = 0.2,
     .base = -1},
    {.name = "leak under spikes",
     .want = SHAPE_GROWTH,
     .epochs = 180,
     .rows = 2,
     .level = 11000,
     .leak = 16,
     .spike = 2000,
     .noise = 60},
    {.name = "leak, workers die and come back, no epochs",
     .want = SHAPE_GROWTH,
     .epochs = 13,
     .rows = 91,
     .level = 290,
     .leak = 1.14,
     .tooth = 30,
     .period = 1,
     .dip = 80,
     .base = -1},
    {.name = "warms up within few epochs",
     .want = SHAPE_WARMUP,
     .epochs = 8,
     .rows = 9,
     .level = 980,
     .rise = 500,
     .tau = 1.1,
     .noise = 5},
    {.name = "filled for long, full not long ago",
     .want = SHAPE_WARMUP,
     .epochs = 40,
     .rows = 3,
     .level = 400,
     .fill = 310,
     .full = 31,
     .noise = 0.01},
    {.name = "leak that slows down",
     .want = SHAPE_GROWTH,
     .epochs = 26,
     .rows = 3,
     .level = 390,
     .fill = 60,
     .full = 12,
     .leak = 3.3,
     .noise = 4},
    {.name = "leak in noise, no epochs",
     .want = SHAPE_GROWTH,
     .epochs = 20,
     .rows = 20,
     .level = 5000,
     .leak = 4,
     .noise = 25,
     .imports = 60,
     .base = -1},
    {.name = "GPU level", .want = SHAPE_FLAT, .epochs = 14, .rows = 5, .level = 2000, .gpu = true},
};

static double noise(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

static double run_at(const struct run *r, double x, uint32_t *seed)
{
	double past = fmax(0, x - r->leak_at);
	double v = r->level + r->leak * (r->every > 0 ? r->every * floor(past / r->every) : past);
	v += r->jump != 0 && x >= r->jump_at ? r->jump : 0;
	v += r->tau > 0 ? r->rise * (1 - exp(-x / r->tau)) : 0;
	v += r->late_tau > 0 ? r->late_rise * (1 - exp(-x / r->late_tau)) : 0;
	v += r->full > 0 ? r->fill * fmin(1, x / r->full) : 0;
	v += r->period > 0 ? r->tooth * (x / r->period - floor(x / r->period)) : 0;
	v -= x - floor(x) < 0.03 ? r->dip : 0;
	v += r->spike > 0 && noise(seed) > 0.5 - 1.0 / 6 ? r->spike : 0;
	return v + r->noise * noise(seed);
}

/* Pushes the run's rows up to `until_ms` and leaves them in s. */
static void run_push(const struct run *r, struct series *s, int64_t until_ms)
{
	uint32_t seed = 1;
	int64_t at = 0;
	for (int i = 0; r->setup && i < 20 && at <= until_ms; i++, at += 100)
		series_push(s, at, -1, (uint64_t)(r->level * i / 20 * MB));
	for (int i = 0; i < r->imports && at <= until_ms; i++, at += 100) {
		/* the first module is the largest, the others are of all sizes */
		double part = sqrt((double)i / r->imports) + 0.02 * sin(i / 3.0);
		series_push(s, at, -1, (uint64_t)(r->level * fmin(1, fmax(0.01, part)) * MB));
	}
	for (int i = 0; i < (r->epochs + 1) * r->rows && at <= until_ms; i++, at += 100) {
		double x = (double)i / r->rows;
		int64_t epoch = r->base < 0 ? -1 : r->base + i / r->rows;
		if (i / r->rows == r->epochs && r->base < 0)
			break;
		series_push(s, at, epoch, (uint64_t)(run_at(r, x, &seed) * MB));
	}
	for (int i = 0; i < r->idle && at <= until_ms; i++, at += 100)
		series_push(s, at, -1, (uint64_t)((run_at(r, r->epochs, &seed) - 30) * MB));
}

static void judge_run(const struct run *r, int64_t until_ms, struct verdict *out)
{
	struct series *s = series_new(r->gpu ? SERIES_GPU : SERIES_HOST);
	run_push(r, s, until_ms);
	detector_judge(s, out);
	series_free(s);
}

static void shapes_get_their_names(void **state)
{
	int wrong = 0;
	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct verdict v;
		judge_run(&runs[i], INT64_MAX, &v);
		if (v.shape == runs[i].want)
			continue;
		print_error("%s: %s, wanted %s\n", runs[i].name, detector_shape_name(v.shape),
			    detector_shape_name(runs[i].want));
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void slopes_are_within_their_bounds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct verdict v;
		if (runs[i].want != SHAPE_GROWTH)
			continue;
		judge_run(&runs[i], INT64_MAX, &v);
		double per_s = runs[i].leak * MB / (0.1 * runs[i].rows),
		       truth = v.per_epoch ? runs[i].leak * MB : per_s;
		assert_true(v.slope_known);
		assert_int_equal(v.per_epoch, runs[i].base >= 0);
		if (v.slope_low > truth || v.slope_high < truth)
			print_error("%s: %.0f not in %.0f..%.0f\n", runs[i].name, truth, v.slope_low,
				    v.slope_high);
		assert_true(v.slope_low <= truth && truth <= v.slope_high);
		if (fabs(v.slope_bytes_per_s - per_s) >= 0.15 * per_s)
			print_error("%s: %.0f bytes per second, is %.0f\n", runs[i].name, v.slope_bytes_per_s,
				    per_s);
		assert_true(fabs(v.slope_bytes_per_s - per_s) < 0.15 * per_s);
	}
}

/* Live and --until are the same code: what came later, or how it was looked at on the way, does not
 * matter. */
static void verdict_depends_on_rows_so_far_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct verdict a, b;
		uint32_t seed = 1;
		int rows = runs[i].epochs * runs[i].rows;
		if (runs[i].setup || runs[i].imports || rows > 2000)
			continue;
		struct series *live = series_new(runs[i].gpu ? SERIES_GPU : SERIES_HOST);
		for (int k = 0; k < rows; k++) {
			double x = (double)k / runs[i].rows;
			series_push(live, k * 100, runs[i].base < 0 ? -1 : runs[i].base + k / runs[i].rows,
				    (uint64_t)(run_at(&runs[i], x, &seed) * MB));
			if (k % 97 != 0)
				continue;
			detector_judge(live, &a);
			judge_run(&runs[i], k * 100, &b);
			assert_memory_equal(&a, &b, sizeof(a));
		}
		series_free(live);
	}
}

static void never_growth_before_the_fourth_epoch(void **state)
{
	static const struct run steep = {.epochs = 40, .rows = 20, .level = 400, .leak = 200};
	(void)state;
	for (int64_t epoch = 0; epoch < 4; epoch++) {
		struct verdict v;
		judge_run(&steep, (epoch * 20 + 19) * 100, &v);
		assert_int_equal(v.shape, SHAPE_UNDETERMINED);
		assert_int_equal(v.more_epochs, 4 - epoch);
	}
}

/* Without epochs, a rise that stopped a moment before the program did: nothing promises that more would
 * decide it. */
static void what_only_rises_is_never_steady(void **state)
{
	static const double leaks[] = {1, 4, 20};
	struct verdict v;

	(void)state;
	for (size_t i = 0; i < sizeof(leaks) / sizeof(leaks[0]); i++) {
		struct run r = {.epochs = 7, .rows = 12, .level = 200, .leak = leaks[i], .noise = 0.05};

		for (int64_t ms = 0; ms < 7 * 12 * 100; ms += 50) {
			judge_run(&r, ms, &v);
			assert_true(v.shape == SHAPE_GROWTH || v.shape == SHAPE_UNDETERMINED);
		}
	}
}

static void no_promise_that_more_would_decide(void **state)
{
	static const struct run late = {
	    .epochs = 5, .rows = 8, .level = 450, .fill = 320, .full = 4.2, .base = -1, .setup = true};
	struct verdict v;
	(void)state;
	judge_run(&late, INT64_MAX, &v);
	assert_int_equal(v.shape, SHAPE_UNDETERMINED);
	assert_true(v.rises);
	assert_int_equal(v.more_epochs, 0);
}

static void steady_leak_is_said_after_five_epochs_and_firm_after_seven(void **state)
{
	static const struct run leak = {.epochs = 40, .rows = 20, .level = 400, .leak = 4, .noise = 0.2};
	(void)state;
	for (int64_t epoch = 5; epoch < 40; epoch++) {
		struct verdict v;
		judge_run(&leak, epoch * 2000, &v);
		assert_int_equal(v.shape, SHAPE_GROWTH);
		assert_true(v.firm || epoch < 7);
	}
}

/* 0.03 and 0.05 % of the level per epoch; a line in noise; whole arenas; a GPU's segments, which come when they like; small
 * steps; a warm-up hides no leak for long, and a buffer that fills none when it is full. */
static void leaks_are_firm_in_time(void **state)
{
	static const struct {
		int64_t from;
		struct run run;
	} cases[] = {
	    {9, {.rows = 20, .level = 4000, .leak = 2, .noise = 0.1}},
	    {11, {.rows = 20, .level = 700, .leak = 0.2, .noise = 0.01}},
	    {12, {.rows = 20, .level = 890, .leak = 1, .noise = 6}},
	    {12, {.rows = 20, .level = 580, .leak = 0.2, .every = 0.9, .noise = 0.01}},
	    {16, {.rows = 20, .level = 2000, .leak = 10, .every = 1.6, .gpu = true}},
	    {15, {.rows = 20, .level = 400, .leak = 0.14, .every = 3, .noise = 0.01, .base = 16}},
	    {25, {.rows = 20, .level = 1000, .leak = 2, .rise = 300, .tau = 4, .noise = 0.1}},
	    {12, {.rows = 20, .level = 400, .leak = 1, .fill = 120, .full = 6, .noise = 0.1}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int64_t epoch = cases[i].from; epoch < 30; epoch++) {
			struct run r = cases[i].run;
			struct verdict v;
			r.epochs = 40;
			judge_run(&r, epoch * 2000, &v);
			if (v.shape != SHAPE_GROWTH || !v.firm)
				print_error("case %zu, epoch %d: %s\n", i, (int)epoch,
					    detector_shape_name(v.shape));
			assert_true(v.shape == SHAPE_GROWTH && v.firm);
		}
}

/* A second curve that settles late looks like a line beside the first; after four of its time constants it does not, but
 * for the last of it: 0.01 % of the level per epoch. */
static void a_late_warmup_is_no_leak(void **state)
{
	static const double taus[] = {1, 1.5, 2, 3};
	(void)state;
	for (size_t i = 0; i < sizeof(taus) / sizeof(taus[0]); i++)
		for (int64_t epoch = (int64_t)(24 * taus[i]); epoch < 80; epoch += 3) {
			struct run r = {.epochs = 80,
					.rows = 20,
					.level = 1000,
					.rise = 300,
					.late_rise = 100,
					.noise = 0.1};
			struct verdict v;
			r.tau = taus[i];
			r.late_tau = 6 * taus[i];
			judge_run(&r, epoch * 2000, &v);
			bool alarm = v.shape == SHAPE_GROWTH && v.firm;
			if (alarm && v.slope_bytes_per_epoch > 1e-4 * 1400 * MB)
				fail_msg("tau %g, epoch %d: +%.0f", taus[i], (int)epoch,
					 v.slope_bytes_per_epoch);
		}
}

/* A tooth that is sampled ever later falls bit by bit and comes back at once: no stairs. */
static void a_tooth_is_no_stair(void **state)
{
	static const struct run tooth = {.epochs = 40, .rows = 20, .level = 400, .tooth = -80, .period = 9};
	(void)state;
	for (int64_t epoch = 8; epoch < 40; epoch++) {
		struct verdict v;
		judge_run(&tooth, epoch * 2000, &v);
		assert_int_not_equal(v.shape, SHAPE_GROWTH);
	}
}

/* Batches of another size, now and then, at the end of an epoch (KiB): up, and down again each time. */
static void what_comes_down_again_is_no_stair(void **state)
{
	static const uint64_t kib[] = {13000, 12880, 12880, 12884, 12884, 12888, 13252, 12888, 12892,
				       13192, 13240, 12892, 12892, 12892, 12892, 12892, 13228, 13232};
	struct series *s = series_new(SERIES_OUTSIDE);
	(void)state;
	for (size_t i = 0; i < sizeof(kib) / sizeof(kib[0]); i++) {
		struct verdict v;
		series_push(s, 600 * (int64_t)(i + 1), (int64_t)i, kib[i] << 10);
		detector_judge(s, &v);
		assert_false(v.shape == SHAPE_GROWTH);
	}
	series_free(s);
}

/* A mebibyte in each epoch (KiB), read a little before the next one is taken or a little after. */
static void a_line_that_is_read_early_or_late_is_one(void **state)
{
	static const uint64_t kib[] = {7292,  8424,  8572,  9596,  10640, 12536,
				       13564, 14592, 14592, 16648, 16648};
	struct series *s = series_new(SERIES_OUTSIDE);
	struct verdict v;
	(void)state;
	for (size_t i = 0; i < sizeof(kib) / sizeof(kib[0]); i++)
		series_push(s, 250 * (int64_t)(i + 1), (int64_t)i, kib[i] << 10);
	detector_judge(s, &v);
	assert_int_equal(v.shape, SHAPE_GROWTH);
	assert_true(v.slope_low < MB && v.slope_high > MB);
	series_free(s);
}

/* Five epochs' worth is kept in every fifth (5 MiB on 150), and no row fell into some of the epochs: they were too short. */
static void stairs_show_though_some_epochs_were_not_seen(void **state)
{
	static const uint64_t seen[] = {2, 3, 4, 6, 7, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21};
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	(void)state;
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
		for (uint64_t row = 0; row < 4; row++)
			series_push(s, (int64_t)(800 * seen[i] + 200 * row), (int64_t)seen[i] - 1,
				    (150 + seen[i] / 5 * 5) << 20 | seen[i] * 7919 % 13 << 12);
	detector_judge(s, &v);
	assert_true(v.shape == SHAPE_GROWTH && v.firm);
	assert_true(v.slope_low < MB && v.slope_high > MB);
	series_free(s);
}

/* After a tooth that was given back the next one is no leak until it is clearly higher. */
static void the_next_tooth_is_not_firm(void **state)
{
	static const struct run tooth = {.epochs = 40, .rows = 12, .level = 360, .tooth = 190, .period = 8};
	(void)state;
	for (int64_t epoch = 9; epoch < 40; epoch++) {
		struct verdict v;
		judge_run(&tooth, epoch * 1200, &v);
		if (v.shape == SHAPE_GROWTH && v.firm)
			print_error("epoch %d: firm growth\n", (int)epoch);
		assert_false(v.shape == SHAPE_GROWTH && v.firm);
	}
}

/* Once sure, for good: small teeth, and a fall of four epochs' growth that is forgotten three epochs
 * later. */
static void odd_epochs_do_not_take_growth_back(void **state)
{
	static const struct {
		int64_t from;
		struct run run;
	} cases[] = {
	    {27, {.rows = 20, .level = 890, .leak = 0.33, .tooth = 6, .period = 1.3, .noise = 1}},
	    {24, {.rows = 20, .level = 890, .leak = 0.33, .jump = -1.4, .jump_at = 20, .noise = 0.1}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int64_t epoch = cases[i].from; epoch < 40; epoch++) {
			struct run r = cases[i].run;
			struct verdict v;
			r.epochs = 40;
			judge_run(&r, epoch * 2000, &v);
			assert_int_equal(v.shape, SHAPE_GROWTH);
			assert_true(v.firm);
		}
}

/* Fills in a straight line for ten epochs and stops dead: nobody can know before, everybody must soon
 * after. */
static void full_buffer_is_not_firm_for_long(void **state)
{
	static const struct run fill = {.epochs = 40, .rows = 20, .level = 400, .fill = 120, .full = 10};
	(void)state;
	for (int64_t epoch = 12; epoch < 40; epoch++) {
		struct verdict v;
		judge_run(&fill, epoch * 2000, &v);
		assert_false(v.shape == SHAPE_GROWTH && v.firm);
	}
}

static void coming_up_is_never_growth(void **state)
{
	static const struct run up = {.level = 400, .imports = 200, .base = -1};
	struct verdict v;
	(void)state;
	for (int64_t until = 600; until <= 20000; until += 300) {
		judge_run(&up, until, &v);
		assert_int_not_equal(v.shape, SHAPE_GROWTH);
	}
}

/* A file whose time does not begin at 0, a GPU that is used late. */
/* Attached to 40 % of the way: 50 MB/s for 6 s, code being mapped meanwhile, then level; or a leak of 1 MB/s. */
static struct verdict attached_while_importing(int rows, double leak)
{
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	for (int i = 0; i < rows; i++) {
		double come_up = fmin(i, 30) * 10, since = fmax(i - 30, 0) * leak / 5;
		if (i <= 30)
			series_set_up_until(s, i * 200);
		series_push(s, i * 200, -1, (uint64_t)((200 + come_up + since + 0.05 * (i * 37 % 16)) * MB));
	}
	detector_judge(s, &v);
	series_free(s);
	return v;
}

static void imports_that_were_attached_to_are_no_growth(void **state)
{
	(void)state;
	for (int rows = 6; rows < 300; rows += 3) {
		struct verdict v = attached_while_importing(rows, 0);
		if (v.shape == SHAPE_GROWTH && v.firm)
			fail_msg("firm growth after %d rows", rows);
	}
	struct verdict level = attached_while_importing(300, 0), leak = attached_while_importing(300, 1);
	assert_true(level.shape != SHAPE_GROWTH);
	assert_true(leak.shape == SHAPE_GROWTH && leak.firm);
}

static void the_clock_of_a_series_begins_with_it(void **state)
{
	(void)state;
	for (int64_t until = 600; until <= 20000; until += 300) {
		struct series *s = series_new(SERIES_HOST);
		struct verdict v;
		for (int i = 0; i < 200 && i * 100 <= until; i++)
			series_push(s, 1000000 + i * 100, -1,
				    (uint64_t)(400 * fmax(0.01, sqrt(i / 200.0) + 0.02 * sin(i / 3.0)) * MB));
		detector_judge(s, &v);
		assert_int_not_equal(v.shape, SHAPE_GROWTH);
		series_free(s);
	}
}

static void joined_windows_name_their_first_epoch(void **state)
{
	(void)state;
	for (int jump_at = 801; jump_at < 840; jump_at += 7) {
		struct series *s = series_new(SERIES_HOST);
		struct verdict v;
		for (int i = 0; i < 2000 * 3; i++)
			series_push(s, i * 100, i / 3,
				    (uint64_t)((i / 3 >= jump_at ? 600 : 400) * MB) +
					(uint64_t)(i * 7919 % 13) * 4096);
		detector_judge(s, &v);
		assert_int_equal(v.onset_epoch, v.onset_ms / 300 + 1);
		series_free(s);
	}
}

/* A cache that filled in the first epoch: what that epoch was like is not forgotten as slots are joined. */
static void a_first_epoch_is_remembered(void **state)
{
	(void)state;
	for (int epochs = 8; epochs <= 64; epochs *= 2) {
		struct series *s = series_new(SERIES_HOST);
		struct verdict v;
		for (int i = 0; i < 20; i++)
			series_push(s, i * 100, -1, (uint64_t)(400.0 * i / 20 * MB));
		for (int i = 0; i < (epochs + 1) * 20; i++)
			series_push(s, 2000 + i * 100, i / 20, (uint64_t)((400 + fmin(200, 10.0 * i)) * MB));
		detector_judge(s, &v);
		assert_int_equal(v.shape, SHAPE_WARMUP);
		assert_true(v.firm);
		series_free(s);
	}
}

static void evidence_of_a_jump(void **state)
{
	static const struct run jump = {
	    .epochs = 20, .rows = 20, .level = 400, .jump = 120, .jump_at = 8.5, .noise = 1};
	struct verdict v;
	(void)state;
	judge_run(&jump, INT64_MAX, &v);
	assert_true(fabs(v.jump_bytes - 120 * MB) < 3 * MB);
	assert_int_equal(v.jump_epoch, 9);
	assert_true(v.jump_ms >= 16000 && v.jump_ms <= 18000);
	assert_in_range(v.onset_epoch, 9, 11);
	assert_true(fabs((double)v.plateau_bytes - 520 * MB) < 2 * MB);
	assert_true(v.spread_bytes < 2 * MB);
	assert_float_equal(v.swing_bytes, 0, 0);
	assert_int_equal(v.epochs, 20);
	assert_int_equal(v.basis, BASIS_EPOCHS);
}

/* A late step, within what the last third spans: what is flat is flat since the step. */
static void flat_since_is_since_the_jump(void **state)
{
	static const struct run late = {
	    .epochs = 30, .rows = 12, .level = 400, .jump = 17, .jump_at = 25.5, .noise = 2};
	struct verdict v;
	(void)state;
	judge_run(&late, INT64_MAX, &v);
	assert_int_equal(v.shape, SHAPE_RESERVATION);
	assert_int_equal(v.jump_epoch, 26);
	assert_true(v.onset_ms >= v.jump_ms - 1200);
	assert_in_range(v.onset_epoch, 26, 28);
}

/* However the rows and slots cut it. */
static void the_steps_of_a_jump_are_summed(void **state)
{
	static const struct {
		int rows, at;
		int64_t every_ms;
		double step[6]; /* row by row */
	} cases[] = {
	    {300, 5, 200, {200, 200, 200}},
	    {300, 100, 200, {200, 200, 200}},
	    {300, 5, 200, {100, 400, 100}},
	    {300, 5, 200, {400, 150, 50}},
	    {40, 5, 200, {100, 100, 100, 100, 100, 100}},
	    {40, 5, 1000, {100, 100, 100, 100, 100, 100}},
	    {40, 5, 200, {300, 0, 300}},
	    {900, 200, 1000, {50, 500, 50}},
	    {100, 20, 200, {600, 200, -200}}, /* a second copy for a moment */
	};
	struct verdict v;
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct series *s = series_new(SERIES_HOST);
		double level = 100;
		for (int k = 0; k < cases[i].rows; k++) {
			if (k >= cases[i].at && k < cases[i].at + 6)
				level += cases[i].step[k - cases[i].at];
			series_push(s, k * cases[i].every_ms, -1, (uint64_t)(level * MB));
		}
		detector_judge(s, &v);
		series_free(s);
		if (fabs(v.jump_bytes - 600 * MB) > 6 * MB || v.jumps != 1)
			fail_msg("case %zu: %.0f MB, %d jumps", i, v.jump_bytes / MB, v.jumps);
		assert_true(llabs(v.jump_ms - cases[i].at * cases[i].every_ms) <
			    cases[i].rows * cases[i].every_ms / 40);
	}
}

/* A curriculum, layers added twice: the largest is not all that was taken; a tenth of it is not worth counting. */
static void like_jumps_are_counted(void **state)
{
	static const struct {
		int epoch;
		double mib;
	} steps[] = {{4, 60}, {9, 90}, {12, 6}, {15, 70}};
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	(void)state;
	for (int i = 0; i < 30 * 20; i++) {
		double level = 400;
		for (size_t k = 0; k < sizeof(steps) / sizeof(steps[0]); k++)
			level += i >= 20 * steps[k].epoch + 7 ? steps[k].mib : 0;
		series_push(s, i * 100, i / 20, (uint64_t)(level * MB));
	}
	detector_judge(s, &v);
	series_free(s);
	assert_int_equal(v.shape, SHAPE_RESERVATION);
	assert_true(fabs(v.jump_bytes - 90 * MB) < MB);
	assert_int_equal(v.jump_epoch, 10);
	assert_int_equal(v.jumps, 3);
	assert_true(fabs(v.jumps_bytes - 220 * MB) < MB);
}

/* Nothing of it happened at once. */
static void what_was_held_is_given_back(void **state)
{
	static const struct run r = {
	    .epochs = 20, .rows = 20, .level = 800, .jump = -300, .jump_at = 9, .noise = 0.1, .setup = true};
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	(void)state;
	series_push(s, 0, -1, (uint64_t)(2000 * MB)); /* a moment before training */
	run_push(&r, s, INT64_MAX);
	detector_judge(s, &v);
	series_free(s);
	assert_int_equal(v.shape, SHAPE_RELEASE);
	assert_true(fabs(v.released_bytes - 300 * MB) < MB);
}

static void a_ramp_is_no_jump(void **state)
{
	static const struct run leak = {.epochs = 20, .rows = 20, .level = 400, .leak = 60};
	struct verdict v;
	(void)state;
	judge_run(&leak, INT64_MAX, &v);
	assert_int_equal(v.shape, SHAPE_GROWTH);
	assert_float_equal(v.jump_bytes, 0, 0);
}

static void evidence_of_growth(void **state)
{
	static const struct run leak = {.epochs = 13, .rows = 20, .level = 400, .leak = 8, .noise = 1};
	struct verdict v;
	(void)state;
	judge_run(&leak, INT64_MAX, &v);
	assert_int_equal(v.epochs_judged, 11);
	assert_int_equal(v.epochs_rising, 11);
	assert_int_equal(v.onset_epoch, 2);
	assert_int_equal(v.plateau_bytes, 0);
	assert_true((double)v.first_bytes < 402 * MB && (double)v.last_bytes > 500 * MB);
	assert_true(v.peak_bytes >= v.last_bytes);
}

/* As many epochs are said to rise as do; spans of them where single ones are not known. */
static void epochs_that_do_not_rise_are_not_counted(void **state)
{
	static const struct {
		int epochs, rows, every, span;
	} cases[] = {
	    {24, 20, 4, 1}, {24, 5, 4, 1}, {24, 1, 4, 3}, {60, 1, 4, 3}, {90, 3, 3, 1}, {600, 5, 4, 8},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run r = {.rows = cases[i].rows, .level = 400, .leak = 2};
		struct verdict v;
		r.epochs = cases[i].epochs;
		r.every = cases[i].every;
		judge_run(&r, INT64_MAX, &v);
		assert_int_equal(v.shape, SHAPE_GROWTH);
		assert_int_equal(v.epochs_span, cases[i].span);
		if (v.epochs_span == 1)
			assert_in_range(v.epochs_judged / v.epochs_rising, cases[i].every,
					cases[i].every + 1);
		assert_true(v.epochs_judged * v.epochs_span <= cases[i].epochs);
	}
}

static void evidence_of_teeth(void **state)
{
	static const struct run teeth = {.epochs = 30, .rows = 50, .level = 400, .tooth = 60, .period = 1};
	struct verdict v;
	(void)state;
	judge_run(&teeth, INT64_MAX, &v);
	assert_true(fabs(v.swing_bytes - 59 * MB) < 3 * MB);
	assert_true(fabs((double)v.plateau_bytes - 400 * MB) < MB);
}

static void period_of_the_memory_is_found(void **state)
{
	static const struct run teeth = {
	    .epochs = 14, .rows = 60, .level = 400, .tooth = 80, .period = 1, .leak = 6, .base = -1};
	struct verdict v;
	(void)state;
	judge_run(&teeth, INT64_MAX, &v);
	assert_int_equal(v.basis, BASIS_PERIOD);
	assert_int_equal(v.shape, SHAPE_GROWTH);
	assert_int_equal(v.epochs, -1);
}

/* What is said to show does show: the same run with that much growth is called growth, with a quarter of it
 * not. */
static void what_would_have_shown_does(void **state)
{
	static const struct run quiet[] = {
	    {.epochs = 20, .rows = 20, .level = 400, .noise = 2},
	    {.epochs = 60, .rows = 20, .level = 4000, .noise = 20},
	    {.epochs = 30, .rows = 20, .level = 400, .rise = 100, .tau = 4, .noise = 0.5},
	    {.epochs = 30, .rows = 40, .level = 400, .tooth = 60, .period = 0.7},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++) {
		struct run more = quiet[i];
		struct verdict v, w;
		judge_run(&more, INT64_MAX, &v);
		assert_int_not_equal(v.shape, SHAPE_GROWTH);
		assert_true(v.detectable_bytes > 0);
		more.leak = 1.2 * v.detectable_bytes / MB;
		judge_run(&more, INT64_MAX, &w);
		assert_int_equal(w.shape, SHAPE_GROWTH);
		more.leak = 0.2 * v.detectable_bytes / MB;
		judge_run(&more, INT64_MAX, &w);
		assert_int_not_equal(w.shape, SHAPE_GROWTH);
	}
}

/* A rise that still goes on may be growth of that size. */
static void what_still_rises_may_hide_as_much(void **state)
{
	static const struct run slowing = {
	    .epochs = 12, .rows = 20, .level = 900, .rise = 32, .tau = 8, .noise = 0.3};
	struct verdict v;
	(void)state;
	judge_run(&slowing, INT64_MAX, &v);
	assert_int_not_equal(v.shape, SHAPE_GROWTH);
	assert_true(v.detectable_bytes >
		    slowing.rise / slowing.tau * exp(-slowing.epochs / slowing.tau) * MB);
}

/* Rows of a second: `told` epochs of `epoch_s` each and a last one of `rest_s`, in which leak bytes per second
 * begin. */
struct silence {
	int told, epoch_s, rest_s;
	double leak;
};

static struct series *silence_series(const struct silence *q)
{
	struct series *s = series_new(SERIES_HOST);
	for (int t = 0; t < q->told * q->epoch_s + q->rest_s; t++) {
		int epoch = t / q->epoch_s < q->told ? t / q->epoch_s : q->told;
		double since = t > q->told * q->epoch_s ? t - q->told * q->epoch_s : 0;
		series_push(s, (int64_t)t * 1000, epoch,
			    (uint64_t)(400 * MB + q->leak * since + t * 7 % 5 * 4096));
	}
	return s;
}

static void judge_silence(const struct silence *q, struct verdict *out)
{
	struct series *s = silence_series(q);
	detector_judge(s, out);
	series_free(s);
}

static void epochs_that_are_over_hide_no_growth(void **state)
{
	struct verdict v;
	(void)state;
	judge_silence(&(struct silence){.told = 10, .epoch_s = 10, .rest_s = 1200, .leak = 1e6}, &v);
	assert_int_equal(v.shape, SHAPE_GROWTH);
	assert_true(v.firm && !v.per_epoch);
	assert_true(v.slope_low < 1e6 && v.slope_high > 1e6);
	assert_int_equal(v.epochs, 10);
	assert_int_equal(v.silent_ms, 1199000);
	assert_true(llabs(v.onset_ms - 100000) <= 40000);

	judge_silence(&(struct silence){.told = 10, .epoch_s = 10, .rest_s = 1200}, &v);
	assert_int_equal(v.shape, SHAPE_FLAT);
}

static void growth_after_the_last_epoch_need_not_wait_so_long(void **state)
{
	struct verdict v;
	(void)state;
	judge_silence(&(struct silence){.told = 12, .epoch_s = 2, .rest_s = 50, .leak = 6e6}, &v);
	assert_int_equal(v.shape, SHAPE_GROWTH);
	assert_int_equal(v.silent_ms, 49000);
	judge_silence(&(struct silence){.told = 24, .epoch_s = 600, .rest_s = 6000, .leak = 2e5}, &v);
	assert_int_equal(v.shape, SHAPE_GROWTH);
}

static void what_follows_the_last_epoch_is_told(void **state)
{
	struct verdict v;
	struct series *s = silence_series(&(struct silence){.told = 12, .epoch_s = 5, .rest_s = 1});
	(void)state;
	for (int t = 61; t < 81; t++)
		series_push(s, t * 1000, 12, (uint64_t)((t < 63 ? 400 : 700) * MB));
	detector_judge(s, &v);
	assert_int_equal(v.shape, SHAPE_FLAT);
	assert_true(fabs(v.after_bytes - 300 * MB) < MB);
	assert_int_equal(v.after_ms, 20000);
	series_free(s);

	judge_silence(&(struct silence){.told = 12, .epoch_s = 5, .rest_s = 20}, &v);
	assert_true(v.after_bytes == 0);
}

static void a_slow_epoch_is_still_one(void **state)
{
	struct verdict v;
	(void)state;
	judge_silence(&(struct silence){.told = 10, .epoch_s = 10, .rest_s = 45, .leak = 1e6}, &v);
	assert_int_equal(v.silent_ms, 0);
	assert_int_equal(v.basis, BASIS_EPOCHS);
	judge_silence(&(struct silence){.told = 3, .epoch_s = 30, .rest_s = 145}, &v);
	assert_int_equal(v.silent_ms, 0);
}

/* The line comes at the end of the first epoch, and is the only one. */
static void one_epoch_and_then_silence_hides_no_growth(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	(void)state;
	for (int t = 0; t < 1000; t++)
		series_push(s, t * 1000, t < 20 ? -1 : 1, (uint64_t)(400 * MB + 4e5 * t));
	detector_judge(s, &v);
	assert_int_equal(v.shape, SHAPE_GROWTH);
	assert_int_equal(v.silent_ms, 979000);
	series_free(s);
}

/* Epoch 1 of many has begun: how long it takes, nobody knows. */
static void a_first_epoch_is_never_over(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	(void)state;
	for (int t = 0; t < 1000; t++)
		series_push(s, t * 1000, t < 20 ? -1 : 0, (uint64_t)(400 * MB + 4e5 * t));
	detector_judge(s, &v);
	assert_int_equal(v.shape, SHAPE_UNDETERMINED);
	assert_int_equal(v.so_far, SO_FAR_RISING);
	series_free(s);
}

static void epochs_that_come_again_count_again(void **state)
{
	struct series *s = silence_series(&(struct silence){.told = 10, .epoch_s = 10, .rest_s = 300});
	struct verdict v;
	(void)state;
	for (int t = 400; t < 900; t++)
		series_push(s, t * 1000, 11 + (t - 400) / 10, (uint64_t)(400 * MB));
	detector_judge(s, &v);
	assert_int_equal(v.basis, BASIS_EPOCHS);
	assert_int_equal(v.silent_ms, 0);
	series_free(s);
}

static void a_long_epoch_is_told_of_so_far(void **state)
{
	struct verdict v;
	(void)state;
	judge_silence(&(struct silence){.told = 1, .epoch_s = 600, .rest_s = 1500, .leak = 1e6}, &v);
	assert_int_equal(v.shape, SHAPE_UNDETERMINED);
	assert_int_equal(v.so_far, SO_FAR_RISING);
	assert_int_equal(v.more_epochs, 3);
	assert_true(v.slope_known && !v.per_epoch && v.slope_low < 1e6 && v.slope_high > 1e6);
	assert_true(llabs(v.onset_ms - 600000) <= 60000);

	judge_silence(&(struct silence){.told = 1, .epoch_s = 600, .rest_s = 1500}, &v);
	assert_int_equal(v.shape, SHAPE_UNDETERMINED);
	assert_int_equal(v.so_far, SO_FAR_LEVEL);
	assert_true(v.spread_bytes < 5 * 4096);
}

static void few_rows_are_undetermined(void **state)
{
	(void)state;
	for (int rows = 0; rows < 6; rows++) {
		struct series *s = series_new(SERIES_HOST);
		struct verdict v;
		for (int i = 0; i < rows; i++)
			series_push(s, i, i, 4096);
		detector_judge(s, &v);
		assert_int_equal(v.shape, SHAPE_UNDETERMINED);
		assert_false(v.firm);
		series_free(s);
	}
}

/* Rows no monitor would write. The verdict may be anything that is a verdict, with finite figures. */
static void hostile_rows_give_finite_figures(void **state)
{
	(void)state;
	for (int kind = 0; kind < 7; kind++) {
		struct series *s = series_new(kind % 2 ? SERIES_GPU : SERIES_HOST);
		struct verdict v;
		uint32_t seed = 7;
		for (int64_t i = 0; i < 3000; i++) {
			uint64_t bytes = (uint64_t)((noise(&seed) + 0.5) * 1e9);
			int64_t ms = kind == 0 ? 1000 : kind == 1 ? INT64_MAX - i : i * 10;
			int64_t epoch = kind == 2   ? 3000 - i
					: kind == 3 ? i * 1000
					: kind == 4 ? i % 3
						    : i / 50;
			if (kind == 5)
				bytes = i % 2 ? UINT64_MAX : 0;
			if (kind == 6)
				bytes = 0;
			series_push(s, ms, epoch, bytes);
		}
		detector_judge(s, &v);
		assert_in_range(v.shape, SHAPE_UNDETERMINED, SHAPE_GROWTH);
		assert_true(isfinite(v.slope_bytes_per_epoch) && isfinite(v.slope_bytes_per_s));
		assert_true(isfinite(v.slope_low) && isfinite(v.slope_high) && isfinite(v.detectable_bytes));
		assert_true(isfinite(v.spread_bytes) && isfinite(v.swing_bytes) && isfinite(v.jump_bytes));
		series_free(s);
	}
}

/* 2.5 MiB more in every second for 24 s, then level for so long. Nobody tells of epochs. */
static struct verdict rise_that_stops(int level_s)
{
	struct series *s = series_new(SERIES_HOST);
	struct verdict v;
	for (int i = 0; i < 10 * (24 + level_s); i++)
		series_push(s, 100 * i, -1, (uint64_t)((60 + 0.25 * fmin(i, 240)) * MB));
	detector_judge(s, &v);
	series_free(s);
	return v;
}

static void a_rise_that_has_just_stopped_is_no_firm_plateau(void **state)
{
	(void)state;
	for (int level_s = 2; level_s <= 40; level_s++) {
		struct verdict v = rise_that_stops(level_s);
		if (level_s < 7)
			assert_true(!v.firm || v.shape == SHAPE_GROWTH);
		if (level_s > 30)
			assert_true(v.firm && v.shape == SHAPE_WARMUP);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_rise_that_has_just_stopped_is_no_firm_plateau),
	    cmocka_unit_test(shapes_get_their_names),
	    cmocka_unit_test(slopes_are_within_their_bounds),
	    cmocka_unit_test(verdict_depends_on_rows_so_far_alone),
	    cmocka_unit_test(never_growth_before_the_fourth_epoch),
	    cmocka_unit_test(what_only_rises_is_never_steady),
	    cmocka_unit_test(no_promise_that_more_would_decide),
	    cmocka_unit_test(steady_leak_is_said_after_five_epochs_and_firm_after_seven),
	    cmocka_unit_test(leaks_are_firm_in_time),
	    cmocka_unit_test(a_late_warmup_is_no_leak),
	    cmocka_unit_test(a_tooth_is_no_stair),
	    cmocka_unit_test(what_comes_down_again_is_no_stair),
	    cmocka_unit_test(a_line_that_is_read_early_or_late_is_one),
	    cmocka_unit_test(stairs_show_though_some_epochs_were_not_seen),
	    cmocka_unit_test(the_next_tooth_is_not_firm),
	    cmocka_unit_test(odd_epochs_do_not_take_growth_back),
	    cmocka_unit_test(full_buffer_is_not_firm_for_long),
	    cmocka_unit_test(coming_up_is_never_growth),
	    cmocka_unit_test(imports_that_were_attached_to_are_no_growth),
	    cmocka_unit_test(the_clock_of_a_series_begins_with_it),
	    cmocka_unit_test(joined_windows_name_their_first_epoch),
	    cmocka_unit_test(a_first_epoch_is_remembered),
	    cmocka_unit_test(evidence_of_a_jump),
	    cmocka_unit_test(flat_since_is_since_the_jump),
	    cmocka_unit_test(the_steps_of_a_jump_are_summed),
	    cmocka_unit_test(like_jumps_are_counted),
	    cmocka_unit_test(what_was_held_is_given_back),
	    cmocka_unit_test(a_ramp_is_no_jump),
	    cmocka_unit_test(evidence_of_growth),
	    cmocka_unit_test(epochs_that_do_not_rise_are_not_counted),
	    cmocka_unit_test(evidence_of_teeth),
	    cmocka_unit_test(period_of_the_memory_is_found),
	    cmocka_unit_test(what_would_have_shown_does),
	    cmocka_unit_test(what_still_rises_may_hide_as_much),
	    cmocka_unit_test(epochs_that_are_over_hide_no_growth),
	    cmocka_unit_test(growth_after_the_last_epoch_need_not_wait_so_long),
	    cmocka_unit_test(what_follows_the_last_epoch_is_told),
	    cmocka_unit_test(a_slow_epoch_is_still_one),
	    cmocka_unit_test(one_epoch_and_then_silence_hides_no_growth),
	    cmocka_unit_test(a_first_epoch_is_never_over),
	    cmocka_unit_test(epochs_that_come_again_count_again),
	    cmocka_unit_test(a_long_epoch_is_told_of_so_far),
	    cmocka_unit_test(few_rows_are_undetermined),
	    cmocka_unit_test(hostile_rows_give_finite_figures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
