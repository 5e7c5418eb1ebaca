/* SPDX-License-Identifier: MIT */
/* A terminal that is stopped, or at the end of a dead connection, holds up no sample: it gets as much as it takes, and the
 * rest when it is asked again. */
#include "view/backlog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/xalloc.h"

enum {
	DRAIN_MS = 20,   /* how long one write is waited for ... */
	DRAIN_WAITS = 3, /* ... so many times: samples wait too */
	LEAVE_MS = 2000, /* the same on leaving: half a farewell leaves a terminal that nobody can use */
};

void backlog_free(struct backlog *b)
{
	free(b->bytes);
	*b = (struct backlog){0};
}

static void make_room(struct backlog *b, size_t size)
{
	if (size > b->size) {
		b->bytes = xrealloc(b->bytes, size, 1);
		b->size = size;
	}
	memmove(b->bytes, b->bytes + b->at, b->len);
	b->at = 0;
}

bool backlog_take(struct backlog *b, int memory)
{
	off_t n = lseek(memory, 0, SEEK_CUR);

	if (n <= 0)
		return false;
	make_room(b, b->len + (size_t)n);
	if (pread(memory, b->bytes + b->len, (size_t)n, 0) == n)
		b->len += (size_t)n;
	if (ftruncate(memory, 0) == 0)
		lseek(memory, 0, SEEK_SET);
	return true;
}

void backlog_write_now(struct backlog *b, int tty)
{
	while (b->len > 0) {
		ssize_t n = write(tty, b->bytes + b->at, b->len);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			b->len = 0; /* it is gone */
		if (n <= 0)
			return;
		b->at += (size_t)n;
		b->len -= (size_t)n;
	}
}

void backlog_write(struct backlog *b, int tty)
{
	struct pollfd out = {.fd = tty, .events = POLLOUT};

	backlog_write_now(b, tty);
	for (int waits = 0; b->len > 0 && waits < DRAIN_WAITS; waits++) {
		fds_poll(&out, 1, DRAIN_MS);
		backlog_write_now(b, tty);
	}
}

void backlog_write_all(struct backlog *b, int tty)
{
	struct pollfd out = {.fd = tty, .events = POLLOUT};

	backlog_write_now(b, tty);
	while (b->len > 0 && fds_poll(&out, 1, LEAVE_MS) > 0)
		backlog_write_now(b, tty);
}
