/* SPDX-License-Identifier: MIT */
#include "detect/noise.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB 1048576.0

static void fill(struct course_in *in, const double *mib, int n)
{
	*in = (struct course_in){.n = n, .quantum = 4096};
	for (int i = 0; i < n; i++)
		in->y[i] = mib[i] * MIB;
	noise_variances(in);
}

static void assert_all_believed(const struct course_in *in)
{
	for (int i = 0; i < in->n; i++)
		assert_true(in->variance[i] == 1);
}

static void a_moments_array_counts_for_next_to_nothing(void **state)
{
	static const double caught[] = {10, 11, 12, 13, 40, 15, 16, 17, 18, 19};
	struct course_in in;
	(void)state;
	fill(&in, caught, 10);
	for (int i = 0; i < 10; i++)
		assert_int_equal(in.variance[i] > 1000, i == 4);
}

/* Nor is one that is given back, however large: what rises and falls on was there. */
static void a_step_is_not_doubted(void **state)
{
	static const double steps[] = {10, 10, 10, 200, 200, 200, 50, 50, 50, 50};
	struct course_in in;
	(void)state;
	fill(&in, steps, 10);
	assert_all_believed(&in);
}

static void what_swings_all_the_time_is_no_exception(void **state)
{
	static const double swings[] = {10, 30, 10, 32, 9, 31, 10, 30, 8, 30};
	struct course_in in;
	(void)state;
	fill(&in, swings, 10);
	assert_all_believed(&in);
}

/* Without neighbours on both sides nobody can tell. */
static void the_first_and_the_last_are_believed(void **state)
{
	static const double ends[] = {90, 10, 10, 10, 10, 10, 10, 90};
	struct course_in in;
	(void)state;
	for (int n = 2; n <= 8; n += 2) {
		fill(&in, ends + 8 - n, n);
		assert_all_believed(&in);
	}
}

/* A reading that is not believed moves the level by as little, and what comes after it lies where it did. */
static void the_filter_passes_over_what_is_doubted(void **state)
{
	struct course_in in = {.n = 4, .age = {1, 2, 3, 4}, .variance = {1, 1, 1e6, 1}};
	static const double row[] = {0, 0, 1000, 0};
	struct filter f;
	double out[COURSE_MAX];
	(void)state;
	filter_fill(&f, &noises[0], &in);
	filter_run(&f, row, 1, out);
	assert_true(fabs(out[1]) < 1.5);
	assert_true(fabs(out[2]) < 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_moments_array_counts_for_next_to_nothing),
	    cmocka_unit_test(a_step_is_not_doubted),
	    cmocka_unit_test(what_swings_all_the_time_is_no_exception),
	    cmocka_unit_test(the_first_and_the_last_are_believed),
	    cmocka_unit_test(the_filter_passes_over_what_is_doubted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
