/* SPDX-License-Identifier: MIT */
#include "compare/odd_one.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MAX = 5 };

static void the_odd_one_is_found(void **state)
{
	static const struct {
		int n;
		double mib[MAX]; /* negative: grows */
		enum odd_reason reason;
		int which;
	} cases[] = {
	    {2, {100, 900}, ODD_NONE, 0},
	    {3, {100, 101, 100}, ODD_NONE, 0},
	    {3, {100, 101, 150}, ODD_LEVEL, 2},
	    {4, {100, 40, 101, 99}, ODD_LEVEL, 1},
	    {4, {100, 130, 160, 190}, ODD_NONE, 0},
	    {4, {100, 100, 160, 160}, ODD_NONE, 0},
	    {4, {100, 100, 100, 104}, ODD_NONE, 0}, /* less than 5 % */
	    {3, {3, 3, 3.9}, ODD_NONE, 0},          /* less than a MiB */
	    {4, {100, -101, 100, 150}, ODD_GROWS, 1},
	    {3, {-100, -101, 100}, ODD_GROWS_NOT, 2},
	    {5, {-100, -101, 100, 101, 100}, ODD_NONE, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct odd_candidate c[MAX];
		struct odd_one odd;

		for (int k = 0; k < cases[i].n; k++)
			c[k] = (struct odd_candidate){cases[i].mib[k] < 0, {fabs(cases[i].mib[k]) * MIB, 0}};
		odd = odd_one_find(c, cases[i].n);
		if (odd.reason != cases[i].reason || (odd.reason != ODD_NONE && odd.which != cases[i].which))
			fail_msg("case %zu: %d, %d", i, (int)odd.reason, odd.which);
	}
}

static void a_rank_may_be_odd_on_its_gpu_alone(void **state)
{
	const struct odd_candidate ranks[] = {{false, {100 * MIB, 1000 * MIB}},
					      {false, {100 * MIB, 1500 * MIB}},
					      {false, {101 * MIB, 1001 * MIB}}};
	struct odd_one odd = odd_one_find(ranks, 3);

	(void)state;
	assert_int_equal(odd.reason, ODD_LEVEL);
	assert_int_equal(odd.place, ODD_GPUS);
	assert_int_equal(odd.which, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_odd_one_is_found),
	    cmocka_unit_test(a_rank_may_be_odd_on_its_gpu_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
