/* SPDX-License-Identifier: MIT */
/* The header of a log and the rows below it: which cell holds what. Knows no files. */
#ifndef RECORD_LOG_TABLE_H
#define RECORD_LOG_TABLE_H

#include "record/log_formats.h"

enum { LOG_CELLS_MAX = 256, LOG_WHY_MAX = 160 };

/* Any CSV: which columns the user says hold what, by name or number from 1; NULL for none. */
struct log_choice {
	const char *time, *value;
	double unit; /* of the value, in bytes; 0: bytes */
};

struct log_table {
	const struct log_format *format;
	struct log_column map[LOG_CELLS_MAX]; /* names are not kept */
	int n;
	char separator;
	bool open;  /* rows of this table may follow */
	bool other; /* those of another table of the same tool do */
};

/* Is this line, which is cut in place, a header of the format? */
bool log_table_header(struct log_table *t, const struct log_format *f, char *line);

/* The same for columns that the user chose. -EINVAL with what is missing in why; keep: the line is also a row. */
int log_table_choose(struct log_table *t, const struct log_choice *choice, char *line, bool *keep,
		     char why[LOG_WHY_MAX]);

/* A line below the header, cut in place. LINE_DAMAGED: why says what is wrong. */
enum log_line log_table_row(struct log_table *t, char *line, struct log_row *row, char why[LOG_WHY_MAX]);

#endif
