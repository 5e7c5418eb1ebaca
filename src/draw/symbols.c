/* SPDX-License-Identifier: MIT */
/* The locale's name is read, as tmux does: a locale that is not installed here says what the terminal at the other end
 * of ssh shows all the same. */
#include "draw/symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool is_utf8(char *(*env)(const char *name))
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL;

	for (size_t i = 0; !(locale && *locale) && i < sizeof(names) / sizeof(names[0]); i++)
		locale = env(names[i]);
	return locale && (strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8"));
}

/* Fonts of the Linux console have 256 or 512 characters: neither braille nor eighths are among them. */
static bool has_few_characters(const char *term)
{
	return strcmp(term, "dumb") == 0 || strncmp(term, "linux", 5) == 0 || strncmp(term, "vt", 2) == 0;
}

enum symbols symbols_of_terminal(char *(*env)(const char *name))
{
	const char *term = env("TERM");

	if (!term || !*term || has_few_characters(term) || !is_utf8(env))
		return SYMBOLS_ASCII;
	return SYMBOLS_BRAILLE;
}
