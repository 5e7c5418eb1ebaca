/* SPDX-License-Identifier: MIT */
#include "compare/spread.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct stretch quiet;

static void two_percent_can_be_seen_at_every_size(void **state)
{
	static const double mib[] = {21, 41, 250, 4000, 40000};
	const double one[] = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(mib) / sizeof(mib[0]); i++) {
		struct run_habits habits = {.level_bytes = mib[i] * MIB, .span = 20};
		struct expected_spread e = spread_expected(&quiet, &habits);

		assert_true(spread_bounds(e.level_var, one, 1, one, 1) < 0.02 * mib[i] * MIB);
		assert_true(spread_bounds(e.slope_var, one, 1, one, 1) < 0.0025 * mib[i] * MIB);
	}
}

static void repeats_take_over(void **state)
{
	const double alike[] = {100, 100, 100, 100}, apart[] = {90, 110, 95, 105};
	double one = spread_bounds(1, alike, 1, alike, 1), four = spread_bounds(1, alike, 4, alike, 4);

	(void)state;
	assert_true(one > 4 && one < 5); /* 3.18 times the root of two */
	assert_true(four < one / 3);     /* less noise is seen, and it is known better */
	assert_true(spread_bounds(1, apart, 4, apart, 4) > 10);
}

static void a_piece_that_came_may_stay_away(void **state)
{
	const struct stretch piece = {.piece = 1.0 * MIB};
	const struct run_habits habits = {.level_bytes = 23.0 * MIB, .span = 20};
	struct expected_spread e = spread_expected(&piece, &habits);
	const double one[] = {0};

	(void)state;
	assert_true(spread_bounds(e.level_var, one, 1, one, 1) > 1.0 * MIB);
}

/* Four looks at 64 MiB that come and go: the lowest of them may be 16 MiB above the floor. */
static void few_looks_miss_the_floor(void **state)
{
	struct run_habits habits = {
	    .level_bytes = 40.0 * MIB, .span = 20, .swing_bytes = 64.0 * MIB, .looks = 4};
	struct expected_spread e = spread_expected(&quiet, &habits);
	const double one[] = {0};

	(void)state;
	assert_true(spread_bounds(e.level_var, one, 1, one, 1) > 16.0 * MIB);
	habits.looks = 400;
	e = spread_expected(&quiet, &habits);
	assert_true(spread_bounds(e.level_var, one, 1, one, 1) < 0.02 * habits.level_bytes);
}

/* 20 epochs at 300 KiB more or less in each. */
static void what_growth_has_come_to_is_no_surer_than_the_growth(void **state)
{
	const struct stretch leaks = {.line_var = pow(300.0 * KIB, 2)};
	struct run_habits habits = {.level_bytes = 100.0 * MIB, .span = 20, .grows = true};
	struct expected_spread e = spread_expected(&leaks, &habits);
	const double one[] = {0};

	(void)state;
	assert_true(spread_bounds(e.level_var, one, 1, one, 1) > 2 * 20 * 300.0 * KIB);
	habits.grows = false;
	e = spread_expected(&leaks, &habits);
	assert_true(spread_bounds(e.level_var, one, 1, one, 1) < 2.0 * MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_percent_can_be_seen_at_every_size),
	    cmocka_unit_test(repeats_take_over),
	    cmocka_unit_test(a_piece_that_came_may_stay_away),
	    cmocka_unit_test(few_looks_miss_the_floor),
	    cmocka_unit_test(what_growth_has_come_to_is_no_surer_than_the_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
