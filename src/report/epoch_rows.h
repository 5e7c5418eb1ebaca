/* SPDX-License-Identifier: MIT */
/* The table of epochs out of what a run looked like, for Markdown and HTML: bounded, since the history is. */
#ifndef REPORT_EPOCH_ROWS_H
#define REPORT_EPOCH_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "series/history.h"

struct epoch_row {
	int64_t first, last; /* epochs, counted from 1; more than one where they are joined */
	int64_t ms;          /* how long they took */
	struct history_cell held, heap_used, heap_free;
	bool changes;
	double change_bytes; /* of the floor, since the row before */
};

/* Spans from..from + count of those that have ended, as one row; count is at least 1. */
void epoch_row(const struct history *h, int from, int count, struct epoch_row *out);
/* A track of theirs. */
struct history_cell epoch_row_cell(const struct history *h, int from, int count, int track);

/* Is there anything in this track, in any epoch that has ended? */
bool epoch_rows_have(const struct history *h, int track);

/* "7", or "1-16". Returns buf. */
enum { EPOCH_ROW_NAME_MAX = 48 };
char *epoch_row_name(char buf[EPOCH_ROW_NAME_MAX], const struct epoch_row *r);

#endif
