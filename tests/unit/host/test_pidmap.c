/* SPDX-License-Identifier: MIT */
#include "host/pidmap.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { PIDS = 300, STEPS = 200000 };

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Random churn against a plain array; numbers in steps of 16 share their home slots. */
static void agrees_with_an_array(void **state)
{
	struct pidmap map = {0};
	size_t want[PIDS], count = 0;
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < PIDS; i++)
		want[i] = PIDMAP_NONE;
	for (int step = 0; step < STEPS; step++) {
		size_t i = next_random(&seed) % PIDS;
		pid_t pid = (pid_t)(1 + i * 16);

		if (want[i] == PIDMAP_NONE || next_random(&seed) % 3 == 0) {
			count += want[i] == PIDMAP_NONE;
			want[i] = next_random(&seed);
			pidmap_set(&map, pid, want[i]);
		} else {
			count--;
			want[i] = PIDMAP_NONE;
			pidmap_remove(&map, pid);
		}
		i = next_random(&seed) % PIDS;
		assert_int_equal(pidmap_get(&map, (pid_t)(1 + i * 16)), want[i]);
		assert_int_equal(map.count, count);
	}
	for (size_t i = 0; i < PIDS; i++)
		assert_int_equal(pidmap_get(&map, (pid_t)(1 + i * 16)), want[i]);
	assert_true(map.cap <= 4 * PIDS);
	pidmap_free(&map);
}

static void an_empty_one_answers(void **state)
{
	struct pidmap map = {0};

	(void)state;
	assert_int_equal(pidmap_get(&map, 1), PIDMAP_NONE);
	pidmap_remove(&map, 1);
	pidmap_free(&map);
}

/* Ten thousand processes one after the other need no more room than two at a time. */
static void churn_does_not_grow_it(void **state)
{
	struct pidmap map = {0};
	size_t cap;

	(void)state;
	pidmap_set(&map, 1, 0);
	cap = map.cap;
	for (pid_t pid = 2; pid < 10000; pid++) {
		pidmap_set(&map, pid, 0);
		pidmap_remove(&map, pid - 1);
	}
	assert_int_equal(map.cap, cap);
	pidmap_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(agrees_with_an_array),
	    cmocka_unit_test(an_empty_one_answers),
	    cmocka_unit_test(churn_does_not_grow_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
