/* SPDX-License-Identifier: MIT */
#include "../../../src/verdict/forecast.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MB 1048576.0

/* 400 MB held after 20 of `planned` epochs, of a limit; slope and bounds per epoch. */
static struct series_verdict end_of(enum shape shape, double slope, double low, double high, int64_t planned,
				    double limit)
{
	struct run_track t = {.kind = SERIES_HOST, .pushed = 100};
	struct series_verdict s = {.kind = SERIES_HOST};

	t.last.bytes = t.mark.bytes = (uint64_t)(400 * MB);
	t.limit = (struct reading){(uint64_t)(limit * MB), limit > 0};
	s.v = (struct verdict){.shape = shape,
			       .basis = BASIS_EPOCHS,
			       .slope_known = true,
			       .per_epoch = true,
			       .slope_bytes_per_epoch = slope * MB,
			       .slope_bytes_per_s = slope * MB,
			       .slope_low = low * MB,
			       .slope_high = high * MB,
			       .epochs = 20};
	forecast(&t, 0, 20000, &s);
	forecast_end(&t, planned, -1, &s);
	return s;
}

static void the_level_at_the_planned_end(void **state)
{
	struct series_verdict s = end_of(SHAPE_GROWTH, 2, 1, 3, 120, 2000);

	(void)state;
	assert_true(s.end.known);
	assert_float_equal(s.end.bytes, 600 * MB, 1);
	assert_float_equal(s.end.low, 500 * MB, 1);
	assert_float_equal(s.end.high, 700 * MB, 1);
	assert_int_equal(s.end.outlook, OUTLOOK_FITS);
}

/* 400 MB of 1000 held, 2 MB kept and 1 MB more free in the heaps per epoch. */
static void what_the_allocator_keeps_fills_the_memory_too(void **state)
{
	struct run_track t = {.kind = SERIES_HOST, .pushed = 100};
	struct series_verdict s = {.kind = SERIES_HOST,
				   .heap = {.known = true, .slope_known = true, .kept = true}};

	(void)state;
	t.last.bytes = t.mark.bytes = (uint64_t)(400 * MB);
	t.limit = (struct reading){(uint64_t)(1000 * MB), true};
	s.heap.unused.slope = MB;
	s.v = (struct verdict){.shape = SHAPE_GROWTH,
			       .slope_known = true,
			       .per_epoch = true,
			       .slope_bytes_per_epoch = 2 * MB,
			       .slope_bytes_per_s = MB,
			       .slope_low = 2 * MB,
			       .slope_high = 2 * MB,
			       .epochs = 20};
	forecast(&t, 0, 20000, &s);
	forecast_end(&t, 120, -1, &s);
	assert_float_equal(s.full_in_epochs, 200, 1e-6);
	assert_float_equal(s.full_in_s, 400, 1e-6);
	assert_float_equal(s.end.bytes, 600 * MB, 1);
	assert_float_equal(s.end.high, 700 * MB, 1);
}

/* The last epochs ended behind the last row: nothing is left to come. */
static void a_plan_that_was_kept_has_no_rest(void **state)
{
	struct series_verdict s = {.v = {.shape = SHAPE_GROWTH,
					 .slope_known = true,
					 .per_epoch = true,
					 .slope_bytes_per_epoch = MB,
					 .epochs = 18}};
	struct run_track t = {0};

	(void)state;
	forecast_end(&t, 20, -1, &s);
	assert_int_equal(s.end.left, 2);
	forecast_end(&t, 20, 20, &s);
	assert_int_equal(s.end.left, 0);
}

static void the_limit_decides(void **state)
{
	(void)state;
	assert_int_equal(end_of(SHAPE_GROWTH, 2, 1, 3, 120, 590).end.outlook, OUTLOOK_EXCEEDS);
	assert_int_equal(end_of(SHAPE_GROWTH, 2, 1, 3, 120, 650).end.outlook, OUTLOOK_TIGHT);
	assert_int_equal(end_of(SHAPE_GROWTH, 2, 1, 3, 120, 720).end.outlook, OUTLOOK_TIGHT);
	assert_int_equal(end_of(SHAPE_GROWTH, 2, 1, 3, 120, 740).end.outlook, OUTLOOK_FITS);
	assert_int_equal(end_of(SHAPE_FLAT, 2, 1, 3, 120, 430).end.outlook, OUTLOOK_FITS);
}

static void nobody_knows_without_plan_limit_or_verdict(void **state)
{
	(void)state;
	assert_int_equal(end_of(SHAPE_GROWTH, 2, 1, 3, -1, 720).end.outlook, OUTLOOK_UNKNOWN);
	assert_int_equal(end_of(SHAPE_GROWTH, 2, 1, 3, 10, 720).end.outlook, OUTLOOK_UNKNOWN);
	assert_int_equal(end_of(SHAPE_GROWTH, 2, 1, 3, 120, 0).end.outlook, OUTLOOK_UNKNOWN);
	assert_int_equal(end_of(SHAPE_UNDETERMINED, 2, 1, 3, 120, 720).end.outlook, OUTLOOK_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_the_allocator_keeps_fills_the_memory_too),
	    cmocka_unit_test(the_level_at_the_planned_end),
	    cmocka_unit_test(a_plan_that_was_kept_has_no_rest),
	    cmocka_unit_test(the_limit_decides),
	    cmocka_unit_test(nobody_knows_without_plan_limit_or_verdict),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
