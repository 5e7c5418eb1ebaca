/* SPDX-License-Identifier: MIT */
/* What the columns of a memwatch CSV mean, and one row of it read with care. Knows text, no files. */
#ifndef RECORD_CSV_COLUMNS_H
#define RECORD_CSV_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/sample.h"

enum csv_kind {
	CSV_TEXT,  /* not ours: skipped */
	CSV_MILLI, /* seconds, kept as milliseconds */
	CSV_WHOLE, /* bytes and counts */
};

/* All that is known of a column beside the GPUs' two for each device. The table of them is the order of the file;
 * writer, reader and the test of memwatch(5) go by it. */
struct csv_field {
	const char *name;
	enum csv_kind kind;
	int channel;      /* of struct sample; -1: a figure of the row itself */
	size_t figure;    /* where that one lies in struct sample: an int64_t, below 0 unknown */
	bool judged;      /* one such column, or a GPU's, makes a file worth reading */
	bool behind_gpus; /* new columns come last */
};

/* CSV_FIGURES: how many of them are no channels. */
enum { CSV_ELAPSED, CSV_TIME, CSV_FIGURES = 6, CSV_FIELDS = CSV_FIGURES + CH_HOST_COUNT };
extern const struct csv_field csv_fields[CSV_FIELDS];

/* What stands in this column of the row of s. */
struct reading csv_field_reading(const struct csv_field *f, const struct sample *s);

struct csv_column {
	enum csv_kind kind;
	unsigned digits;      /* of the last row: the next one's guess (record/csv_reader.c) */
	struct reading *cell; /* where the value goes; NULL for CSV_TEXT */
	char *name;
};

struct csv_table {
	struct csv_column *columns;
	int n;
	bool given[CSV_FIELDS];
	bool has_memory;                    /* at least one column that can be judged */
	struct reading figures[CSV_FIELDS]; /* of fields that are no channel, until csv_table_figures() */
	struct sample row;                  /* host and GPU columns are read straight into it */
	struct channel channels[CH_MAX];    /* names of row.v[0 .. row.n); "" not in the file */
};

enum { CSV_WHY_MAX = 160 };

/* Length of the row at text, in which quoted line ends may occur, without its '\n'; n when a quote stays
 * open. */
size_t csv_row_length(const char *text, size_t n);

/* Takes the header. 0, or -EINVAL with a reason in why. Free with csv_table_close() in any case. */
int csv_table_open(struct csv_table *t, char *header, size_t n, char why[CSV_WHY_MAX]);
void csv_table_close(struct csv_table *t);

/* Reads one row into the cells, whatever RFC 4180 allows. 0, or -EINVAL with what is wrong in why. */
int csv_table_row(struct csv_table *t, char *text, size_t n, char why[CSV_WHY_MAX]);

/* The figures of a row that was read, into t->row; its elapsed time is the reader's. */
void csv_table_figures(struct csv_table *t);

#endif
