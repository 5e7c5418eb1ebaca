/* SPDX-License-Identifier: MIT */
/* One pipe or socket of COMMAND's output, passed on to where it was meant to go; part of the relay's
 * process. */
#ifndef COMMAND_RELAY_PIPE_H
#define COMMAND_RELAY_PIPE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "command/output_copy.h"

enum { RELAY_PIPE_POLLS = 2, RELAY_PIPE_BYTES = 65536 };

struct relay_pipe {
	int in; /* -1: closed */
	int out;
	int stream;
	int in_bytes, out_bytes; /* how wide the pipes were before they were widened; 0: they are not */
	bool by_write;           /* by read and write: a socket, or splice does not work here */
	bool out_socket;         /* can be written without waiting, whatever its flags */
	bool out_full;
	int scratch[2]; /* splice: what is teed comes by here */
	size_t owed;    /* splice: bytes the copy has seen and `out` has not */
	size_t at, len; /* by write: what of buf is still to be written */
	size_t to_flush;
	int failures; /* by write: of reads and writes in a row, for no reason that lasts */
	char buf[RELAY_PIPE_BYTES];
};

/* in: the end COMMAND's output comes from; out: the real descriptor. Both are the relay's own from now on. */
void relay_pipe_init(struct relay_pipe *p, int in, int out, int stream);

/* What to wait for; always RELAY_PIPE_POLLS entries. */
void relay_pipe_poll(const struct relay_pipe *p, struct pollfd *fds);
void relay_pipe_ready(struct relay_pipe *p, const struct pollfd *fds, struct output_copy_writer *copy);

/* Lets COMMAND write more before it must wait, or as much as it could before. A socket, a user without a
 * share of pipe memory left and, to narrow, a pipe with too much in it stay as they are. */
void relay_pipe_widen(struct relay_pipe *p, bool wide);

/* Everything that is written by now is to be passed on; relay_pipe_flushed() tells when that is so. */
void relay_pipe_flush(struct relay_pipe *p);
bool relay_pipe_flushed(const struct relay_pipe *p);

#endif
