/* SPDX-License-Identifier: MIT */
/* A recorded run as a source of samples, row by row in constant memory: same judge, same report, no live process. */
#ifndef RECORD_CSV_READER_H
#define RECORD_CSV_READER_H

#include <stdint.h>

#include "record/csv_columns.h"

struct csv_reader; /* opaque */

struct csv_reader_damage {
	uint64_t rows;          /* skipped so far */
	uint64_t first_line;    /* line number of the first one */
	char what[CSV_WHY_MAX]; /* what is wrong with it */
};

/* The first n bytes of the file, 64 KiB at most, are at head, the rest comes from fd, which stays the caller's. 0, or
 * -errno: of read(), -ENODATA for an empty file, -EINVAL for one that is no memwatch CSV (why says so). Close it in any
 * case. */
int csv_reader_open(struct csv_reader **out, int fd, const char *head, size_t n, char why[CSV_WHY_MAX]);
void csv_reader_close(struct csv_reader *r); /* NULL is legal */

/* Names of the channels of every sample, lent; *n of them. */
const struct channel *csv_reader_channels(const struct csv_reader *r, int *n);

/* Next good row in *out, lent until the next call. 1, 0 at the end, or -errno of read(). Damaged rows are
 * skipped and counted; a last row without its line end was cut off, which is no damage. */
int csv_reader_next(struct csv_reader *r, const struct sample **out);

const struct csv_reader_damage *csv_reader_damage(const struct csv_reader *r);
/* At the end: there was such a row, which was left out. */
bool csv_reader_cut_off(const struct csv_reader *r);

#endif
