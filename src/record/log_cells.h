/* SPDX-License-Identifier: MIT */
/* The cells of one line of a log, and what is written in them: amounts of memory and moments, in any tool's way and
 * any locale. Pure. */
#ifndef RECORD_LOG_CELLS_H
#define RECORD_LOG_CELLS_H

#include <stdbool.h>
#include <stdint.h>

enum log_cut {
	CUT_BLANKS,    /* any run of blanks */
	CUT_WIDE,      /* two blanks and more, or a tab: names may hold one */
	CUT_SEPARATED, /* a separator; quotes as in RFC 4180 */
};

/* What separates the cells of a header: tab, semicolon or comma, whichever it has most of; ' ' when it has none. */
char log_separator(const char *header);

/* Cuts the line in place; the cells are trimmed. The number of cells, at most max. */
int log_cut(char *line, enum log_cut how, char separator, char **cells, int max);

enum log_cell {
	CELL_BAD,    /* neither a figure nor a sign that there is none */
	CELL_ABSENT, /* empty, "-", "--", "N/A", "[N/A]", "[Insufficient Permissions]" */
	CELL_FIGURE,
};

/* "107012", "3.9M", "23342 MiB", "1,2g", "5.5e-05"; unit is that of a bare number, in bytes. A comma is a decimal
 * point. */
enum log_cell log_amount(const char *text, double unit, double *out);

/* "1.5MiB / 7.7GiB", "-- / --"; the limit is absent as a negative figure. */
enum log_cell log_usage(const char *text, double *used, double *limit);

enum log_clock {
	CLOCK_NONE,
	CLOCK_SINCE, /* seconds since whenever */
	CLOCK_DATED, /* a date and a time of day; seconds since 1970 as if the place were UTC */
	CLOCK_DAY,   /* a time of day only: midnight passes unseen */
};

/* "1794787195.9513", "2025/09/07 22:33:21.481", "2025-09-07T22:33:21Z", "22:33:21", "10:33:21 PM". CLOCK_NONE: no
 * moment. */
enum log_clock log_moment(const char *text, double *seconds);

/* "AM", "PM" and their like behind a time of day. */
bool log_half_of_day(const char *text);

#endif
