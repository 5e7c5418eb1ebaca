/* SPDX-License-Identifier: MIT */
/* A pipe that carries copies of COMMAND's output from the relay to memwatch. The writer never waits: what
 * does not fit is left out, and the reader is told that something is missing. */
#ifndef COMMAND_OUTPUT_COPY_H
#define COMMAND_OUTPUT_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUTPUT_COPY_STREAMS = 3, OUTPUT_COPY_BUFFER_BYTES = 16384 };

struct output_copy_writer {
	int fd; /* -1: nobody listens any more */
	bool full;
	bool lost
	    [OUTPUT_COPY_STREAMS]; /* by stream: bytes were left out since the last ones that got through */
};

struct output_copy_reader {
	int fd; /* -1: ended */
	size_t have;
	char buf[OUTPUT_COPY_BUFFER_BYTES];
};

/* n bytes of stream 1 or 2, read by memwatch at time_ns of the monotonic clock. With n 0 bytes are missing
 * here: the line that was being read is incomplete and the next bytes may start within a line. */
typedef void output_copy_fn(void *arg, int stream, const char *bytes, size_t n, int64_t time_ns);

/* Makes the pipe, both ends closed on exec and non-blocking. 0 or -errno. */
int output_copy_open(struct output_copy_reader *reader, struct output_copy_writer *writer);

/* False while what would be put would only be left out. */
bool output_copy_wants(struct output_copy_writer *w);
void output_copy_put(struct output_copy_writer *w, int stream, const char *bytes, size_t n);
void output_copy_close_writer(struct output_copy_writer *w);

/* Hands what has come to fn, at most about max_bytes of it. False once the relay is gone and all is read. */
bool output_copy_read(struct output_copy_reader *r, size_t max_bytes, output_copy_fn *fn, void *arg);
void output_copy_close_reader(struct output_copy_reader *r);

#endif
