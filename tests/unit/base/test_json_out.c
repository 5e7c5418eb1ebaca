/* SPDX-License-Identifier: MIT */
#include "base/json_out.c"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static char *text;
static size_t size;

static struct json_out begin_text(void)
{
	return (struct json_out){.f = open_memstream(&text, &size)};
}

static void expect(struct json_out *j, const char *expected)
{
	fclose(j->f);
	assert_string_equal(text, expected);
	free(text);
}

static void numbers_have_at_most_three_decimals(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {1, "1"},
	    {-1.5, "-1.5"},
	    {0.0004, "0"},
	    {0.0005, "0.001"},
	    {1234.5678, "1234.568"},
	    {8388608, "8388608"},
	    {100, "100"},
	    {1e18, "1000000000000000000"},
	    {INFINITY, "null"},
	    {NAN, "null"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_out j = begin_text();

		json_real(&j, NULL, cases[i].v);
		expect(&j, cases[i].text);
	}
}

static void strings_are_escaped_and_valid(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"plain", "\"plain\""},
	    {"a\"b\\c", "\"a\\\"b\\\\c\""},
	    {"a\nb\tc\x01\x7f", "\"a\\nb\\tc\\u0001\\u007f\""},
	    {"±3 MiB", "\"±3 MiB\""},
	    {"\xf0\x9f\x90\xa7", "\"\xf0\x9f\x90\xa7\""},
	    {"a\xff"
	     "b",
	     "\"a\\ufffdb\""},
	    {"\xc3", "\"\\ufffd\""},
	    {"\xc0\xaf", "\"\\ufffd\\ufffd\""},            /* overlong */
	    {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""}, /* surrogate */
	    {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
	    {NULL, "null"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_out j = begin_text();

		json_string(&j, NULL, cases[i].in);
		expect(&j, cases[i].out);
	}
}

static void values_are_separated(void **state)
{
	struct json_out j = begin_text();

	(void)state;
	json_open(&j, NULL, '{');
	json_int(&j, "a", -3);
	json_open(&j, "b", '[');
	json_close(&j, ']');
	json_open(&j, "c", '[');
	json_bool(&j, NULL, true);
	json_null(&j, NULL);
	json_open(&j, NULL, '{');
	json_close(&j, '}');
	json_close(&j, ']');
	json_string(&j, "d", "e");
	json_close(&j, '}');
	expect(&j, "{\"a\":-3,\"b\":[],\"c\":[true,null,{}],\"d\":\"e\"}");
}

static void the_locale_does_not_matter(void **state)
{
	struct json_out j = begin_text();

	(void)state;
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
		print_message("no locale with a decimal comma here: only the C locale was tried\n");
	json_real(&j, NULL, 1.5);
	setlocale(LC_NUMERIC, "C");
	expect(&j, "1.5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_have_at_most_three_decimals),
	    cmocka_unit_test(strings_are_escaped_and_valid),
	    cmocka_unit_test(values_are_separated),
	    cmocka_unit_test(the_locale_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
