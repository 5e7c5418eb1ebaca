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
	    {3, {100, 101, 150}, ODD_HIGHER, 2},
	    {4, {100, 40, 101, 99}, ODD_LOWER, 1},
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
		int which = -1;
		enum odd_reason reason;

		for (int k = 0; k < cases[i].n; k++)
			c[k] = (struct odd_candidate){cases[i].mib[k] < 0, fabs(cases[i].mib[k]) * MIB};
		reason = odd_one_find(c, cases[i].n, &which);
		if (reason != cases[i].reason || (reason != ODD_NONE && which != cases[i].which))
			fail_msg("case %zu: %d, %d", i, (int)reason, which);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_odd_one_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
