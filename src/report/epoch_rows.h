/* SPDX-License-Identifier: MIT */
/* The table of epochs out of what a run looked like, for Markdown and HTML: bounded, since the history is. */
#ifndef REPORT_EPOCH_ROWS_H
#define REPORT_EPOCH_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "series/history.h"

struct epoch_row {
	int64_t first, last; /* epochs, counted from 1; more than one where the history has joined them */
	int64_t ms;          /* how long they took */
	const struct history_cell *held, *heap_used, *heap_free; /* lent */
	bool changes;
	double change_bytes; /* of the floor, since the row before */
};

/* Row i of those that have ended. */
void epoch_row(const struct history *h, int i, struct epoch_row *out);

/* Is there anything in this track, in any epoch that has ended? */
bool epoch_rows_have(const struct history *h, int track);

/* "7", or "1-16". Returns buf. */
enum { EPOCH_ROW_NAME_MAX = 48 };
char *epoch_row_name(char buf[EPOCH_ROW_NAME_MAX], const struct epoch_row *r);

#endif
