/* SPDX-License-Identifier: MIT */
/* -r FILE: a report into a file, its form by the suffix. */
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <stdbool.h>

#include "report/comparison.h"
#include "report/report.h"

/* True when the suffix is one that can be written, or the name is "-". */
bool report_file_known(const char *name);

/* Could it be written, as things stand? Only what memwatch wrote is overwritten without force. 0, or -errno with
 * the message said. */
int report_file_check(const char *name, bool force);
/* Whether all of these go to files of their own. 0, or -errno with the message said. */
int report_file_check_apart(const char *const *names, size_t count);
/* Whether none of these is where standard output or error go. 0, or -errno with the message said. */
int report_file_check_streams(const char *const *names, size_t count);

/* All that is written goes to files. */
bool report_file_none_shown(const char *const *names, size_t count);
/* To somebody who looks on; "-" needs no words. */
void report_file_say_written(const char *name);

/* "-" is text on standard output. Checks once more: COMMAND may have written such a file meanwhile. 0, or -errno
 * with the message said; what was written of it then is removed. */
int report_file_write(const char *name, bool force, const struct report_head *head,
		      const struct run_verdict *run);
int comparison_file_write(const char *name, bool force, const struct comparison_report *r);

#endif
