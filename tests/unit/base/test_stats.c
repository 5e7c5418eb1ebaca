/* SPDX-License-Identifier: MIT */
#include "base/stats.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool near(double a, double b, double share)
{
	return fabs(a - b) <= share * fabs(b);
}

static void students_t_is_that_of_the_tables(void **state)
{
	static const struct {
		int dof;
		double t;
	} table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},
		     {5, 2.571},  {10, 2.228}, {30, 2.042}, {100, 1.984}};
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_true(near(stats_t975(table[i].dof), table[i].t, 0.01));
}

static void middles_and_spreads(void **state)
{
	static const double odd[] = {5, 1, 4, 100, 2}, even[] = {4, 1, 3, 2};
	(void)state;
	assert_true(stats_median(odd, 5) == 4);
	assert_true(stats_median(even, 4) == 2.5);
	assert_true(stats_median(even, 0) == 0);
	assert_true(stats_quantile(even, 4, 0) == 1 && stats_quantile(even, 4, 1) == 4);
	assert_true(near(stats_quantile(even, 4, 0.5), 2.5, 1e-12));
	assert_true(near(stats_mad(odd, 5), 1.4826 * 2, 1e-4)); /* distances 1, 3, 0, 96, 2 */
	assert_true(near(stats_sd(even, 4), sqrt(5.0 / 3), 1e-12));
}

/* Sums of products by hand: sxx 10, sxy 6.4. */
static void a_line_by_hand(void **state)
{
	static const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 3, 3.8, 3, 5.2};
	double r[5];
	struct line l = stats_line(x, y, 5, 0, r);
	(void)state;
	assert_true(near(l.slope, 0.64, 1e-9));
	assert_true(near(l.mean_y, 3.4, 1e-9) && l.mean_x == 3);
	assert_int_equal(l.dof, 3);
	assert_true(l.se >= sqrt(l.sse / 3 / 10));
	for (int i = 0; i < 5; i++)
		assert_true(fabs(r[i] - (y[i] - l.mean_y - l.slope * (x[i] - 3))) < 1e-9);
}

static void pairs_do_not_mind_one_outlier(void **state)
{
	double x[20], y[20];
	(void)state;
	for (int i = 0; i < 20; i++) {
		x[i] = i;
		y[i] = 3 * i;
	}
	y[7] = 1e6;
	assert_true(near(stats_theil(x, y, 20), 3, 1e-9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(students_t_is_that_of_the_tables),
	    cmocka_unit_test(middles_and_spreads),
	    cmocka_unit_test(a_line_by_hand),
	    cmocka_unit_test(pairs_do_not_mind_one_outlier),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
