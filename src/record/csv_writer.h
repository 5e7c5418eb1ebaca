/* SPDX-License-Identifier: MIT */
/* Samples as CSV (memwatch(5)): every row whole in one write, so that a file cut off anywhere still
 * replays. */
#ifndef RECORD_CSV_WRITER_H
#define RECORD_CSV_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sample.h"

struct output_csv; /* opaque */

enum csv_trouble {
	CSV_FINE,
	CSV_READER_GONE,  /* the pipe was closed: an ordinary end */
	CSV_GIVEN_UP,     /* watching was ended while the reader took its time */
	CSV_CANNOT_WRITE, /* see output_csv_error */
};

/* name "-" is standard output; a regular file must be empty or a memwatch CSV unless force; it is emptied by
 * the header and not before. 0 or -errno as of outfile_open; -EEXIST: the file holds something else; -EWOULDBLOCK: another
 * memwatch writes to it. */
int output_csv_open(const char *name, bool force, struct output_csv **out);
int output_csv_close(struct output_csv *o); /* 0 or -errno; NULL is legal */
/* Instead of close when nothing was run: what the file held before is left as it was. NULL is legal. */
void output_csv_discard(struct output_csv *o);

/* Is this a name of the same file or FIFO? Devices such as /dev/null are anybody's. */
bool output_csv_is(const struct output_csv *o, const char *name);

/* Writes the header: gpu are the count columns behind the host's. Rows given before it are held back until
 * then. */
void output_csv_columns(struct output_csv *o, const struct channel *gpu, int count);
void output_csv_row(struct output_csv *o, const struct sample *s);

/* From now on a row that has to wait for its reader also waits for signal_fd: when that is readable, interrupted()
 * is called, and may say true to give up this row and all that follow. */
void output_csv_interruptible(struct output_csv *o, int signal_fd, bool (*interrupted)(void *arg), void *arg);

/* What is wrong now, if anything; rows lost so far; the errno of the last failure. */
enum csv_trouble output_csv_trouble(const struct output_csv *o);
uint64_t output_csv_lost(const struct output_csv *o);
int output_csv_error(const struct output_csv *o);

#endif
