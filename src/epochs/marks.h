/* SPDX-License-Identifier: MIT */
/* The file that MEMWATCH_MARKS names: COMMAND appends lines to it, memwatch is woken and reads them. */
#ifndef EPOCHS_MARKS_H
#define EPOCHS_MARKS_H

#include <stdint.h>

enum mark_kind {
	MARK_EPOCH, /* "epoch" or "epoch 3" */
	MARK_LABEL, /* "mark" or "mark LABEL": what it says is not looked at */
};

struct mark {
	enum mark_kind kind;
	int64_t number; /* epochs finished now; -1: one more than before */
	int64_t time_ns;
};

typedef void mark_fn(void *ctx, const struct mark *mark);

struct marks;

/* Creates the file in a directory of its own below TMPDIR, /tmp, /dev/shm or XDG_RUNTIME_DIR: one with room for it, and
 * where there is a choice one that every user can get at. Whoever has been given the name may append, nobody else may
 * read. 0 or -errno. */
int marks_open(struct marks **out);

const char *marks_path(const struct marks *m); /* the value for MEMWATCH_MARKS */

/* Readable when marks_ready() has something to do. -1 when the kernel gave no inotify instance: call
 * marks_ready() once a second then. */
int marks_fd(const struct marks *m);

/* Tells fn every line that was appended since. Lines that say nothing are passed over. 0, 1 when there was too much to
 * read at one go, or -errno. */
int marks_ready(struct marks *m, int64_t now_ns, mark_fn *fn, void *ctx);

/* Somebody outlives the run who may go on marking: marks_close() leaves a file that has been used. */
void marks_leave(struct marks *m);

/* Removes the file by its name alone, with the directory that is its own. Allocates nothing. */
void marks_remove(const char *path);

/* Removes the file; for the process that opened it, not for its forked children. NULL is legal. */
void marks_close(struct marks *m);

#endif
