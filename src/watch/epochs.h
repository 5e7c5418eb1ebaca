/* SPDX-License-Identifier: MIT */
/* Where the epoch column of a watched run comes from, as --epochs says. */
#ifndef WATCH_EPOCHS_H
#define WATCH_EPOCHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/loop.h"
#include "epochs/feed.h"
#include "epochs/log_search.h"
#include "options/options.h"
#include "report/epoch_source.h"

struct watch_epochs {
	struct epoch_feed *feed; /* NULL: nothing is read */
	int64_t every_ms;        /* --epochs every:DURATION; 0 otherwise */
	const char *log;         /* --epochs log:FILE; NULL otherwise */
	bool log_missed;         /* said already */
	bool followed, unseen;   /* attached: output was looked for, none could be read */
	bool discarded;          /* COMMAND's output goes to a device that is no terminal */
	const char
	    *writes_to; /* "a pipe": where lines may wait until a block is full; NULL: they come in time */
	bool late_told;
	const char *regex; /* --epoch-regex; NULL otherwise */
	bool regex_told;
	const char *marks_path; /* for COMMAND's MEMWATCH_MARKS; NULL without */
	bool seeks;             /* wrapped: COMMAND may send its output to a file by itself */
	struct log_search seek;
	int64_t polled_ms;
	struct epoch_fits fits;
};

/* 0, or 125 with the message said. The loop must outlive it. */
int watch_epochs_open(struct watch_epochs *e, const struct options *o, struct loop *loop);
void watch_epochs_close(struct watch_epochs *e);
/* Before that: processes outlive COMMAND, and what they mark must not fail. */
void watch_epochs_outlived(struct watch_epochs *e);

/* Where lines may wait in the writer until a block is full: "a pipe"; NULL: a terminal or another device. */
const char *watch_epochs_blocks(const struct stat *st);

/* COMMAND will write to descriptors 1 and 2: followed where they are files. writes_to: see above. */
void watch_epochs_follow_own(struct watch_epochs *e, const char *writes_to);
/* Likewise for a process that runs already. */
void watch_epochs_follow_pid(struct watch_epochs *e, pid_t pid);

/* In each tick, with the processes alive: looks for files that they write their output to. */
void watch_epochs_seek(struct watch_epochs *e, const pid_t *pids, size_t count, int64_t elapsed_ms);

/* What COMMAND wrote to its descriptor 1 or 2; with n 0: bytes are missing here, and the line with them. */
void watch_epochs_bytes(struct watch_epochs *e, int stream, const char *bytes, size_t n, int64_t time_ns);

void watch_epochs_mark(struct watch_epochs *e); /* the user's own: SIGUSR1 */
/* Epochs are read from the output: a mark would be the last that is believed of them. */
bool watch_epochs_from_lines(const struct watch_epochs *e);
void watch_epochs_finish(struct watch_epochs *e, bool clean);

/* Epochs finished at this moment of the run; -1 before the first sign of one. */
int64_t watch_epochs_now(struct watch_epochs *e, int64_t elapsed_ms);

/* The same as lines and marks have it, which may be ahead of the last tick; cheap. -1 for epochs of equal time. */
int64_t watch_epochs_finished(const struct watch_epochs *e);

/* Epochs that the program says it will train; -1 unknown. */
int64_t watch_epochs_planned(const struct watch_epochs *e);

/* What the host held in this sample, for the level of each fit. */
void watch_epochs_level(struct watch_epochs *e, const struct sample *s, uint64_t held_bytes);

/* The run is over: its last fit too. After watch_epochs_finish(). */
void watch_epochs_end_fits(struct watch_epochs *e);

/* How epochs were found, for the report; after watch_epochs_finish(). */
void watch_epochs_from(struct watch_epochs *e, const struct run_verdict *run, struct epochs_found *out);

#endif
