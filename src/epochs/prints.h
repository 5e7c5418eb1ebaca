/* SPDX-License-Identifier: MIT */
/* Epoch lines that people print by hand. Pure; used by epochs/formats.c alone. */
#ifndef EPOCHS_PRINTS_H
#define EPOCHS_PRINTS_H

#include "base/scan.h"
#include "epochs/formats.h"

/* line: the whole line; word: where "epoch" begins in it; after: behind the number, the total and their
 * brackets. Fills in when and doubtful; false when the line only mentions an epoch (settings, file names,
 * validation). */
bool epoch_prints_judge(const struct scan *line, const char *word, const char *after, struct epoch_line *out);

/* True when what stands before the word says that this is no training epoch: "Validation", "best", "max". */
bool epoch_prints_barred(const struct scan *line, const char *word);

#endif
