/* SPDX-License-Identifier: MIT */
#include "draw/symbols.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void symbols_are_what_locale_and_terminal_can_show(void **state)
{
	static const struct {
		const char *term, *lc_all, *lc_ctype, *lang;
		enum symbols symbols;
	} cases[] = {
	    {"xterm-256color", NULL, NULL, "de_DE.UTF-8", SYMBOLS_BRAILLE},
	    {"xterm-256color", NULL, NULL, "C.utf8", SYMBOLS_BRAILLE},
	    {"tmux", "", "en_US.UTF-8", "C", SYMBOLS_BRAILLE},
	    {"xterm", "C", "en_US.UTF-8", "en_US.UTF-8", SYMBOLS_ASCII},
	    {"xterm", NULL, NULL, NULL, SYMBOLS_ASCII},
	    {"xterm", NULL, NULL, "de_DE.ISO-8859-1", SYMBOLS_ASCII},
	    {"linux", NULL, NULL, "C.UTF-8", SYMBOLS_ASCII},
	    {"vt220", NULL, NULL, "C.UTF-8", SYMBOLS_ASCII},
	    {"dumb", NULL, NULL, "C.UTF-8", SYMBOLS_ASCII},
	    {"", NULL, NULL, "C.UTF-8", SYMBOLS_ASCII},
	    {NULL, NULL, NULL, "C.UTF-8", SYMBOLS_ASCII},
	};
	static const char *const names[] = {"TERM", "LC_ALL", "LC_CTYPE", "LANG"};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const values[] = {cases[i].term, cases[i].lc_all, cases[i].lc_ctype,
					      cases[i].lang};

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (values[k])
				setenv(names[k], values[k], 1);
			else
				unsetenv(names[k]);
		assert_int_equal(symbols_of_terminal(getenv), cases[i].symbols);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(symbols_are_what_locale_and_terminal_can_show)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
