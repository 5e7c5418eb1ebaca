/* SPDX-License-Identifier: MIT */
/* The fits of a run and the memory held at the end of each. */
#include "epochs/fits.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* One row of a run: the fit, epochs finished, bytes. */
struct row {
	int fit;
	int64_t epoch;
	uint64_t bytes;
};

static void push_rows(struct epoch_fits *f, const struct row *rows, int n)
{
	for (int i = 0; i < n; i++)
		epoch_fits_push(f, rows[i].fit, rows[i].epoch, i * 100, rows[i].bytes);
}

static void the_floor_of_the_last_epoch_speaks_for_a_fit(void **state)
{
	/* The last epoch of fit 1 is closed by a line of its own; the next model is built before fit 2 begins. */
	static const struct row rows[] = {{1, 0, 100}, {1, 0, 90},  {1, 1, 120}, {1, 1, 110}, {1, 2, 500},
					  {2, 2, 130}, {2, 3, 150}, {2, 3, 140}, {2, 4, 7}};
	struct epoch_fits f = {0};

	(void)state;
	push_rows(&f, rows, 9);
	epoch_fits_finish(&f, 4);
	assert_int_equal(f.n, 2);
	assert_int_equal(f.kept[0].number, 1);
	assert_int_equal(f.kept[0].epochs, 2);
	assert_int_equal(f.kept[0].bytes, 110);
	assert_int_equal(f.kept[0].end_ms, 300);
	assert_int_equal(f.kept[1].epochs, 2);
	assert_int_equal(f.kept[1].bytes, 140);
	assert_true(epoch_fits_growth(&f).bytes == 30);
}

static void an_epoch_that_ends_with_the_next_fit_counts(void **state)
{
	static const struct row rows[] = {{1, 0, 100}, {1, 0, 100}, {1, 1, 110},
					  {1, 1, 105}, {2, 2, 130}, {2, 2, 131}};
	struct epoch_fits f = {0};

	(void)state;
	push_rows(&f, rows, 6);
	epoch_fits_finish(&f, 3);
	assert_int_equal(f.kept[0].epochs, 2);
	assert_int_equal(f.kept[0].bytes, 105);
	assert_int_equal(f.kept[1].epochs, 1);
	assert_int_equal(f.kept[1].bytes, 130);
}

/* Lines tell only where epochs begin, each takes 4 more, and each fit gives all back before the next begins. */
static void what_a_fit_gives_back_at_its_end_is_not_its_level(void **state)
{
	static const struct row rows[] = {{1, 0, 10}, {1, 0, 10}, {1, 0, 10}, {1, 0, 10}, {1, 1, 14},
					  {1, 1, 14}, {1, 1, 14}, {1, 1, 14}, {1, 1, 6},  {1, 1, 6},
					  {2, 2, 10}, {2, 2, 10}, {2, 2, 10}, {2, 2, 10}, {2, 3, 14},
					  {2, 3, 14}, {2, 3, 14}, {2, 3, 6}};
	struct epoch_fits f = {0};

	(void)state;
	push_rows(&f, rows, 18);
	epoch_fits_finish(&f, 4);
	assert_int_equal(f.n, 2);
	assert_int_equal(f.kept[0].bytes, 14);
	assert_int_equal(f.kept[0].end_ms, 600);
	assert_int_equal(f.kept[1].epochs, 2);
	assert_int_equal(f.kept[1].bytes, 14);
}

static void a_run_without_epochs_has_no_fits(void **state)
{
	struct epoch_fits f = {0};

	(void)state;
	epoch_fits_finish(&f, -1);
	assert_int_equal(f.n, 0);
	assert_true(epoch_fits_growth(&f).bytes == 0);
}

static void of_many_fits_the_first_and_the_last_are_kept(void **state)
{
	struct epoch_fits f = {0};

	(void)state;
	for (int fit = 1; fit <= 200; fit++)
		epoch_fits_push(&f, fit, fit - 1, fit * 1000, 1000 + 10 * (uint64_t)fit);
	epoch_fits_finish(&f, 200);
	assert_int_equal(f.n, FITS_KEPT);
	assert_int_equal(f.kept[0].number, 1);
	assert_int_equal(f.kept[1].number, 200 - FITS_KEPT + 2);
	assert_int_equal(f.kept[FITS_KEPT - 1].number, 200);
	assert_true(epoch_fits_growth(&f).bytes == 10);
}

static void one_jump_is_no_growth_of_each_fit(void **state)
{
	static const struct row rows[] = {{1, 0, 100}, {2, 1, 400}, {3, 2, 400}, {4, 3, 400}};
	struct epoch_fits f = {0};

	(void)state;
	push_rows(&f, rows, 4);
	epoch_fits_finish(&f, 4);
	assert_int_equal(f.n, 4);
	assert_true(epoch_fits_growth(&f).bytes == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_floor_of_the_last_epoch_speaks_for_a_fit),
	    cmocka_unit_test(an_epoch_that_ends_with_the_next_fit_counts),
	    cmocka_unit_test(what_a_fit_gives_back_at_its_end_is_not_its_level),
	    cmocka_unit_test(a_run_without_epochs_has_no_fits),
	    cmocka_unit_test(of_many_fits_the_first_and_the_last_are_kept),
	    cmocka_unit_test(one_jump_is_no_growth_of_each_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
