/* SPDX-License-Identifier: MIT */
/* Long lines broken at words, for a terminal. Pure. */
#ifndef BASE_FOLD_TEXT_H
#define BASE_FOLD_TEXT_H

#include <stddef.h>

enum { FOLD_LEAST = 40 }; /* columns; in less every other word would stand alone */

/* Breaks the lines of text (n bytes of UTF-8, with escape sequences) that are wider than this, and goes on two columns
 * further in than the line began. A word that is wider than all of it stays whole. Writes at most size bytes, returns
 * how many. With fewer columns than FOLD_LEAST the text stays as it is. */
size_t fold_text(const char *text, size_t n, int columns, char *out, size_t size);

#endif
