/* SPDX-License-Identifier: MIT */
/* Formats that show an epoch without the word: tables, steps, loops. Pure; used by epochs/formats.c alone. */
#ifndef EPOCHS_ROWS_H
#define EPOCHS_ROWS_H

#include "base/scan.h"
#include "epochs/formats.h"

/* line: without leading spaces; ended: by a newline, as the last drawing of a Keras bar is. */
bool epoch_rows_match(const struct scan *line, bool ended, struct epoch_line *out);

/* No format, no number, no total. */
void epoch_rows_clear(struct epoch_line *out);

#endif
