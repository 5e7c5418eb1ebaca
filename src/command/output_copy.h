/* SPDX-License-Identifier: MIT */
/* A pipe that carries copies of COMMAND's output from the relay to memwatch. The writer never waits: what
 * does not fit is left out, and the reader is told that something is missing. */
#ifndef COMMAND_OUTPUT_COPY_H
#define COMMAND_OUTPUT_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TAP_STREAMS = 3, TAP_BUFFER_BYTES = 16384 };

struct tap_writer {
	int fd; /* -1: nobody listens any more */
	bool full;
	bool lost[TAP_STREAMS]; /* by stream: bytes were left out since the last ones that got through */
};

struct tap_reader {
	int fd; /* -1: ended */
	size_t have;
	char buf[TAP_BUFFER_BYTES];
};

/* n bytes of stream 1 or 2, read by memwatch at time_ns of the monotonic clock. With n 0 bytes are missing
 * here: the line that was being read is incomplete and the next bytes may start within a line. */
typedef void tap_fn(void *arg, int stream, const char *bytes, size_t n, int64_t time_ns);

/* Makes the pipe, both ends closed on exec and non-blocking. 0 or -errno. */
int tap_open(struct tap_reader *reader, struct tap_writer *writer);

/* False while what would be put would only be left out. */
bool tap_wants(struct tap_writer *w);
void tap_put(struct tap_writer *w, int stream, const char *bytes, size_t n);
void tap_close_writer(struct tap_writer *w);

/* Hands what has come to fn, at most about max_bytes of it. False once the relay is gone and all is read. */
bool tap_read(struct tap_reader *r, size_t max_bytes, tap_fn *fn, void *arg);
void tap_close_reader(struct tap_reader *r);

#endif
