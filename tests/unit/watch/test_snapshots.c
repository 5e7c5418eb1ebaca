/* SPDX-License-Identifier: MIT */
/* Answers are made up, the judge has seen nothing: how rounds of snapshots go on and end. */
#include "watch/snapshots.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PROCESS = 100 };

static struct epoch_ends ends;
static struct snapshots s;

static int set_up(void **state)
{
	(void)state;
	ends = (struct epoch_ends){.n = 0};
	for (int epoch = 1; epoch <= 5; epoch++)
		epoch_ends_add(&ends, epoch, epoch * NS_PER_S);
	snapshots_init(&s, judge_new(), &ends);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	judge_free(s.judge);
	return 0;
}

/* lines NULL: the answer could not be read. It was asked for at the end of epoch 2. */
static void answer(enum question_kind kind, const char *lines)
{
	struct question q = {PROCESS, PROCESS, kind, 2 * NS_PER_S};
	char text[512];

	if (lines)
		snprintf(text, sizeof(text), "memwatch names 1\n%send\n", lines);
	snapshots_take_answer(&s, &q, lines ? text : NULL, 9 * NS_PER_S);
}

/* The n-th of a round. */
static void snapshot(int n, const char *moment)
{
	char lines[256];

	snprintf(lines, sizeof(lines), "objects\t1000\nsnapshots\t%d\nmoment\t%s\ntook\t20\nworked\t10\n", n,
		 moment);
	snapshots_asked(&s);
	answer(QUESTION_SNAPSHOT, lines);
}

static void two_rounds_of_three_are_all(void **state)
{
	(void)state;
	for (int i = 0; i < 6; i++) {
		assert_true(snapshots_want_more(&s));
		snapshot(i % 3 + 1, "3000000000");
		assert_int_equal(s.in_round, (i + 1) % 3);
	}
	assert_false(snapshots_want_more(&s));
	assert_int_equal(s.found.snapshots, 6);
	assert_int_equal(s.found.total_ms, 60);
	assert_int_equal(s.found.longest_ms, 20);
}

static void a_round_that_is_left_is_begun_again(void **state)
{
	(void)state;
	snapshot(1, "3000000000");
	snapshots_leave_round(&s, LEFT_BY_PROCESS);
	assert_int_equal(s.rounds, 0);
	assert_int_equal(s.in_round, 0);
	assert_int_equal(s.found.left, LEFT_BY_PROCESS);
	snapshots_asked(&s);
	assert_int_equal(s.found.left, LEFT_AT_END);
}

/* A process that ends says so by a snapshot that is none. */
static void a_process_that_ends_leaves_its_round(void **state)
{
	(void)state;
	snapshot(0, "0");
	assert_int_equal(s.in_round, 0);
	assert_int_equal(s.found.left, LEFT_BY_PROCESS);
	assert_int_equal(s.found.snapshots, 0);
	assert_true(snapshots_want_more(&s));
}

static void what_would_take_too_much_of_the_run_is_left(void **state)
{
	(void)state;
	answer(QUESTION_COUNT, "objects\t1000\nexpected\t1000\nworked\t1\n");
	assert_int_equal(s.counted, PROCESS);
	assert_true(snapshots_afford(&s, 3600 * 1000));
	assert_false(snapshots_afford(&s, 5 * 1000));
	snapshots_leave_for_cost(&s);
	assert_int_equal(s.found.dear_ms, 1000);
	assert_int_equal(s.found.left, LEFT_FOR_COST);
}

static const struct {
	const char *lines, *trouble;
} troubles[] = {
    {NULL, "the answer of process 100 is damaged"},
    {"failed\tValueError in look() of the snapshot\n", "ValueError in look() of the snapshot"},
    {"refused\t30000000 objects\n", "30000000 objects"},
};

static void trouble_ends_all_asking(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		tear_down(state);
		set_up(state);
		snapshots_asked(&s);
		answer(QUESTION_SNAPSHOT, troubles[i].lines);
		assert_string_equal(s.found.trouble, troubles[i].trouble);
		assert_false(snapshots_want_more(&s));
		assert_false(snapshots_disturb(&s));
	}
}

static void counters_are_no_snapshot(void **state)
{
	(void)state;
	answer(QUESTION_COUNTERS, "pool\tPyTorch\tcuda:0\t100\t400\nfailed\tno matter\n");
	assert_int_equal(s.found.latest.n_pools, 1);
	assert_string_equal(s.found.trouble, "");
	assert_int_equal(s.found.snapshots, 0);
	assert_false(snapshots_disturb(&s));
}

/* Also in the epoch after the last one of a round: what it has taken is given back then. */
static void a_snapshot_disturbs_until_the_next_epoch_has_ended(void **state)
{
	(void)state;
	assert_false(snapshots_disturb(&s));
	for (int n = 1; n <= 3; n++)
		snapshot(n, "3000000000");
	assert_true(snapshots_disturb(&s));
	epoch_ends_add(&ends, 6, 6 * NS_PER_S);
	assert_false(snapshots_disturb(&s));
}

/* All are asked for at 2 s, and answer by 9 s. */
static void growth_is_between_the_moments_that_snapshots_were_taken_at(void **state)
{
	(void)state;
	snapshot(1, "2500000000");
	snapshot(2, "4500000000");
	assert_true(s.found.epochs == 2 && s.found.seconds == 2);
	snapshot(3, "1000000000"); /* it cannot have been then */
	assert_int_equal(s.last.time_ns, 2 * NS_PER_S);
	assert_true(s.found.epochs == 0);
	snapshot(1, "9000000001");
	assert_int_equal(s.first.time_ns, 2 * NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(two_rounds_of_three_are_all, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_round_that_is_left_is_begun_again, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_process_that_ends_leaves_its_round, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_would_take_too_much_of_the_run_is_left, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(trouble_ends_all_asking, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(counters_are_no_snapshot, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_snapshot_disturbs_until_the_next_epoch_has_ended, set_up,
					    tear_down),
	    cmocka_unit_test_setup_teardown(growth_is_between_the_moments_that_snapshots_were_taken_at,
					    set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
