/* SPDX-License-Identifier: MIT */
/* One row per epoch, written as it ends: any number of epochs in constant memory. */
#ifndef REPORT_EPOCH_TABLE_H
#define REPORT_EPOCH_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "record/sample.h"

enum epoch_table_form { EPOCHS_AS_NONE, EPOCHS_AS_TEXT, EPOCHS_AS_CSV, EPOCHS_AS_MARKDOWN };

struct epoch_table; /* opaque */

/* title, or NULL, stands above the table and is borrowed; channels are those of the samples; out stays the caller's. */
struct epoch_table *epoch_table_new(FILE *out, enum epoch_table_form form, const char *title,
				    const struct channel *channels, int n);
void epoch_table_free(struct epoch_table *t);

/* held: what is judged of the host in this row. */
void epoch_table_push(struct epoch_table *t, const struct sample *s, struct reading held);

/* After the last row: what follows the last end of an epoch, for people. */
void epoch_table_end(struct epoch_table *t);

/* Rows written so far. */
int64_t epoch_table_rows(const struct epoch_table *t);

#endif
