/* SPDX-License-Identifier: MIT */
#include "base/terminal_title.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void titles_go_to_terminals_that_are_known_to_have_one(void **state)
{
	static const struct {
		const char *term;
		bool known;
	} rows[] = {{"xterm-256color", true},
		    {"screen", true},
		    {"tmux-256color", true},
		    {"xterm-kitty", true},
		    {"linux", false},
		    {"dumb", false},
		    {"vt100", false},
		    {"", false},
		    {NULL, false},
		    {"std", false}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(terminal_title_known(rows[i].term), rows[i].known);
}

static void the_first_puts_the_former_aside(void **state)
{
	char out[TERMINAL_TITLE_BYTES];
	size_t n = terminal_title_set(out, "1 MiB", true);

	(void)state;
	assert_string_equal(out, "\033[22;2t\033]2;1 MiB\033\\");
	assert_int_equal(n, strlen(out));
	terminal_title_set(out, "2 MiB", false);
	assert_string_equal(out, "\033]2;2 MiB\033\\");
	terminal_title_restore(out);
	assert_string_equal(out, "\033[23;2t");
}

static void whatever_it_holds_it_ends_where_it_should(void **state)
{
	char out[TERMINAL_TITLE_BYTES], title[2 * TERMINAL_TITLE_MAX];

	(void)state;
	terminal_title_set(out, "a\033\\\007\nb\xff", false);
	assert_string_equal(out, "\033]2;a?\\??b?\033\\");
	for (size_t i = 0; i + 1 < sizeof(title); i += 2)
		memcpy(title + i, "\xc3\xa9", 2);
	title[sizeof(title) - 2] = '\0';
	assert_true(terminal_title_set(out, title, true) < sizeof(out));
	assert_string_equal(out + strlen(out) - 2, "\033\\");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(titles_go_to_terminals_that_are_known_to_have_one),
	    cmocka_unit_test(the_first_puts_the_former_aside),
	    cmocka_unit_test(whatever_it_holds_it_ends_where_it_should),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
