/* SPDX-License-Identifier: MIT */
#include "verdict/host_verdict.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/units.h"

/* All that is held grows for certain; of no part that is known yet. */
static struct host_evidence held_grows(double slope, double kept_slope)
{
	struct host_evidence e = {.held = {.shape = SHAPE_GROWTH,
					   .firm = true,
					   .slope_known = true,
					   .per_epoch = true,
					   .slope_bytes_per_epoch = slope,
					   .slope_bytes_per_s = slope / 2,
					   .slope_low = 0.9 * slope,
					   .slope_high = 1.1 * slope}};

	e.heap.split = (struct heap_split){.known = true, .slope_known = true, .kept_slope = kept_slope};
	e.heap.dense = true;
	return e;
}

static void growth_is_as_fast_as_what_is_kept(void **state)
{
	static const double shares[] = {0.55, 0.7, 0.8, 1};

	(void)state;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		struct host_evidence e = held_grows(3 * MIB, shares[i] * 3 * MIB);
		struct heap_split split;
		struct verdict v;

		host_verdict(&e, &v, &split);
		assert_true(v.shape == SHAPE_GROWTH && v.firm && split.kept);
		assert_true(fabs(v.slope_bytes_per_epoch - shares[i] * 3 * MIB) < 1);
		assert_true(fabs(v.slope_bytes_per_s - shares[i] * 1.5 * MIB) < 1);
		assert_true(v.slope_low <= v.slope_bytes_per_epoch &&
			    v.slope_high >= v.slope_bytes_per_epoch);
	}
}

static void growth_that_is_not_kept_is_not_certain(void **state)
{
	struct host_evidence e = held_grows(3 * MIB, MIB);
	struct heap_split split;
	struct verdict v;

	(void)state;
	host_verdict(&e, &v, &split);
	assert_true(v.shape == SHAPE_GROWTH && !v.firm && !split.kept);
}

/* The heap in use grows for certain by 100 KiB, what is outside of it rises by 300 and is not certain. */
static void a_part_that_rises_beside_one_that_grows_counts_as_well(void **state)
{
	struct host_evidence e = held_grows(410.0 * KIB, 400.0 * KIB);
	struct heap_split split;
	struct verdict v;

	(void)state;
	e.heap.used = e.held;
	e.heap.used.slope_bytes_per_epoch = 100.0 * KIB;
	e.heap.used.slope_low = 80.0 * KIB;
	e.heap.used.slope_high = 120.0 * KIB;
	e.heap.outside = (struct verdict){.shape = SHAPE_UNDETERMINED, .rises = true};
	e.heap.kept = e.heap.outside;
	e.heap.rate.used = 100.0 * KIB;
	e.heap.rate.kept = 400.0 * KIB;
	host_verdict(&e, &v, &split);
	assert_true(v.shape == SHAPE_GROWTH && v.firm && split.kept);
	assert_true(fabs(v.slope_bytes_per_epoch - 400.0 * KIB) < 1);
	e.heap.outside = (struct verdict){.shape = SHAPE_FLAT, .firm = true};
	host_verdict(&e, &v, &split);
	assert_true(fabs(v.slope_bytes_per_epoch - 100.0 * KIB) < 1);
}

/* All that is held rises by 3 MiB per epoch; the readings say that it is free, and how surely they do. */
static void what_rises_is_free_only_where_readings_would_tell(void **state)
{
	static const struct {
		double high;
		enum shape shape;
	} rows[] = {{0.5 * MIB, SHAPE_WARMUP},
		    {1.4 * MIB, SHAPE_WARMUP},
		    {1.6 * MIB, SHAPE_GROWTH},
		    {9 * MIB, SHAPE_GROWTH}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct host_evidence e = held_grows(3 * MIB, 0.1 * MIB);
		struct heap_split split;
		struct verdict v;

		e.heap.split.unused.slope = 3 * MIB;
		e.heap.kept = (struct verdict){.shape = SHAPE_RESERVATION,
					       .firm = true,
					       .slope_known = true,
					       .per_epoch = true,
					       .slope_high = rows[i].high};
		host_verdict(&e, &v, &split);
		assert_int_equal(v.shape, rows[i].shape);
		assert_int_equal(split.freed, rows[i].shape == SHAPE_WARMUP);
	}
}

/* All that is held grows for certain by 3 MiB per epoch. Of what is kept, which is read since a while, that is not certain yet. */
static void what_was_certain_stays_so_when_readings_come(void **state)
{
	struct host_evidence e = held_grows(3 * MIB, 2.9 * MIB);
	struct heap_split split;
	struct verdict v;

	(void)state;
	e.heap.kept = e.held;
	e.heap.kept.firm = false;
	e.heap.rate.kept = 2.9 * MIB;
	host_verdict(&e, &v, &split);
	assert_true(v.shape == SHAPE_GROWTH && v.firm && split.kept);
	e.heap.split.kept_slope = MIB;
	host_verdict(&e, &v, &split);
	assert_true(v.shape == SHAPE_GROWTH && !v.firm);
}

/* All that is held rises by 550 KiB per epoch, what is kept by 20 or a little more. */
static void a_rise_is_as_fast_as_what_is_kept_can_be(void **state)
{
	struct host_evidence e = held_grows(550.0 * KIB, 20.0 * KIB);
	struct heap_split split;
	struct verdict v;

	(void)state;
	e.heap.kept = (struct verdict){.shape = SHAPE_UNDETERMINED,
				       .rises = true,
				       .slope_known = true,
				       .per_epoch = true,
				       .slope_bytes_per_epoch = 20.0 * KIB,
				       .slope_high = 40.0 * KIB,
				       .more_epochs = 9};
	e.heap.outside = e.heap.kept;
	host_verdict(&e, &v, &split);
	assert_true(v.shape == SHAPE_UNDETERMINED && v.rises && !v.firm);
	assert_true(v.slope_high < 41.0 * KIB && v.more_epochs == 9);
}

/* The median of all rises is 60 KiB per epoch, the fit says 80 to 120. */
static void bounds_hold_what_lies_outside_of_the_fit(void **state)
{
	struct verdict v = {.slope_known = true,
			    .slope_bytes_per_epoch = 100.0 * KIB,
			    .slope_low = 80.0 * KIB,
			    .slope_high = 120.0 * KIB};

	(void)state;
	take_median_slope(&v, 60.0 * KIB);
	assert_true(v.slope_low == 40.0 * KIB && v.slope_high == 120.0 * KIB);
	take_median_slope(&v, 90.0 * KIB);
	assert_true(v.slope_low == 40.0 * KIB && v.slope_high == 120.0 * KIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(growth_is_as_fast_as_what_is_kept),
	    cmocka_unit_test(growth_that_is_not_kept_is_not_certain),
	    cmocka_unit_test(what_was_certain_stays_so_when_readings_come),
	    cmocka_unit_test(a_rise_is_as_fast_as_what_is_kept_can_be),
	    cmocka_unit_test(bounds_hold_what_lies_outside_of_the_fit),
	    cmocka_unit_test(what_rises_is_free_only_where_readings_would_tell),
	    cmocka_unit_test(a_part_that_rises_beside_one_that_grows_counts_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
