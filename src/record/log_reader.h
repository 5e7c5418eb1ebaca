/* SPDX-License-Identifier: MIT */
/* A log of another tool as samples. Rows of one moment are added up: processes, containers, the processes of a GPU.
 * What is read is kept, some 100 bytes for each moment, since what explains it may come last. */
#ifndef RECORD_LOG_READER_H
#define RECORD_LOG_READER_H

#include <stdint.h>

#include "record/csv_reader.h"
#include "record/log_table.h"

struct log_reader; /* opaque */

struct log_request {
	struct log_choice choice; /* any CSV; value NULL: none */
	int64_t interval_ns;      /* between moments where the log has no times; 0: as the tool does */
};

/* The first n bytes of the file are at head, the rest comes from fd. 0, or -errno: of read(), -EINVAL with the reason
 * in why: no log that is known. Free with log_reader_free() in any case. */
int log_reader_new(struct log_reader **out, int fd, const char *head, size_t n, const struct log_request *q,
		   char why[CSV_WHY_MAX]);
void log_reader_free(struct log_reader *r);

/* False: its samples are taken to be equally far apart. */
bool log_reader_has_times(const struct log_reader *r);

const char *log_reader_format(const struct log_reader *r); /* "mprof" */
const struct channel *log_reader_channels(const struct log_reader *r, int *n);

/* 1 with the next sample lent until the next call, 0 at the end. */
int log_reader_next(struct log_reader *r, const struct sample **out);

const struct csv_reader_damage *log_reader_damage(const struct log_reader *r);

/* The i-th thing a person should know of how it was read; NULL: no more. */
const char *log_reader_note(const struct log_reader *r, int i);

#endif
