/* SPDX-License-Identifier: MIT */
#include "../../../src/base/plain_text.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void what_a_terminal_obeys_is_shown_as_question_marks(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
	    {"", ""},
	    {"plain, \303\274ber \302\261 5 % \342\200\223 \360\237\246\213",
	     "plain, \303\274ber \302\261 5 % \342\200\223 \360\237\246\213"},
	    {"\033[31mred\a\177", "?[31mred??"},
	    {"two\nlines\r\t", "two?lines??"},
	    {"a\302\233"
	     "31m\302\205b",
	     "a??31m??b"},                                      /* C1: CSI, NEL */
	    {"a\342\200\256gpj.exe", "a???gpj.exe"},            /* right-to-left override */
	    {"\342\201\246x\342\201\251\330\234", "???x?????"}, /* isolates, Arabic letter mark */
	    {"\342\200\250\342\200\217", "??????"},             /* line separator, right-to-left mark */
	    {"\233"
	     "31m \351t\351",
	     "?31m ?t?"}, /* Latin-1: a bare C1 among it */
	    {"cut \342\200", "cut ??"},
	    {"\300\200\355\240\200", "?????"},                /* overlong, surrogate */
	    {"\302\240\342\200\213", "\302\240\342\200\213"}, /* spaces only */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[64];

		strcpy(text, cases[i].text);
		plain_text(text);
		assert_string_equal(text, cases[i].shown);
	}
}

static void a_line_is_one_line(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	plain_part(f, "%s: ", "a\nb");
	plain_line(f, "%d\033", 3);
	fclose(f);
	assert_string_equal(text, "a?b: 3?\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_a_terminal_obeys_is_shown_as_question_marks),
	    cmocka_unit_test(a_line_is_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
