/* SPDX-License-Identifier: MIT */
/* The title of a terminal's window as bytes to be written to it. Pure. */
#ifndef BASE_TERMINAL_TITLE_H
#define BASE_TERMINAL_TITLE_H

#include <stdbool.h>
#include <stddef.h>

enum { TERMINAL_TITLE_MAX = 192, TERMINAL_TITLE_BYTES = TERMINAL_TITLE_MAX + 16 };

/* Whether a terminal of this TERM is known to take a title; others might show it as text. NULL is legal. */
bool terminal_title_known(const char *term);

/* Sets the title; first: the one it has is put aside before. Control characters in it are shown as '?'. Returns the
 * bytes. */
size_t terminal_title_set(char out[TERMINAL_TITLE_BYTES], const char *title, bool first);
/* The title that was put aside, where the terminal can. */
size_t terminal_title_restore(char out[TERMINAL_TITLE_BYTES]);

#endif
