/* SPDX-License-Identifier: MIT */
/* The file that MEMWATCH_MARKS names: COMMAND appends lines to it, memwatch is woken and reads them. */
#ifndef EPOCHS_MARKS_H
#define EPOCHS_MARKS_H

#include <stdint.h>

enum mark_kind {
	MARK_EPOCH, /* "epoch" or "epoch 3" */
	MARK_LABEL, /* "mark LABEL" */
};

struct mark {
	enum mark_kind kind;
	int64_t number;    /* epochs finished now; -1: one more than before */
	const char *label; /* "" without one; lent until the callback returns */
	int64_t time_ns;
};

typedef void mark_fn(void *ctx, const struct mark *mark);

struct marks;

/* Creates the file, readable and writable by this user alone, in XDG_RUNTIME_DIR, TMPDIR or /tmp. 0 or
 * -errno. */
int marks_open(struct marks **out);

const char *marks_path(const struct marks *m); /* the value for MEMWATCH_MARKS */

/* Readable when marks_ready() has something to do. -1 when the kernel gave no inotify instance: call
 * marks_ready() once a second then. */
int marks_fd(const struct marks *m);

/* Tells fn every line that was appended since. Lines that say nothing are passed over. 0 or -errno. */
int marks_ready(struct marks *m, int64_t now_ns, mark_fn *fn, void *ctx);

/* Removes the file; for the process that opened it, not for its forked children. NULL is legal. */
void marks_close(struct marks *m);

#endif
