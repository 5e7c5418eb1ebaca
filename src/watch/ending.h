/* SPDX-License-Identifier: MIT */
/* What is said and written when a watched run is over. */
#ifndef WATCH_ENDING_H
#define WATCH_ENDING_H

#include <stdbool.h>
#include <stdio.h>

#include "host/oom.h"
#include "options/options.h"
#include "record/csv_writer.h"
#include "record/sample.h"
#include "report/report.h"

/* The last row in which the run still held something: a process that is being killed reads as nothing. */
struct ending_last {
	struct reading held, limit, available;
};
void ending_remember(struct ending_last *last, const struct sample *s);

/* The verdict of every series with its advice, on standard error. */
void ending_say(const struct report_head *head, const struct run_verdict *run);

/* Before the run: a report that could not be written is no surprise for its end. 0, or 125 with the message
 * said. */
int ending_check(const struct options *o, pid_t pid);

/* Whether a stream of memwatch, of COMMAND (pid) or of the processes attached to goes to this file already, or epochs are
 * read from it; said then. */
bool ending_is_taken(const struct options *o, const char *option, const char *name, pid_t pid);
/* Nor a report that would take the place of the rows (csv NULL: none) or of a stream, by whatever name. 0, or 125 with
 * the message said. */
int ending_check_apart(const struct options *o, pid_t pid, const struct csv_writer *csv);

/* The files of -r, names expanded for pid. 0, or 125 with the message said. */
int ending_write(const struct options *o, const struct report_head *head, const struct run_verdict *run);

enum ending_fate {
	FATE_RUNS,   /* still */
	FATE_ENDED,  /* attached to: how is not known */
	FATE_EXITED, /* of itself, or by another signal than SIGKILL */
	FATE_KILLED, /* by SIGKILL, or with the status that a shell then gives */
};

/* What the kernel's out-of-memory killer did meanwhile, and what was seen last if it may have been this run: no
 * line or up to two. */
void ending_put_oom(FILE *out, const struct oom_kills *kills, enum ending_fate fate,
		    const struct ending_last *last);
/* A line if any process outlived COMMAND. */
void ending_put_left(FILE *out, int64_t left);
/* The run, or a process of its cgroup, was killed for want of memory. */
bool ending_ran_out(const struct oom_kills *kills, enum ending_fate fate);

#endif
