/* SPDX-License-Identifier: MIT */
/* The lines of a file, one by one, without what a terminal makes of them. */
#ifndef RECORD_LOG_LINES_H
#define RECORD_LOG_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_lines {
	int fd;
	bool ended;
	char *buf;
	size_t at, end, size;
	uint64_t number; /* of the line given last, from 1 */
};

enum log_lines_found {
	LINES_END,
	LINES_LINE,
	LINES_CUT_OFF, /* the last one, which has no line end */
	LINES_NUL,     /* NUL bytes in it */
	LINES_LONG,    /* more than a megabyte */
};

/* head: what was read of fd already. fd stays the caller's. */
void log_lines_open(struct log_lines *l, int fd, const char *head, size_t n);
void log_lines_close(struct log_lines *l);

/* The next line, lent until the next call; without its end, escape sequences and what a return overwrites. An
 * enum log_lines_found, or -errno of read(). */
int log_lines_next(struct log_lines *l, char **line);

#endif
