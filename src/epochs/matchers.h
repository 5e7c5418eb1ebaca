/* SPDX-License-Identifier: MIT */
/* The matchers of formats that are more than a pattern, by family; epochs/formats.c asks them in turn. Pure, and without
 * memory of earlier lines. line: without leading spaces. */
#ifndef EPOCHS_MATCHERS_H
#define EPOCHS_MATCHERS_H

#include <stdbool.h>

#include "base/scan.h"
#include "epochs/formats.h"

/* No format, no number, no total. */
void epoch_line_clear(struct epoch_line *out);

/* Libraries that train in rounds, iterations or trials (epochs/rounds.c). */
bool epoch_rounds_match(const struct scan *line, struct epoch_line *out);

/* Epochs shown without the word: steps, loops, rows of known libraries (epochs/rows.c). ended: by a newline, as the
 * last drawing of a Keras bar is. */
bool epoch_rows_match(const struct scan *line, bool ended, struct epoch_line *out);

/* Tables that have the epoch in their first column (epochs/tables.c). A header, or a line of nothing but figures, which
 * is a row below a header and nothing elsewhere. */
bool epoch_tables_match(const struct scan *line, struct epoch_line *out);

/* Loops that people number by hand without the word "epoch" (epochs/counters.c). What it finds is a counter of
 * something: whether that may stand for an epoch shows only in how it goes on (epochs/track.c). */
bool epoch_counters_match(const struct scan *line, struct epoch_line *out);

/* Epoch lines that people print by hand (epochs/prints.c). line: the whole line; word: where "epoch" begins in it; after:
 * behind the number, the total and their brackets. Fills in when and doubtful; false when the line only mentions an
 * epoch (settings, file names, validation). */
bool epoch_prints_judge(const struct scan *line, const char *word, const char *after, struct epoch_line *out);

/* True when what stands before the word says that this is no training epoch: "Validation", "best", "max". */
bool epoch_prints_barred(const struct scan *line, const char *word);

#endif
