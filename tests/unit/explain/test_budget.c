/* SPDX-License-Identifier: MIT */
/* Snapshots take a tenth of a short run at most, and a fiftieth of a long one. */
#include "explain/budget.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUND = 3 };

static struct explain_moment at(int round, int taken, int64_t whole_s)
{
	return (struct explain_moment){
	    .round = round, .taken = taken, .of = ROUND, .whole_ms = whole_s * 1000};
}

static bool allows(int64_t spent_ms, int64_t expected_ms, struct explain_moment m)
{
	struct explain_budget b = {.spent_ms = spent_ms, .expected_ms = expected_ms};

	return explain_budget_allows(&b, &m);
}

static void the_first_round_takes_a_tenth_at_most(void **state)
{
	(void)state;
	assert_true(allows(0, 400, at(0, 0, 12)));
	assert_false(allows(0, 400, at(0, 0, 11)));
}

static void what_is_not_known_is_tried_within_limits(void **state)
{
	struct explain_budget b = {0};
	struct explain_moment m = at(0, 0, 30);

	(void)state;
	assert_true(explain_budget_allows(&b, &m));
	assert_int_equal(each_ms(&b, &m), 1000);
	m.whole_ms = 0;
	assert_false(explain_budget_allows(&b, &m));
}

static void later_rounds_take_a_fiftieth_with_all_before(void **state)
{
	(void)state;
	assert_false(allows(1200, 400, at(1, 0, 119)));
	assert_true(allows(1200, 400, at(1, 0, 120)));
}

static void a_round_that_costs_more_than_expected_goes_on_within_limits(void **state)
{
	(void)state;
	assert_true(allows(500, 500, at(0, 1, 12)));
	assert_false(allows(700, 700, at(0, 1, 12)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_round_takes_a_tenth_at_most),
	    cmocka_unit_test(what_is_not_known_is_tried_within_limits),
	    cmocka_unit_test(later_rounds_take_a_fiftieth_with_all_before),
	    cmocka_unit_test(a_round_that_costs_more_than_expected_goes_on_within_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
