/* SPDX-License-Identifier: MIT */
/* What is said and written when a watched run is over. */
#ifndef ENDING_H
#define ENDING_H

#include "oom.h"
#include "options.h"
#include "output_csv.h"
#include "report.h"
#include "sample.h"

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

/* Nor one that would take the place of the rows, by whatever name. 0, or 125 with the message said. */
int ending_check_apart(const struct options *o, pid_t pid, const struct output_csv *csv);

/* The files of -r, names expanded for pid. 0, or 125 with the message said. */
int ending_write(const struct options *o, const struct report_head *head, const struct run_verdict *run);

/* COMMAND died by SIGKILL: was it the kernel, and what was seen last? */
void ending_say_killed(const struct oom *oom, const struct ending_last *last);

#endif
