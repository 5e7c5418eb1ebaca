/* SPDX-License-Identifier: MIT */
#include "verdict/judge.c"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/units.h"
#include "verdict/forecast.h"
#include "verdict/gate.h"

enum { EPOCHS = 40, ROWS = 20, ROW_MS = 100 };

/* A made run: each channel has a level and a rise per epoch; 0 level and 0 rise is absent. */
struct made {
	double level[CH_MAX], rise[CH_MAX];
	double swing[CH_MAX]; /* as workers come and go, from epoch to epoch */
	int n;
	bool no_epochs;
};

static uint64_t ripple(int row)
{
	return (uint64_t)(row * 7919 % 13) * 4096; /* noise that repeats with no epoch */
}

static double share_of_swing(int epoch)
{
	return (double)(epoch * epoch * 31 % 17) / 16;
}

static void play(struct judge *j, const struct made *m)
{
	struct sample s = {.wall_ms = -1, .procs = 1, .n = m->n ? m->n : CH_HOST_COUNT};

	for (int row = 0; row < EPOCHS * ROWS; row++) {
		s.elapsed_ms = row * ROW_MS;
		s.epoch = m->no_epochs ? -1 : row / ROWS;
		for (int i = 0; i < s.n; i++) {
			s.v[i].ok = m->level[i] > 0 || m->rise[i] > 0;
			s.v[i].bytes = (uint64_t)(m->level[i] + m->rise[i] * row / ROWS +
						  m->swing[i] * share_of_swing(row / ROWS)) +
				       (i == CH_LIMIT ? 0 : ripple(row));
		}
		judge_push(j, &s);
	}
}

static const struct series_verdict *host_of(struct judge *j)
{
	const struct run_verdict *run = judge_run(j);

	assert_true(run->n > 0);
	assert_string_equal(run->series[0].name, "host");
	return &run->series[0];
}

static void the_best_figure_is_judged(void **state)
{
	static const struct {
		struct made made;
		double first; /* MiB */
		bool rss_only;
	} cases[] = {
	    {{.level = {[CH_RSS] = 900e6,
			[CH_ANON] = 500e6,
			[CH_SHMEM] = 50e6,
			[CH_SWAP] = 20e6,
			[CH_HELD] = 100e6}},
	     100e6,
	     false},
	    {{.level = {[CH_RSS] = 900e6, [CH_ANON] = 500e6, [CH_SHMEM] = 50e6, [CH_SWAP] = 20e6}},
	     570e6,
	     false},
	    {{.level = {[CH_RSS] = 900e6, [CH_SWAP] = 20e6}}, 920e6, true},
	    {{.level = {[CH_RSS] = 900e6}}, 900e6, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct judge *j = judge_new();
		const struct series_verdict *s;

		play(j, &cases[i].made);
		s = host_of(j);
		assert_int_equal(s->v.first_bytes, (uint64_t)cases[i].first);
		assert_int_equal(s->rss_only, cases[i].rss_only);
		judge_free(j);
	}
}

static void a_better_figure_starts_the_series_anew(void **state)
{
	struct sample s = {.elapsed_ms = 0, .epoch = -1, .n = CH_HOST_COUNT};
	struct judge *j = judge_new();

	(void)state;
	s.v[CH_RSS] = (struct reading){900, true};
	judge_push(j, &s);
	s.elapsed_ms = 100;
	s.v[CH_HELD] = (struct reading){500, true};
	judge_push(j, &s);
	s.elapsed_ms = 200;
	s.v[CH_HELD].ok = false;
	judge_push(j, &s);
	assert_int_equal(host_of(j)->v.first_bytes, 500);
	assert_int_equal(host_of(j)->v.last_bytes, 500);
	judge_free(j);
}

/* From its exec on, epochs not known: imports of 6 s, then 1 MB held per second more, and data mapped at 2 MB/s. */
static struct verdict leak_beside_mapped_data(int seconds)
{
	struct sample s = {.epoch = -1, .n = CH_HOST_COUNT};
	struct judge *j = judge_new();
	struct verdict v;

	for (s.elapsed_ms = 0; s.elapsed_ms <= 1000L * seconds; s.elapsed_ms += 200) {
		double t = (double)s.elapsed_ms / 1000, up = fmin(1, t / 6), since = fmax(0, t - 6);

		s.v[CH_HELD] = (struct reading){(uint64_t)(2e6 + 300e6 * up + 1e6 * since), true};
		s.v[CH_FILE] = (struct reading){(uint64_t)(5e6 + 200e6 * up + 2e6 * since), true};
		judge_push(j, &s);
	}
	v = host_of(j)->v;
	judge_free(j);
	return v;
}

static void data_that_are_mapped_delay_a_verdict_and_no_more(void **state)
{
	struct verdict early = leak_beside_mapped_data(50), late = leak_beside_mapped_data(400);

	(void)state;
	assert_int_equal(early.shape, SHAPE_UNDETERMINED);
	assert_true(early.rises);
	assert_int_equal(late.shape, SHAPE_GROWTH);
	assert_true(late.firm);
}

/* 5 MB per second up to 1.1 GB, of a limit of 2 GB; then `rows` of tear-down. */
static double full_in_s_after(int rows)
{
	struct sample s = {.epoch = -1, .n = CH_HOST_COUNT};
	struct judge *j = judge_new();
	double full_in_s;

	s.v[CH_LIMIT] = (struct reading){2000000000, true};
	for (int row = 0; row < 600 + rows; row++) {
		s.elapsed_ms = row * 200;
		s.v[CH_ANON] =
		    (struct reading){row < 600 ? 500000000 + (uint64_t)row * 1000000 : 10000000, true};
		judge_push(j, &s);
	}
	full_in_s = host_of(j)->full_in_s;
	judge_free(j);
	return full_in_s;
}

static void tear_down_leaves_no_room(void **state)
{
	(void)state;
	for (int rows = 0; rows <= 12; rows += 3)
		assert_true(full_in_s_after(rows) > 175 && full_in_s_after(rows) < 205);
}

static void growth_is_placed(void **state)
{
	static const struct {
		struct made made;
		enum part first;
		double share;
	} cases[] = {
	    {{.level = {[CH_ANON] = 500e6, [CH_SHMEM] = 50e6}, .rise = {[CH_ANON] = 5e6}}, PART_ANON, 1},
	    {{.level = {[CH_ANON] = 500e6, [CH_SHMEM] = 50e6}, .rise = {[CH_SHMEM] = 5e6}}, PART_SHMEM, 1},
	    {{.level = {[CH_ANON] = 500e6, [CH_SHMEM] = 50e6}, .rise = {[CH_ANON] = 6e6, [CH_SHMEM] = 2e6}},
	     PART_ANON,
	     0.75},
	    {{.level = {[CH_ANON] = 500e6, [CH_SHMEM] = 50e6, [CH_SWAP] = 1e6}, .rise = {[CH_SWAP] = 5e6}},
	     PART_SWAP,
	     1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct judge *j = judge_new();
		const struct series_verdict *s;

		play(j, &cases[i].made);
		s = host_of(j);
		assert_int_equal(s->v.shape, SHAPE_GROWTH);
		assert_true(s->n_parts > 0);
		assert_int_equal(s->parts[0].part, cases[i].first);
		assert_true(s->parts[0].share > cases[i].share - 0.05 &&
			    s->parts[0].share < cases[i].share + 0.05);
		judge_free(j);
	}
}

/* No split of RSS (an old kernel, a sandbox): what was not measured is no pages copied. */
static void a_leak_of_held_alone_is_a_leak(void **state)
{
	static const struct made made = {.level = {[CH_HELD] = 400e6}, .rise = {[CH_HELD] = 5e6}};
	struct judge *j = judge_new();
	const struct series_verdict *s;

	(void)state;
	play(j, &made);
	s = host_of(j);
	assert_int_equal(s->v.shape, SHAPE_GROWTH);
	assert_true(s->v.firm);
	assert_false(s->unshared);
	assert_int_equal(s->n_parts, 0);
	judge_free(j);
}

static void copied_pages_are_no_leak(void **state)
{
	static const struct made made = {.level = {[CH_ANON] = 900e6, [CH_SHMEM] = 1e6, [CH_HELD] = 400e6},
					 .rise = {[CH_HELD] = 5e6}};
	struct judge *j = judge_new();
	const struct series_verdict *s;

	(void)state;
	play(j, &made);
	s = host_of(j);
	assert_true(s->unshared);
	assert_int_equal(s->v.shape, SHAPE_WARMUP);
	assert_false(s->v.firm);
	judge_free(j);
}

/* The sum over processes says nothing while it swings by more than the leak: it may hide it. */
static void a_leak_beside_workers_that_come_and_go_is_one(void **state)
{
	static const struct made made = {.level = {[CH_ANON] = 900e6, [CH_SHMEM] = 1e6, [CH_HELD] = 400e6},
					 .rise = {[CH_HELD] = 5e6},
					 .swing = {[CH_ANON] = 4e9}};
	struct judge *j = judge_new();
	const struct series_verdict *s;

	(void)state;
	play(j, &made);
	s = host_of(j);
	assert_false(s->unshared);
	assert_int_equal(s->v.shape, SHAPE_GROWTH);
	judge_free(j);
}

static void files_that_grow_are_noticed(void **state)
{
	static const struct made made = {.level = {[CH_ANON] = 400e6, [CH_FILE] = 100e6},
					 .rise = {[CH_FILE] = 5e6}};
	struct judge *j = judge_new();
	const struct series_verdict *s;

	(void)state;
	play(j, &made);
	s = host_of(j);
	assert_int_not_equal(s->v.shape, SHAPE_GROWTH);
	assert_true(s->file_slope > 4.8e6 && s->file_slope < 5.2e6);
	judge_free(j);
}

static void the_forecast_knows_its_limit(void **state)
{
	/* At the end 800 MB are held and 5 MB come with each epoch of 2 s. */
	static const struct {
		double limit, available;
		uint64_t given;
		double epochs; /* -1: none */
		bool machine;
	} cases[] = {
	    {1000e6, 0, 0, 40, false}, {1000e6, 500e6, 0, 40, false}, {1000e6, 100e6, 0, 20, true},
	    {0, 100e6, 0, 20, true},   {0, 0, 0, -1, false},          {1000e6, 100e6, 900000000, 20, false},
	    {700e6, 0, 0, 0, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = {
		    .level =
			{[CH_ANON] = 600e6, [CH_LIMIT] = cases[i].limit, [CH_AVAILABLE] = cases[i].available},
		    .rise = {[CH_ANON] = 5e6}};
		struct judge *j = judge_new();
		const struct series_verdict *s;

		judge_limit(j, cases[i].given);
		play(j, &made);
		s = host_of(j);
		assert_int_equal(s->machine_full, cases[i].machine);
		if (cases[i].epochs < 0) {
			assert_true(s->full_in_epochs < 0 && s->full_in_s < 0);
		} else {
			assert_true(s->full_in_epochs >= cases[i].epochs - 0.6 &&
				    s->full_in_epochs <= cases[i].epochs + 0.6);
			assert_true(s->full_in_s >= 2 * cases[i].epochs - 1.5 &&
				    s->full_in_s <= 2 * cases[i].epochs + 1.5);
		}
		judge_free(j);
	}
}

static void models_built_in_a_loop_grow_by_fits(void **state)
{
	static const struct made made = {.level = {[CH_ANON] = 600e6, [CH_LIMIT] = 2e9},
					 .rise = {[CH_ANON] = 5e6}};
	struct epoch_fits fits = {.n = 2, .kept = {{1, 2, 0, 600000000}, {2, 2, 0, 610000000}}};
	struct judge *j = judge_new();
	const struct series_verdict *s;

	(void)state;
	play(j, &made);
	assert_true(host_of(j)->fits.bytes == 0);
	judge_fits(j, &fits);
	assert_true(host_of(j)->fits.bytes == 0); /* one change is no pace */
	fits.kept[fits.n++] = (struct fit){3, 2, 0, 620000000};
	s = host_of(j);
	assert_true(s->fits.bytes == 10e6 && s->fits.changes == 2 && s->fits.rises == 2);
	assert_true(s->full_in_fits > 110 && s->full_in_fits < 130);
	for (int i = 0; i < fits.n; i++)
		fits.kept[i].bytes = 600000000; /* level fits: it is the epochs that grow */
	assert_true(host_of(j)->fits.bytes == 0);
	judge_free(j);
}

static void nearly_full_is_what_has_little_left(void **state)
{
	/* 40 epochs of 2 s took it from 600 to 800 MB. */
	static const struct {
		double limit;
		bool soon, nearly, far;
	} cases[] = {{850e6, true, true, false},
		     {1600e6, true, false, false},
		     {6000e6, false, false, true},
		     {40000e6, false, false, true}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = {.level = {[CH_ANON] = 600e6, [CH_LIMIT] = cases[i].limit},
				    .rise = {[CH_ANON] = 5e6}};
		struct judge *j = judge_new();
		const struct series_verdict *s;

		play(j, &made);
		s = host_of(j);
		assert_int_equal(forecast_soon_full(s), cases[i].soon);
		assert_int_equal(forecast_nearly_full(s), cases[i].nearly);
		assert_int_equal(forecast_far_from_full(s), cases[i].far);
		judge_free(j);
	}
}

static void gpus_are_series_of_their_own(void **state)
{
	struct channel channels[CH_HOST_COUNT + 4] = {[CH_HOST_COUNT] = {"gpu0_bytes"},
						      [CH_HOST_COUNT + 1] = {"gpu0_total_bytes"},
						      [CH_HOST_COUNT + 2] = {"gpu1_mig2_bytes"},
						      [CH_HOST_COUNT + 3] = {"gpu1_mig2_total_bytes"}};
	static const struct made made = {.level = {[CH_ANON] = 400e6,
						   [CH_HOST_COUNT] = 2e9,
						   [CH_HOST_COUNT + 1] = 24e9,
						   [CH_HOST_COUNT + 2] = 1e9},
					 .rise = {[CH_HOST_COUNT + 2] = 20e6},
					 .n = CH_HOST_COUNT + 4};
	struct judge *j = judge_new();
	const struct run_verdict *run;

	(void)state;
	judge_channels(j, channels, CH_HOST_COUNT + 2);
	judge_channels(j, channels, CH_HOST_COUNT + 4);
	play(j, &made);
	run = judge_run(j);
	assert_int_equal(run->n, 3);
	assert_string_equal(run->series[1].name, "gpu0");
	assert_string_equal(run->series[2].name, "gpu1_mig2");
	assert_true(run->series[1].limit_bytes >= 24000000000);
	assert_int_equal(run->series[2].limit_bytes, 0);
	assert_int_equal(run->worst, 2);
	assert_true(gate_fails(run, FAIL_ON_GROWTH));
	assert_false(gate_fails(run, FAIL_ON_LIMIT | FAIL_ON_RETAINED));
	judge_free(j);
}

static void a_gpu_never_seen_is_no_series(void **state)
{
	struct channel channels[CH_HOST_COUNT + 2] = {[CH_HOST_COUNT] = {"gpu0_bytes"}};
	static const struct made made = {.level = {[CH_ANON] = 400e6}, .n = CH_HOST_COUNT + 2};
	struct judge *j = judge_new();

	(void)state;
	judge_channels(j, channels, CH_HOST_COUNT + 2);
	play(j, &made);
	assert_int_equal(judge_run(j)->n, 1);
	judge_free(j);
}

static void without_samples_there_is_no_verdict(void **state)
{
	struct judge *j = judge_new();

	(void)state;
	assert_int_equal(judge_run(j)->n, 0);
	assert_int_equal(judge_run(j)->worst, -1);
	assert_false(gate_fails(judge_run(j), FAIL_ON_GROWTH | FAIL_ON_LIMIT));
	judge_free(j);
}

/* The same rows give the same verdict however often one looks on the way. */
static void looking_changes_nothing(void **state)
{
	struct judge *once = judge_new(), *often = judge_new();
	struct sample s = {.wall_ms = -1, .n = CH_HOST_COUNT};
	struct series_verdict a, b;

	(void)state;
	for (int row = 0; row < EPOCHS * ROWS; row++) {
		s.elapsed_ms = row * ROW_MS;
		s.epoch = row / ROWS;
		s.v[CH_ANON] = (struct reading){(uint64_t)(400e6 + 1e5 * row) + ripple(row), true};
		judge_push(once, &s);
		judge_push(often, &s);
		judge_run(often);
	}
	a = *host_of(once);
	b = *host_of(often);
	assert_memory_equal(&a, &b, sizeof(a));
	judge_free(once);
	judge_free(often);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(data_that_are_mapped_delay_a_verdict_and_no_more),
	    cmocka_unit_test(the_best_figure_is_judged),
	    cmocka_unit_test(a_better_figure_starts_the_series_anew),
	    cmocka_unit_test(tear_down_leaves_no_room),
	    cmocka_unit_test(growth_is_placed),
	    cmocka_unit_test(a_leak_of_held_alone_is_a_leak),
	    cmocka_unit_test(copied_pages_are_no_leak),
	    cmocka_unit_test(a_leak_beside_workers_that_come_and_go_is_one),
	    cmocka_unit_test(files_that_grow_are_noticed),
	    cmocka_unit_test(the_forecast_knows_its_limit),
	    cmocka_unit_test(models_built_in_a_loop_grow_by_fits),
	    cmocka_unit_test(nearly_full_is_what_has_little_left),
	    cmocka_unit_test(gpus_are_series_of_their_own),
	    cmocka_unit_test(a_gpu_never_seen_is_no_series),
	    cmocka_unit_test(without_samples_there_is_no_verdict),
	    cmocka_unit_test(looking_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
