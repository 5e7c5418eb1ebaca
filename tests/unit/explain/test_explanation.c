/* SPDX-License-Identifier: MIT */
/* Why there are no names, or fewer than there could be, is said as it is. */
#include "explain/explanation.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct explanation asked(int snapshots, int compared, enum explain_left left)
{
	return (struct explanation){.wanted = true,
				    .reached = true,
				    .pid = 4711,
				    .snapshots = snapshots,
				    .dear_ms = 700,
				    .left = left,
				    .growth = {.snapshots = compared}};
}

static void assert_says(struct explanation e, const char *words)
{
	char buf[SENTENCE_MAX];

	explanation_effort(buf, &e);
	if (!strstr(buf, words))
		fail_msg("\"%s\" does not say \"%s\"", buf, words);
}

static void a_whole_comparison_needs_no_reason(void **state)
{
	struct explanation e = asked(3, 3, LEFT_AT_END);
	char buf[SENTENCE_MAX];

	(void)state;
	assert_null(strstr(explanation_effort(buf, &e), "; "));
	e.left = LEFT_FOR_COST; /* of a second one, which only might have found more */
	assert_null(strstr(explanation_effort(buf, &e), "; "));
}

static void two_snapshots_say_why_there_is_no_third(void **state)
{
	(void)state;
	assert_says(asked(2, 2, LEFT_AT_END), "; only two were compared: the run ended before the next");
	assert_says(asked(2, 2, LEFT_FOR_COST),
		    "; only two were compared: the next would have taken too much of this run's time");
	assert_says(asked(3, 2, LEFT_BY_PROCESS), "; only two were compared: the process ended");
	assert_says(asked(2, 2, LEFT_UNANSWERED), "; only two were compared: the process did not answer");
}

static void one_snapshot_says_why_there_are_no_names(void **state)
{
	(void)state;
	assert_says(asked(1, 0, LEFT_AT_END), "; no names: the run ended before the next");
	assert_says(asked(1, 0, LEFT_FOR_COST), "; no names: the next would have taken too much");
}

static void no_snapshot_says_why(void **state)
{
	(void)state;
	assert_says(asked(0, 0, LEFT_FOR_COST),
		    "three snapshots of 0.70 s would have taken more than a tenth");
	assert_says(asked(0, 0, LEFT_UNANSWERED), "process 4711 did not answer");
	assert_says(asked(0, 0, LEFT_AT_END), "the run ended before a snapshot");
}

static void what_failed_is_said_once(void **state)
{
	struct explanation e = asked(1, 0, LEFT_AT_END);
	char buf[SENTENCE_MAX];

	(void)state;
	strcpy(e.trouble, "30,000,000 objects");
	explanation_effort(buf, &e);
	assert_non_null(strstr(buf, "no names: 30,000,000 objects; 1 snapshot of"));
	assert_null(strstr(buf, "the run ended"));
}

/* A registry of TensorFlow's has the graphs of the models that the program keeps in a list. */
static void what_is_the_program_s_own_comes_before_a_library_s(void **state)
{
	struct explanation e = asked(3, 3, LEFT_AT_END);
	struct series_verdict s = {.kind = SERIES_HOST, .v = {.shape = SHAPE_GROWTH}};
	struct named_growth named[NAMED_MAX];

	(void)state;
	e.epochs = 4;
	e.growth.n_names = 3;
	e.growth.names[0] = (struct grown_name){.name = "Registry.all", .bytes = 600000};
	e.growth.names[1] = (struct grown_name){.name = "__main__.models", .bytes = 400000, .own = true};
	e.growth.names[2] = (struct grown_name){.name = "__main__.small", .bytes = 20000, .own = true};
	assert_int_equal(explanation_named(&e, &s, named), 3);
	assert_string_equal(named[0].what->name, "__main__.models");
	assert_string_equal(named[1].what->name, "Registry.all");
	assert_string_equal(named[2].what->name, "__main__.small");
}

/* The trees of a forest are small in Python: their nodes are not its own. */
static void where_nothing_is_large_what_may_hold_native_memory_is_named(void **state)
{
	struct explanation e = asked(3, 3, LEFT_AT_END);
	struct series_verdict s = {
	    .kind = SERIES_HOST,
	    .v = {
		.shape = SHAPE_GROWTH, .slope_known = true, .per_epoch = true, .slope_bytes_per_epoch = 4e6}};
	struct named_growth named[NAMED_MAX];

	(void)state;
	e.epochs = 4;
	e.growth.n_names = 2;
	e.growth.names[0] = (struct grown_name){.name = "losses", .bytes = 4000, .count = 4};
	e.growth.names[1] = (struct grown_name){.name = "trees", .bytes = 2000, .count = 12, .opaque = true};
	assert_int_equal(explanation_named(&e, &s, named), 1);
	assert_string_equal(named[0].what->name, "trees");
	e.growth.names[0].bytes = 4000000;
	assert_int_equal(explanation_named(&e, &s, named), 1);
	assert_string_equal(named[0].what->name, "losses");
}

/* Snapshots at the ends of epochs come just before or just after an element is kept. */
static void a_count_that_is_one_off_is_a_whole_number_per_epoch(void **state)
{
	static const struct {
		int64_t count;
		double per_epoch;
	} rows[] = {{3, 1}, {4, 1}, {5, 1}, {2, 0.5}, {6, 1.5}, {39, 10}, {7, 2}, {1, 0.25}, {162, 40.5}};
	struct explanation e = asked(3, 3, LEFT_AT_END);
	struct series_verdict s = {.kind = SERIES_HOST, .v = {.shape = SHAPE_GROWTH}};
	struct named_growth named[NAMED_MAX];

	(void)state;
	e.epochs = 4;
	e.growth.n_names = 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e.growth.names[0] =
		    (struct grown_name){.count = rows[i].count, .bytes = (uint64_t)rows[i].count * 1000000};
		assert_int_equal(explanation_named(&e, &s, named), 1);
		assert_true(fabs(named[0].count - rows[i].per_epoch) < 1e-9);
		assert_true(fabs(named[0].bytes - rows[i].per_epoch * 1000000) < 1e-3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_whole_comparison_needs_no_reason),
	    cmocka_unit_test(two_snapshots_say_why_there_is_no_third),
	    cmocka_unit_test(one_snapshot_says_why_there_are_no_names),
	    cmocka_unit_test(no_snapshot_says_why),
	    cmocka_unit_test(what_failed_is_said_once),
	    cmocka_unit_test(what_is_the_program_s_own_comes_before_a_library_s),
	    cmocka_unit_test(a_count_that_is_one_off_is_a_whole_number_per_epoch),
	    cmocka_unit_test(where_nothing_is_large_what_may_hold_native_memory_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
