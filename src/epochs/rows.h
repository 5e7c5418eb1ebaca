/* SPDX-License-Identifier: MIT */
/* Formats that show an epoch without the word: tables, steps, loops. Pure; used by epochs/formats.c alone. */
#ifndef EPOCHS_ROWS_H
#define EPOCHS_ROWS_H

#include "base/scan.h"
#include "epochs/formats.h"

/* line: without leading spaces; ended: by a newline, as the last drawing of a Keras bar is. */
bool epochrow_match(const struct scan *line, bool ended, struct epochline *out);

/* No format, no number, no total. */
void epochrow_clear(struct epochline *out);

#endif
