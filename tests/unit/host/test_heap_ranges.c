/* SPDX-License-Identifier: MIT */
#include "host/heap_ranges.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct heap_ranges set, out;

static void begin(void)
{
	set.count = set.least_bytes = 0;
}

static void what_overlaps_or_touches_becomes_one(void **state)
{
	(void)state;
	begin();
	heap_ranges_join(&set, (struct heap_range[]){{50, 60}, {10, 20}, {15, 30}, {30, 35}}, 4);
	heap_ranges_join(&set, (struct heap_range[]){{5, 6}, {70, 70}}, 2);
	assert_int_equal(set.count, 3);
	assert_int_equal(set.list[1].start, 10);
	assert_int_equal(set.list[1].end, 35);
}

static void what_is_common_is_counted(void **state)
{
	(void)state;
	begin();
	heap_ranges_join(&set, (struct heap_range[]){{10, 20}, {30, 40}, {50, 60}}, 3);
	assert_int_equal(heap_ranges_common(&set, 0, 10), 0);
	assert_int_equal(heap_ranges_common(&set, 15, 55), 5 + 10 + 5);
	assert_int_equal(heap_ranges_common(&set, 32, 33), 1);
	assert_int_equal(heap_ranges_common(&set, 60, 100), 0);
}

static void others_are_cut_out(void **state)
{
	const struct heap_range others[] = {{0, 0}, {0, 12}, {14, 16}, {18, 35}, {36, 40}, {70, 80}};

	(void)state;
	begin();
	heap_ranges_join(&set, (struct heap_range[]){{10, 20}, {30, 40}, {50, 60}}, 3);
	heap_ranges_without(&set, others, 6, &out);
	assert_int_equal(out.count, 4);
	assert_int_equal(out.list[0].start, 12);
	assert_int_equal(out.list[1].end, 18);
	assert_int_equal(out.list[2].start, 35);
	assert_int_equal(out.list[3].end, 60);
}

/* Thousands of small ones do not push a large one out. */
static void where_there_is_no_room_the_large_ones_stay(void **state)
{
	struct heap_range large = {1 << 30, (1 << 30) + (1 << 20)};

	(void)state;
	begin();
	heap_ranges_join(&set, &large, 1);
	for (uint64_t i = 0; i < 4 * (uint64_t)HEAP_RANGES_MAX; i++)
		heap_ranges_join(&set, &(struct heap_range){i * 8192, i * 8192 + 2048}, 1);
	assert_true(set.count <= HEAP_RANGES_MAX);
	assert_int_equal(heap_ranges_common(&set, large.start, large.end), 1 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_overlaps_or_touches_becomes_one),
	    cmocka_unit_test(what_is_common_is_counted),
	    cmocka_unit_test(others_are_cut_out),
	    cmocka_unit_test(where_there_is_no_room_the_large_ones_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
