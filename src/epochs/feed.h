/* SPDX-License-Identifier: MIT */
/* Where a run's epochs come from: the files its output goes to, what the relay reads along and its marks, fed to one
 * tracker. */
#ifndef EPOCHS_FEED_H
#define EPOCHS_FEED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/loop.h"
#include "epochs/epochs.h"

struct epoch_feed;

/* The loop is borrowed and must outlive the feed. start_ns: monotonic. */
struct epoch_feed *epoch_feed_new(struct loop *loop, int64_t start_ns);
void epoch_feed_free(struct epoch_feed *f); /* removes the marks file; NULL is legal */

/* For --epoch-regex, SIGUSR1 (epochs_mark) and the report. Lent. */
struct epochs *epoch_feed_tracker(struct epoch_feed *f);

/* Each returns 0 or -errno. What the file of a running process holds already numbers the current epoch. */
int epoch_feed_follow_pid(struct epoch_feed *f, pid_t pid); /* descriptors 1 and 2; -ENOTSUP: 1 is no file */
int epoch_feed_follow_own(struct epoch_feed *f, int fd);    /* what COMMAND will write to this one of ours */
/* --epochs log:FILE; old: what it holds already is of this run and counts. */
int epoch_feed_follow_name(struct epoch_feed *f, const char *path, bool old);

/* What a file that was found may bring without an epoch: so much is data and no log. */
enum { EPOCH_FEED_FOUND_BYTES = 16 << 20 };

/* A file that a process of the tree was found to write to; path and from: as in log_tail_open(). 8 of these are
 * read at a time and 64 remembered; none is read on once it is deleted. 0; -EMFILE: no room now; another
 * -errno. */
int epoch_feed_follow_found(struct epoch_feed *f, const char *path, int64_t from);
/* What COMMAND wrote to its descriptor 1 or 2; with n 0: bytes are missing here, and the line with them. */
void epoch_feed_bytes(struct epoch_feed *f, int stream, const char *bytes, size_t n, int64_t time_ns);

/* This file is followed, or was given up, or is the marks file. */
bool epoch_feed_knows(const struct epoch_feed *f, const struct stat *st);

/* The file of epoch_feed_follow_name() has been there. */
bool epoch_feed_name_seen(const struct epoch_feed *f);

/* Creates the marks file. *path, lent, is the value for MEMWATCH_MARKS. */
int epoch_feed_open_marks(struct epoch_feed *f, const char **path);

/* Before epoch_feed_free(): processes of the run live on and may go on marking. */
void epoch_feed_leave_marks(struct epoch_feed *f);

/* To be called about once a second: network file systems and a kernel without inotify instances wake
 * nobody, and of marks that were too many at one go some are left. */
void epoch_feed_poll(struct epoch_feed *f);

/* COMMAND has ended; reads what is left. clean: by itself and with success. */
void epoch_feed_finish(struct epoch_feed *f, bool clean);

/* Epochs finished, for a sample. -1 before the first sign, and from a beginning in blocks of several epochs
 * on as long as they come so: such times say when a buffer was full, not when an epoch ended, and windows of
 * time serve better. Epochs that came in time at first are given out to the end: a later block only delays
 * its own. */
int64_t epoch_feed_epoch(struct epoch_feed *f);

#endif
