/* SPDX-License-Identifier: MIT */
#include "base/fold_text.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define TEN "123456789 "

static const struct {
	int columns;
	const char *text, *folded;
} rows[] = {
    {40, "", ""},
    {40, "\n", "\n"},
    {40, "short\n", "short\n"},
    {40, TEN TEN TEN TEN "end", TEN TEN TEN "123456789\n  end"},
    {40, TEN TEN TEN "1234567890\n", TEN TEN TEN "1234567890\n"},
    {40, TEN TEN TEN "12345678901\n", TEN TEN "123456789\n  12345678901\n"},
    {40, "  - " TEN TEN TEN TEN "end\n", "  - " TEN TEN "123456789\n    123456789 end\n"},
    {40, "one\n" TEN TEN TEN TEN "end\ntwo\n", "one\n" TEN TEN TEN "123456789\n  end\ntwo\n"},
    {40, TEN TEN TEN "±±±±±±±±±± end\n", TEN TEN TEN "±±±±±±±±±±\n  end\n"},
    {40, "\033[1m" TEN TEN TEN "123456789\033[0m x\n", "\033[1m" TEN TEN TEN "123456789\033[0m\n  x\n"},
    {40, "/a/path/that/is/longer/than/the/whole/terminal x\n",
     "/a/path/that/is/longer/than/the/whole/terminal\n  x\n"},
    {40, "x /a/path/that/is/longer/than/the/whole/terminal\n",
     "x\n  /a/path/that/is/longer/than/the/whole/terminal\n"},
    {40, "                              " TEN "x y\n",
     "                              123456789\n                    x y\n"},
    {39, TEN TEN TEN TEN TEN "end\n", TEN TEN TEN TEN TEN "end\n"},
    {0, TEN TEN TEN TEN TEN "end\n", TEN TEN TEN TEN TEN "end\n"},
};

static void lines_break_at_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[256];
		size_t n =
		    fold_text(rows[i].text, strlen(rows[i].text), rows[i].columns, out, sizeof(out) - 1);

		out[n] = '\0';
		assert_string_equal(out, rows[i].folded);
	}
}

static void no_more_than_fits(void **state)
{
	char out[8];

	(void)state;
	assert_int_equal(fold_text(TEN TEN, 20, 40, out, sizeof(out)), sizeof(out));
	assert_memory_equal(out, "12345678", sizeof(out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_break_at_words),
	    cmocka_unit_test(no_more_than_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
