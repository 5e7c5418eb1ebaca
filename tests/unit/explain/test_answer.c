/* SPDX-License-Identifier: MIT */
/* What a program answers is not trusted. */
#include "explain/answer.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define BEGIN "memwatch names 1\n"
#define NAME  "name\tBad.saved\tlist\tndarray\tfloat32 30x5\t\t4\t2400\t0\t0\tfit.py:3\t1\t0\n"

static struct explain_answer answer;

static int parse(const char *text)
{
	char buf[4096];

	snprintf(buf, sizeof(buf), "%s", text);
	return explain_answer_parse(buf, &answer);
}

static void a_whole_answer_is_taken(void **state)
{
	(void)state;
	assert_int_equal(parse(BEGIN
			       "objects\t476302\nsnapshots\t3\nmoment\t12\n" NAME
			       "type\tkeras.Model\t2\npool\tPyTorch\tcuda:0\t100\t400\ntook\t210\nend\n"),
			 0);
	assert_int_equal(answer.snapshots, 3);
	assert_int_equal(answer.objects, 476302);
	assert_int_equal(answer.took_ms, 210);
	assert_int_equal(answer.n_names, 1);
	assert_string_equal(answer.names[0].name, "Bad.saved");
	assert_string_equal(answer.names[0].place, "fit.py:3");
	assert_int_equal(answer.names[0].bytes, 2400);
	assert_false(answer.names[0].graph);
	assert_true(answer.names[0].own);
	assert_string_equal(answer.types[0].name, "keras.Model");
	assert_true(answer.pools[0].reserved.ok);
	assert_int_equal(answer.pools[0].reserved.bytes, 400);
}

static void what_is_cut_off_is_no_answer(void **state)
{
	(void)state;
	assert_int_equal(parse(BEGIN NAME), -EINVAL);
	assert_int_equal(parse(BEGIN NAME "en"), -EINVAL);
	assert_int_equal(parse("memwatch names 2\nend\n"), -EINVAL);
	assert_int_equal(parse(""), -EINVAL);
	assert_int_equal(parse("\n\n\t\t\n"), -EINVAL);
}

static void lines_with_wrong_figures_are_left_out(void **state)
{
	(void)state;
	assert_int_equal(
	    parse(BEGIN
		  "name\ta\tlist\tb\t\t\t-4\t2400\t0\t0\t\t0\t0\n"
		  "name\ta\tlist\tb\t\t\t4\t1e9\t0\t0\t\t0\t0\n"
		  "name\ta\tlist\tb\t\t\t4\t99999999999999999999\t0\t0\t\t0\t0\n"
		  "name\ta\tlist\tb\t\t\t4\t\t0\t0\t\t0\t0\n"
		  "name\ta\n"
		  "type\tx\t-1\npool\tx\ty\t-1\t4\nobjects\t-3\nsnapshots\t99999\nno such line\n\nend\n"),
	    0);
	assert_int_equal(answer.n_names, 0);
	assert_int_equal(answer.n_types, 0);
	assert_int_equal(answer.n_pools, 0);
	assert_int_equal(answer.objects, 0);
	assert_int_equal(answer.snapshots, 0);
}

static void text_cannot_steer_a_terminal(void **state)
{
	(void)state;
	assert_int_equal(
	    parse(BEGIN
		  "failed\t\033[2Jboo\nname\t\033]0;x\007\x80y\tlist\tb\t\t\t4\t1\t0\t0\t\t0\t0\nend\n"),
	    0);
	assert_null(strchr(answer.failed, '\033'));
	assert_string_equal(answer.names[0].name, "?]0;x??y");
}

static void long_text_is_cut_and_many_names_are_dropped(void **state)
{
	static char text[64 * 1024];
	size_t at = (size_t)snprintf(text, sizeof(text), BEGIN);

	(void)state;
	for (int i = 0; i < 100; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "name\t%0400d\tlist\tb\t\t\t4\t1\t0\t0\t\t0\t0\n", i);
	snprintf(text + at, sizeof(text) - at, "end\n");
	assert_int_equal(explain_answer_parse(text, &answer), 0);
	assert_int_equal(answer.n_names, ANSWER_NAMES);
	assert_int_equal(strlen(answer.names[0].name), ANSWER_TEXT - 1);
}

static void a_framework_that_does_not_say_what_it_reserved(void **state)
{
	(void)state;
	assert_int_equal(parse(BEGIN "pool\tTensorFlow\tgpu:0\t100\t-1\nend\n"), 0);
	assert_false(answer.pools[0].reserved.ok);
	assert_int_equal(answer.pools[0].used_bytes, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_whole_answer_is_taken),
	    cmocka_unit_test(what_is_cut_off_is_no_answer),
	    cmocka_unit_test(lines_with_wrong_figures_are_left_out),
	    cmocka_unit_test(text_cannot_steer_a_terminal),
	    cmocka_unit_test(long_text_is_cut_and_many_names_are_dropped),
	    cmocka_unit_test(a_framework_that_does_not_say_what_it_reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
