/* SPDX-License-Identifier: MIT */
/* File pages over a run, and until when they are those of imports. */
#include "series/imports.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EACH_MS = 100 };
#define MB UINT64_C(1000000)

/* Pages at a moment, in MB. */
static uint64_t two_libraries(int64_t ms)
{
	return ms < 1000 ? 5 : ms < 9000 ? 240 : 320;
}

static uint64_t two_libraries_and_an_end(int64_t ms)
{
	return ms < 59500 ? two_libraries(ms) : 320 + (uint64_t)(ms - 59500) / 5;
}

static uint64_t creeping(int64_t ms)
{
	return 300 + (ms > 2000);
}

static uint64_t mapped_data(int64_t ms)
{
	return 100 + (uint64_t)ms / 100;
}

static uint64_t workers_that_come_and_go(int64_t ms)
{
	return two_libraries(ms) + (ms / 3000 % 2 && ms > 20000 ? 500 : 0);
}

static int64_t until(uint64_t (*pages_mb)(int64_t ms), int64_t end_ms)
{
	struct imports c;
	imports_init(&c);
	for (int64_t ms = 0; ms <= end_ms; ms += EACH_MS)
		imports_push(&c, ms, pages_mb(ms) * MB);
	return c.until_ms;
}

static void the_last_library_ends_set_up(void **state)
{
	(void)state;
	assert_int_equal(until(two_libraries, 5000), 1000);
	assert_int_equal(until(two_libraries, 60000), 9000);
	assert_int_equal(until(creeping, 60000), 0);
}

/* It came long after the one before: not before the program has outlived it. */
static void what_comes_late_waits(void **state)
{
	(void)state;
	assert_int_equal(until(two_libraries, 9000), 1000);
	assert_int_equal(until(two_libraries, 9000 + ENDING_MS), 1000);
	assert_int_equal(until(two_libraries, 9000 + 2 * ENDING_MS), 9000);
}

static void what_an_end_maps_is_no_set_up(void **state)
{
	(void)state;
	assert_int_equal(until(two_libraries_and_an_end, 60000), 9000);
}

static void mapped_data_is_not_waited_for_forever(void **state)
{
	int64_t end = until(mapped_data, 600000);
	(void)state;
	assert_true(end > LONGEST_MS / 2 && end < LONGEST_MS);
}

static void the_same_workers_again_are_no_news(void **state)
{
	(void)state;
	assert_int_equal(until(workers_that_come_and_go, 100000), 21000);
}

static void a_change_is_told_once(void **state)
{
	struct imports c;
	int changes = 0;
	(void)state;
	imports_init(&c);
	assert_int_equal(c.until_ms, -1);
	for (int64_t ms = 0; ms <= 60000; ms += EACH_MS)
		changes += imports_push(&c, ms, two_libraries(ms) * MB);
	assert_int_equal(changes, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_last_library_ends_set_up),
	    cmocka_unit_test(what_comes_late_waits),
	    cmocka_unit_test(what_an_end_maps_is_no_set_up),
	    cmocka_unit_test(mapped_data_is_not_waited_for_forever),
	    cmocka_unit_test(the_same_workers_again_are_no_news),
	    cmocka_unit_test(a_change_is_told_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
