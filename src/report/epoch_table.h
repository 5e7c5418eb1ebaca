/* SPDX-License-Identifier: MIT */
/* One row per finished epoch, written as it ends: any number of epochs in constant memory. */
#ifndef REPORT_EPOCH_TABLE_H
#define REPORT_EPOCH_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "record/sample.h"

enum report_epochs_form { EPOCHS_AS_NONE, EPOCHS_AS_TEXT, EPOCHS_AS_CSV, EPOCHS_AS_MARKDOWN };

struct report_epochs; /* opaque */

/* title, or NULL, stands above the table and is borrowed; channels are those of the samples; out stays the caller's. */
struct report_epochs *report_epochs_new(FILE *out, enum report_epochs_form form, const char *title,
					const struct channel *channels, int n);
void report_epochs_free(struct report_epochs *t);

/* held: what is judged of the host in this row. */
void report_epochs_push(struct report_epochs *t, const struct sample *s, struct reading held);

/* Finished epochs written so far. */
int64_t report_epochs_rows(const struct report_epochs *t);

#endif
