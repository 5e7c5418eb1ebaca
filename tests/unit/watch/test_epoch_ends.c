/* SPDX-License-Identifier: MIT */
#define EPOCH_ENDS 4
#include "watch/epoch_ends.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Epochs 1 to n, each of ten nanoseconds. */
static struct epoch_ends ends_of(int n)
{
	struct epoch_ends e = {.n = 0};

	for (int epoch = 1; epoch <= n; epoch++)
		epoch_ends_add(&e, epoch, 10 * epoch);
	return e;
}

static void before_the_first_nothing_is_known(void **state)
{
	struct epoch_ends none = ends_of(0), one = ends_of(1);

	(void)state;
	assert_int_equal(epoch_ends_now(&none), -1);
	assert_int_equal(epoch_ends_at(&none, 100), -1);
	assert_int_equal(epoch_ends_length_ns(&none), 0);
	assert_int_equal(epoch_ends_at(&one, 9), -1);
	assert_int_equal(epoch_ends_at(&one, 10), 1);
	assert_int_equal(epoch_ends_length_ns(&one), 0);
}

static void of_many_the_last_are_remembered(void **state)
{
	struct epoch_ends e = ends_of(10);

	(void)state;
	assert_int_equal(epoch_ends_now(&e), 10);
	assert_int_equal(epoch_ends_at(&e, 79), 7);
	assert_int_equal(epoch_ends_at(&e, 80), 8);
	assert_int_equal(epoch_ends_at(&e, 69), -1);
}

static void epochs_that_nobody_told_of_count_for_how_long_one_takes(void **state)
{
	struct epoch_ends e = ends_of(10);

	(void)state;
	epoch_ends_add(&e, 15, 200);
	assert_int_equal(epoch_ends_length_ns(&e), (200 - 80) / (15 - 8));
}

static void what_takes_long_is_due_once_in_an_epoch_and_not_twice_in_a_second(void **state)
{
	struct epoch_end last = {.time_ns = 0};

	(void)state;
	assert_true(epoch_end_is_next(&last, 3, NS_PER_S));
	assert_false(epoch_end_is_next(&last, 3, 9 * NS_PER_S));
	assert_false(epoch_end_is_next(&last, 4, 2 * NS_PER_S - 1));
	assert_true(epoch_end_is_next(&last, 4, 2 * NS_PER_S));
	assert_false(epoch_end_is_next(&last, -1, 3 * NS_PER_S - 1));
	assert_true(epoch_end_is_next(&last, -1, 3 * NS_PER_S)); /* without epochs by time alone */
	assert_true(epoch_end_is_next(&last, -1, 4 * NS_PER_S));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(before_the_first_nothing_is_known),
	    cmocka_unit_test(of_many_the_last_are_remembered),
	    cmocka_unit_test(epochs_that_nobody_told_of_count_for_how_long_one_takes),
	    cmocka_unit_test(what_takes_long_is_due_once_in_an_epoch_and_not_twice_in_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
