/* SPDX-License-Identifier: MIT */
/* Samples as CSV (memwatch(5)): every row whole in one write, so that a file cut off anywhere still
 * replays. */
#ifndef RECORD_CSV_WRITER_H
#define RECORD_CSV_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sample.h"

struct csv_writer; /* opaque */

enum csv_trouble {
	CSV_FINE,
	CSV_READER_GONE,  /* the pipe was closed: an ordinary end */
	CSV_GIVEN_UP,     /* watching was ended while the reader took its time */
	CSV_CANNOT_WRITE, /* see csv_writer_error */
};

/* name "-" is standard output; a regular file must be empty or a memwatch CSV unless force; it is emptied by
 * the header and not before. 0 or -errno as of outfile_open; -EEXIST: the file holds something else; -EWOULDBLOCK: another
 * memwatch writes to it. */
int csv_writer_open(const char *name, bool force, struct csv_writer **out);
/* Onto a pipe that does not block, which it takes: rows that find it full are lost, those behind them are not. */
struct csv_writer *csv_writer_pipe(int fd);
int csv_writer_close(struct csv_writer *o); /* 0 or -errno; NULL is legal */
/* Instead of close when nothing was run: what the file held before is left as it was. NULL is legal. */
void csv_writer_discard(struct csv_writer *o);

/* Is this a name of the same file or FIFO? Devices such as /dev/null are anybody's. */
bool csv_writer_is(const struct csv_writer *o, const char *name);

/* Writes the header: gpu are the count columns behind the host's. Rows given before it are delayed until
 * then. */
void csv_writer_columns(struct csv_writer *o, const struct channel *gpu, int count);
void csv_writer_row(struct csv_writer *o, const struct sample *s);

/* From now on a row that has to wait for its reader also waits for signal_fd: when that is readable, interrupted()
 * is called, and may say true to give up this row and all that follow. */
void csv_writer_interruptible(struct csv_writer *o, int signal_fd, bool (*interrupted)(void *arg), void *arg);

/* What is wrong now, if anything; rows lost so far; the errno of the last failure. */
enum csv_trouble csv_writer_trouble(const struct csv_writer *o);
uint64_t csv_writer_bytes(const struct csv_writer *o); /* written so far */
uint64_t csv_writer_lost(const struct csv_writer *o);
int csv_writer_error(const struct csv_writer *o);

#endif
