/* SPDX-License-Identifier: MIT */
#include "../../../src/epochs/regex.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void copies_are_those_that_repetitions_add(void **state)
{
	static const struct {
		const char *regex;
		double copies;
	} cases[] = {
	    {"", 0},
	    {"epoch ([0-9]+)/[0-9]*", 1},
	    {"a|b|(c|d)?", 0},
	    {"a{3}", 2},
	    {"a{2,5}", 4},
	    {"a{2,}", 2},
	    {"(ab){3}", 4},
	    {"((a{10}){10}){10}", 999},
	    {"((a+)+)+", 7},
	    {"[+{9}]a\\{9}\\+", 0},
	    {"[]{9}][^]{9}][[:alpha:]{9}]", 0},
	    {"a{", 0},
	    {"[", 0},
	    {"(((", 0},
	    {")", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (count_copies(cases[i].regex) != cases[i].copies)
			fail_msg("%s: %g copies", cases[i].regex, count_copies(cases[i].regex));
}

static void what_takes_too_long_on_a_line_is_given_up(void **state)
{
	static const char regex[] = "(((a|b)*a(a|b){100})*x)*$";
	char line[REGEX_LINE_MAX + 1], why[64];
	struct epoch_regex *r;
	uint32_t seed = 1;
	regmatch_t m[2];
	int lines = 0;

	(void)state;
	assert_int_equal(epoch_regex_new(regex, &r, why, sizeof(why)), 0);
	while (!epoch_regex_given_up(r) && lines++ < 1000) {
		/* Else a busy machine, where all that the test gets is less than a tenth, would make it take long. */
		r->begun_ns = clock_mono_ns();
		make_line(line, "ab", 1, &seed);
		epoch_regex_match(r, line, m);
	}
	assert_true(epoch_regex_given_up(r));
	assert_false(epoch_regex_match(r, "", m));
	epoch_regex_free(r);
}

static bool is_given_up_after(int64_t run_ns, int64_t spent_ns)
{
	struct epoch_regex r = {.begun_ns = clock_mono_ns() - run_ns, .spent_ns = spent_ns};

	account(&r, 0);
	return r.given_up;
}

static void a_second_of_a_short_run_is_too_much_and_of_a_long_one_is_not(void **state)
{
	(void)state;
	assert_true(is_given_up_after(NS_PER_S, ALL_NS + ALL_NS));
	assert_false(is_given_up_after(NS_PER_S, ALL_NS));
	assert_false(is_given_up_after(21 * NS_PER_S, ALL_NS + ALL_NS));
}

static void its_states_are_dropped_before_they_fill_memory(void **state)
{
	char line[REGEX_LINE_MAX + 1], why[64];
	size_t before = allocated_bytes();
	struct epoch_regex *r;
	uint32_t seed = 1;
	regmatch_t m[2];

	(void)state;
	assert_int_equal(epoch_regex_new("(a|b)*a(a|b){12}$", &r, why, sizeof(why)), 0);
	for (int i = 0; i < 40; i++) {
		make_line(line, "ab", 1, &seed);
		line[REGEX_LINE_MAX - 1] = '!';
		r->given_up = false;
		epoch_regex_match(r, line, m);
		assert_true(allocated_bytes() < before + 2 * CACHE_BYTES);
	}
	epoch_regex_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(copies_are_those_that_repetitions_add),
	    cmocka_unit_test(what_takes_too_long_on_a_line_is_given_up),
	    cmocka_unit_test(a_second_of_a_short_run_is_too_much_and_of_a_long_one_is_not),
	    cmocka_unit_test(its_states_are_dropped_before_they_fill_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
