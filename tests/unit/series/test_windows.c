/* SPDX-License-Identifier: MIT */
/* The windows of a series that are judged: which there are, what they hold, what is left out. */
#include "series/windows.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROW_MS = 100 };

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within;
}

struct run {
	enum series_kind kind;
	int rows, epoch_rows; /* epoch_rows 0: no epochs */
	int64_t base;         /* epochs finished when it is first seen */
	uint64_t (*bytes)(int row);
};

static void build(const struct run *r, enum grain grain, struct view *v)
{
	struct series *s = series_new(r->kind);

	for (int i = 0; i < r->rows; i++)
		series_push(s, (int64_t)i * ROW_MS, r->epoch_rows ? r->base + i / r->epoch_rows : -1,
			    r->bytes(i));
	series_settle(s);
	view_build(s, grain, v);
	series_free(s);
}

static uint64_t counted(int row)
{
	return (uint64_t)(1000 + row);
}

static void a_window_is_an_epoch_that_has_ended(void **state)
{
	const struct run r = {SERIES_HOST, 205, 10, 7, counted};
	struct view v;

	(void)state;
	build(&r, GRAIN_JOINED, &v);
	assert_int_equal(v.basis, BASIS_EPOCHS);
	assert_int_equal(v.n, 20); /* the one that runs is not judged */
	assert_int_equal(v.epochs, 20);
	assert_int_equal(v.base, 7);
	assert_int_equal(v.first, 1); /* the first is set-up */
	assert_true(near(v.seconds_per_x, 1, 0.001));
	assert_true(near(v.start, 1001, 0));
	assert_true(near(v.level, 1000 + 18 * 10 + 4.5, 0.001)); /* the median of the last three */
	for (int i = 0; i < v.n; i++) {
		assert_true(near(v.x[i], 7 + i, 0));
		assert_int_equal(v.epoch[i], 7 + i);
		assert_true(near(v.begin[i], i, 0.001));
		assert_true(near(v.t[i], i + 0.45, 0.001));
		assert_true(near(v.lo[i], 1000 + 10 * i, 0));
		assert_true(near(v.med[i], 1004.5 + 10 * i, 0));
		assert_true(near(v.hi[i], 1009 + 10 * i, 0));
		assert_true(near(v.rows[i], 10, 0));
	}
}

/* Their floors would say little of one row. */
static void epochs_of_few_rows_are_joined_unless_each_is_wanted(void **state)
{
	const struct run r = {SERIES_HOST, 61, 1, 0, counted};
	struct view joined, fine;

	(void)state;
	build(&r, GRAIN_JOINED, &joined);
	build(&r, GRAIN_EPOCH, &fine);
	assert_int_equal(joined.n, 20);
	assert_int_equal(fine.n, 60);
	for (int i = 0; i < joined.n; i++)
		assert_true(near(joined.rows[i], 3, 0));
	assert_true(near(joined.seconds_per_x, fine.seconds_per_x, 0.001));
}

/* One that is not whole would have too high a floor. */
static void a_joined_window_that_is_not_whole_is_left_out(void **state)
{
	const struct run r = {SERIES_HOST, 60, 1, 0, counted};
	struct view v;

	(void)state;
	build(&r, GRAIN_JOINED, &v);
	assert_int_equal(v.n, 19);
}

static void of_readings_at_ends_of_epochs_none_is_set_up(void **state)
{
	const struct run r = {SERIES_HEAP, 20, 1, 0, counted};
	struct view v;

	(void)state;
	build(&r, GRAIN_EPOCH, &v);
	assert_true(v.n > 10);
	assert_int_equal(v.first, 0);
}

static uint64_t level(int row)
{
	(void)row;
	return 400 << 20;
}

static void without_epochs_windows_are_equal_times(void **state)
{
	const struct run r = {SERIES_HOST, 6400, 0, 0, level};
	struct view v;

	(void)state;
	build(&r, GRAIN_JOINED, &v);
	assert_int_equal(v.basis, BASIS_WINDOWS);
	assert_int_equal(v.epochs, -1);
	assert_in_range(v.n, 32, 64);
	assert_true(near(v.begin[0], 0, 0));
	assert_true(v.t[v.n - 1] > 0.97 * 640);
	for (int i = 1; i < v.n - 1; i++)
		assert_true(near(v.begin[i + 1] - v.begin[i], v.begin[1] - v.begin[0], 0.2));
	assert_true(near(v.seconds_per_x * (v.n - 1), v.t[v.n - 1] - v.t[0], 2));
}

/* Every window has rows to take a floor of. */
static void a_short_run_has_fewer_windows(void **state)
{
	const struct run r = {SERIES_HOST, 40, 0, 0, level};
	struct view v;

	(void)state;
	build(&r, GRAIN_JOINED, &v);
	assert_in_range(v.n, 4, 10);
	for (int i = 0; i < v.n; i++)
		assert_true(v.rows[i] >= 4);
}

static uint64_t torn_down(int row)
{
	return (uint64_t)(row < 950 ? 400 : 400 - (row - 950) * 6) << 20;
}

static uint64_t released(int row)
{
	return (uint64_t)(row < 600 ? 400 : 200) << 20;
}

static void what_is_given_back_as_the_run_ends_is_no_data(void **state)
{
	const struct run ends = {SERIES_HOST, 1000, 0, 0, torn_down},
			 gives = {SERIES_HOST, 1000, 0, 0, released};
	struct view v;

	(void)state;
	build(&ends, GRAIN_JOINED, &v);
	assert_true(v.n > 20 && v.t[v.n - 1] > 85);
	for (int i = 0; i < v.n; i++)
		assert_true(near(v.lo[i], 400 << 20, 0));
	build(&gives, GRAIN_JOINED, &v);
	assert_true(near(v.lo[v.n - 1], 200 << 20, 0)); /* a release lasts */
	assert_true(v.t[v.n - 1] > 95);
}

/* Up in the first tenth. */
static uint64_t coming_up(int row)
{
	return (uint64_t)(200 + (row < 100 ? row : 100)) << 20;
}

/* Two rows to a window. */
static uint64_t one_step(int row)
{
	return (uint64_t)(row < 8 ? 200 : 300) << 20;
}

static void what_comes_before_a_steep_start_is_over_is_set_up(void **state)
{
	const struct run up = {SERIES_HOST, 1000, 0, 0, coming_up}, step = {SERIES_HOST, 33, 0, 0, one_step},
			 still = {SERIES_HOST, 1000, 0, 0, level};
	struct view v;

	(void)state;
	build(&up, GRAIN_JOINED, &v);
	assert_in_range(v.begin[v.first] * 10, 90, 150);
	build(&step, GRAIN_JOINED, &v);
	assert_in_range(v.n, 6, 9); /* too few to see a ramp */
	assert_true(v.lo[v.first] == 300 << 20 && v.lo[v.first - 1] == 200 << 20);
	build(&still, GRAIN_JOINED, &v);
	assert_int_equal(v.first, 1);
}

/* Watched from exec on: 2 MiB, then 30 each second. */
static uint64_t from_exec(int row)
{
	return (uint64_t)(2 + (row < 100 ? 3 * row : 300)) << 20;
}

static void set_up_of_a_launch_is_followed_by_a_third_of_it(void **state)
{
	const struct run r = {SERIES_HOST, 600, 0, 0, from_exec};
	struct view v;

	(void)state;
	build(&r, GRAIN_JOINED, &v);
	assert_in_range(v.begin[v.launch] * 10, 90, 115);
	assert_int_equal(v.first, v.launch + v.launch / 3);
}

static uint64_t teeth(int row)
{
	return (uint64_t)(400 + row % 60) << 20;
}

static void a_period_of_the_memory_makes_the_windows(void **state)
{
	const struct run r = {SERIES_HOST, 720, 0, 0, teeth};
	struct view v;

	(void)state;
	build(&r, GRAIN_JOINED, &v);
	assert_int_equal(v.basis, BASIS_PERIOD);
	assert_in_range(v.n, 8, 11);
	for (int i = 1; i < v.n; i++)
		assert_true(near(v.begin[i] - v.begin[i - 1], 6, 0.7));
	build(&r, GRAIN_EPOCH, &v);
	assert_int_equal(v.basis, BASIS_WINDOWS); /* as they are */
}

static uint64_t blocks(int row)
{
	return (uint64_t)(400 + row / 100 * 20) << 20;
}

static void the_smallest_step_is_a_page_or_the_block_of_a_gpu(void **state)
{
	static const struct {
		struct run run;
		double bytes;
	} cases[] = {
	    {{SERIES_HOST, 1000, 10, 0, blocks}, 4096},
	    {{SERIES_GPU, 1000, 10, 0, blocks}, 20 << 20},
	    {{SERIES_GPU, 1000, 10, 0, level}, 2 << 20}, /* none was seen */
	};
	struct view v;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		build(&cases[i].run, GRAIN_JOINED, &v);
		assert_true(near(v.quantum, cases[i].bytes, 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_window_is_an_epoch_that_has_ended),
	    cmocka_unit_test(epochs_of_few_rows_are_joined_unless_each_is_wanted),
	    cmocka_unit_test(a_joined_window_that_is_not_whole_is_left_out),
	    cmocka_unit_test(of_readings_at_ends_of_epochs_none_is_set_up),
	    cmocka_unit_test(without_epochs_windows_are_equal_times),
	    cmocka_unit_test(a_short_run_has_fewer_windows),
	    cmocka_unit_test(what_is_given_back_as_the_run_ends_is_no_data),
	    cmocka_unit_test(what_comes_before_a_steep_start_is_over_is_set_up),
	    cmocka_unit_test(set_up_of_a_launch_is_followed_by_a_third_of_it),
	    cmocka_unit_test(a_period_of_the_memory_makes_the_windows),
	    cmocka_unit_test(the_smallest_step_is_a_page_or_the_block_of_a_gpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
