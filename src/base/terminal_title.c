/* SPDX-License-Identifier: MIT */
/* OSC 2 sets the title; CSI 22 ; 2 t and CSI 23 ; 2 t put it aside and take it back, and terminals without such a stack
 * take no notice. */
#include "base/terminal_title.h"

#include <stdio.h>
#include <string.h>

#include "base/plain_text.h"

bool terminal_title_known(const char *term)
{
	static const char *const beginnings[] = {
	    "xterm", "rxvt",  "screen",  "tmux",  "alacritty", "foot",    "vte",     "gnome", "konsole",
	    "kitty", "iterm", "wezterm", "putty", "mintty",    "contour", "ghostty", "st-"};

	for (size_t i = 0; term && i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (strncmp(term, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

size_t terminal_title_set(char out[TERMINAL_TITLE_BYTES], const char *title, bool first)
{
	char plain[TERMINAL_TITLE_MAX];

	snprintf(plain, sizeof(plain), "%.*s", (int)sizeof(plain) - 1, title);
	plain_text(plain);
	return (size_t)snprintf(out, TERMINAL_TITLE_BYTES, "%s\033]2;%s\033\\", first ? "\033[22;2t" : "",
				plain);
}

size_t terminal_title_restore(char out[TERMINAL_TITLE_BYTES])
{
	return (size_t)snprintf(out, TERMINAL_TITLE_BYTES, "\033[23;2t");
}
