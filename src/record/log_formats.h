/* SPDX-License-Identifier: MIT */
/* The logs of other tools that are known, one row each: its name, how it is recognised, how a line becomes figures. */
#ifndef RECORD_LOG_FORMATS_H
#define RECORD_LOG_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "record/log_cells.h"

enum log_role {
	ROLE_NONE,
	ROLE_TIME,
	ROLE_DATE, /* of a time of day in another column */
	ROLE_RSS,
	ROLE_PSS,
	ROLE_SWAP,
	ROLE_USAGE, /* "1.5MiB / 7.7GiB": resident memory and its limit */
	ROLE_PROCS,
	ROLE_GPU,
	ROLE_GPU_TOTAL,
	ROLE_GPU_ID, /* its number, or any name that tells devices apart */
	ROLE_KEY,    /* whose row it is; without one it is nobody's: a thread, an idle device */
	ROLE_TEXT,   /* may hold what separates cells */
	ROLE_COUNT
};

struct log_column {
	const char *name;
	enum log_role role;
	double unit; /* of a bare number, in bytes */
};

enum { LOG_ID_MAX = 64, LOG_COLUMNS_MAX = 12 };

struct log_figure {
	double value;
	bool ok;
};

/* What one line says. */
struct log_row {
	enum log_clock clock;
	double seconds;
	struct log_figure figures[ROLE_COUNT]; /* bytes; processes for ROLE_PROCS */
	struct log_figure limit;
	char key[LOG_ID_MAX], gpu[LOG_ID_MAX];
	bool first; /* of the rows of its moment */
};

enum log_line {
	LINE_OTHER,  /* not of this format */
	LINE_QUIET,  /* of this format, without a figure of memory */
	LINE_ROW,    /* figures */
	LINE_MOMENT, /* the time of the rows that follow */
	LINE_CALL, /* a function was called and returned: key, seconds; figures[ROLE_TIME] is when it was entered */
	LINE_DAMAGED, /* a row with something wrong in it */
};

struct log_format {
	const char *name;
	const char *sign[4];     /* names that its header has all of; "name [" begins one with a unit */
	enum log_cut head, body; /* how the header and the rows are cut */
	struct log_column columns[LOG_COLUMNS_MAX]; /* of two with the same role the first counts */
	const char *quiet[8];                       /* beginnings of its other lines */
	enum log_line (*line)(char *text, struct log_row *row); /* reads lines that no header explains */
	enum log_line (*aside)(char *text,
			       struct log_row *row); /* lines beside those of the table; NULL none */
	double slack_s;                              /* rows of one moment may differ by so much */
	double interval_s;                           /* between moments, where rows have no time */
	bool early; /* its first figure may be from before the command began */
	bool shell; /* some versions measure the shell that starts the command: under 3 MiB */
};

extern const struct log_format log_formats[];
extern const size_t log_formats_count;

/* What is known but cannot be read, in words, by the first bytes of the file; NULL: something else. */
const char *log_formats_refusal(const char *head, size_t n);

#endif
