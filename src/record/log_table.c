/* SPDX-License-Identifier: MIT */
/* Columns are found by their names, never by their places: tools add some with every version and option. */
#include "record/log_table.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 24 };

static int find_cell(char **cells, int n, const char *name)
{
	size_t len = strlen(name);

	/* nvidia-smi writes the unit behind the name: "used_gpu_memory [MiB]" */
	for (int i = 0; i < n; i++)
		if (strncmp(cells[i], name, len) == 0 &&
		    (!cells[i][len] || strncmp(cells[i] + len, " [", 2) == 0))
			return i;
	return -1;
}

static bool has_name(char **cells, int n, const char *name)
{
	size_t len = strlen(name);

	if (name[len - 1] != '[')
		return find_cell(cells, n, name) >= 0;
	for (int i = 0; i < n; i++)
		if (strncmp(cells[i], name, len) == 0)
			return true;
	return false;
}

static bool has_sign(const struct log_format *f, char **cells, int n)
{
	if (!f->sign[0])
		return false;
	for (size_t i = 0; i < sizeof(f->sign) / sizeof(f->sign[0]) && f->sign[i]; i++)
		if (!has_name(cells, n, f->sign[i]))
			return false;
	return true;
}

static bool role_taken(const struct log_table *t, enum log_role role)
{
	for (int i = 0; i < t->n; i++)
		if (t->map[i].role == role)
			return true;
	return false;
}

/* The unit in brackets behind a name, or the one given. */
static double unit_of(const char *cell, double unit)
{
	const char *bracket = strstr(cell, " [");
	char text[16];
	double v;

	if (!bracket || sscanf(bracket, " [%12[^]]]", text + 1) != 1)
		return unit;
	text[0] = '1';
	return log_amount(text, unit, &v) == CELL_FIGURE ? v : unit;
}

static void map_columns(struct log_table *t, const struct log_format *f, char **cells, int n)
{
	memset(t->map, 0, sizeof(t->map));
	t->format = f;
	t->n = n;
	t->open = true;
	t->other = false;
	for (size_t i = 0; i < LOG_COLUMNS_MAX && f->columns[i].name; i++) {
		int at = find_cell(cells, n, f->columns[i].name);

		if (at < 0 || role_taken(t, f->columns[i].role))
			continue;
		t->map[at] = f->columns[i];
		t->map[at].unit = unit_of(cells[at], f->columns[i].unit);
	}
}

/* pidstat without -h writes the time itself over the column of times, and "PM" behind it. */
static int name_time(char **cells, int n)
{
	static char name[] = "Time";
	double seconds;

	if (n < 2 || log_moment(cells[0], &seconds) == CLOCK_NONE)
		return n;
	cells[0] = name;
	if (!log_half_of_day(cells[1]))
		return n;
	memmove(cells + 1, cells + 2, (size_t)(n - 2) * sizeof(*cells));
	return n - 1;
}

static char *without_hash(char *line)
{
	while (*line == '#' || *line == ' ')
		line++;
	return line;
}

bool log_table_header(struct log_table *t, const struct log_format *f, char *line)
{
	char *cells[LOG_CELLS_MAX];
	char separator = log_separator(line);
	int n = log_cut(without_hash(line), f->head, separator, cells, LOG_CELLS_MAX);

	if (!has_sign(f, cells, n)) {
		/* Another table of the same log: its rows are none of ours. */
		if (find_cell(cells, n, "PID") >= 0 && n > 1 && strcmp(cells[n - 1], "Command") == 0) {
			t->open = false;
			t->other = true;
		}
		return false;
	}
	if (f->body == CUT_BLANKS && f->head == CUT_BLANKS)
		n = name_time(cells, n);
	map_columns(t, f, cells, n);
	t->separator = separator;
	return true;
}

static const struct log_format chosen = {
    .name = "CSV", .head = CUT_SEPARATED, .body = CUT_SEPARATED, .interval_s = 1};

/* A column by its name, else by its number. */
static int choose_cell(char **cells, int n, const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	for (int i = 0; i < n; i++)
		if (strcmp(cells[i], name) == 0)
			return i;
	return !*end && number >= 1 && number <= n ? (int)number - 1 : -1;
}

static int say_missing(char why[LOG_WHY_MAX], const char *option, const char *name)
{
	snprintf(why, LOG_WHY_MAX, "%s: no column '%.40s' in its first line", option, name);
	return -EINVAL;
}

int log_table_choose(struct log_table *t, const struct log_choice *choice, char *line, bool *keep,
		     char why[LOG_WHY_MAX])
{
	char *cells[LOG_CELLS_MAX];
	char separator = log_separator(line);
	int n = log_cut(line, CUT_SEPARATED, separator, cells, LOG_CELLS_MAX), at;
	double v;

	map_columns(t, &chosen, cells, n);
	t->separator = separator;
	at = choose_cell(cells, n, choice->value);
	if (at < 0)
		return say_missing(why, "--value-col", choice->value);
	t->map[at] = (struct log_column){"", ROLE_RSS, choice->unit > 0 ? choice->unit : 1};
	*keep = log_amount(cells[at], 1, &v) == CELL_FIGURE;
	if (!choice->time)
		return 0;
	at = choose_cell(cells, n, choice->time);
	if (at < 0)
		return say_missing(why, "--time-col", choice->time);
	t->map[at] = (struct log_column){"", ROLE_TIME, 0};
	return 0;
}

/* "12:02:06" and "AM" are one cell of two words. */
static int join_half_of_day(char **cells, int n)
{
	double seconds;

	if (n < 2 || !log_half_of_day(cells[1]) || log_moment(cells[0], &seconds) != CLOCK_DAY)
		return n;
	for (char *p = cells[0] + strlen(cells[0]); p < cells[1]; p++)
		*p = ' ';
	memmove(cells + 1, cells + 2, (size_t)(n - 2) * sizeof(*cells));
	return n - 1;
}

/* More cells than columns: those of a text that holds separators. Fewer: the row is cut. False: no row of this
 * table. */
static bool fit_cells(const struct log_table *t, char **cells, int *n)
{
	int surplus = *n - t->n, at = 0;

	while (at < t->n && t->map[at].role != ROLE_TEXT)
		at++;
	if (surplus <= 0 || at == t->n)
		return surplus == 0;
	memmove(cells + at + 1, cells + at + 1 + surplus, (size_t)(t->n - at - 1) * sizeof(*cells));
	*n = t->n;
	return true;
}

static void say_no_figure(char why[LOG_WHY_MAX], const char *what, const char *text)
{
	char shown[SHOWN_MAX + 1];
	size_t n = strnlen(text, SHOWN_MAX);

	for (size_t i = 0; i < n; i++)
		shown[i] = isprint((unsigned char)text[i]) ? text[i] : '?';
	shown[n] = '\0';
	snprintf(why, LOG_WHY_MAX, "%s is \"%s\"%s", what, shown, text[n] ? "..." : "");
}

static enum log_line take_usage(const char *cell, struct log_row *row, char why[LOG_WHY_MAX])
{
	struct log_figure *rss = &row->figures[ROLE_RSS];
	double used = 0, limit = 0;
	enum log_cell is = log_usage(cell, &used, &limit);

	if (is == CELL_BAD) {
		say_no_figure(why, "the memory", cell);
		return LINE_DAMAGED;
	}
	*rss = (struct log_figure){used, is == CELL_FIGURE};
	row->limit = (struct log_figure){limit, limit > 0};
	return LINE_ROW;
}

static enum log_line take_amount(const struct log_column *c, const char *cell, struct log_row *row,
				 char why[LOG_WHY_MAX])
{
	double v = 0;
	enum log_cell is = log_amount(cell, c->unit, &v);

	if (is == CELL_BAD) {
		say_no_figure(why, c->role == ROLE_PROCS ? "the number of processes" : "the memory", cell);
		return LINE_DAMAGED;
	}
	row->figures[c->role] = (struct log_figure){v, is == CELL_FIGURE};
	return LINE_ROW;
}

static enum log_line take_time(const struct log_table *t, char **cells, int at, struct log_row *row)
{
	char whole[LOG_ID_MAX];
	int date = 0;

	while (date < at && t->map[date].role != ROLE_DATE)
		date++;
	snprintf(whole, sizeof(whole), "%s%s%s", date < at ? cells[date] : "", date < at ? " " : "",
		 cells[at]);
	row->clock = log_moment(whole, &row->seconds);
	return row->clock == CLOCK_NONE ? LINE_OTHER : LINE_ROW;
}

/* A row that belongs to nobody is a thread, or a device on which nothing runs. */
static enum log_line take_key(const char *cell, struct log_row *row)
{
	double v;

	if (log_amount(cell, 1, &v) == CELL_ABSENT)
		return LINE_QUIET;
	snprintf(row->key, sizeof(row->key), "%s", cell);
	return LINE_ROW;
}

static enum log_line take_cell(const struct log_table *t, char **cells, int at, struct log_row *row,
			       char why[LOG_WHY_MAX])
{
	switch (t->map[at].role) {
	case ROLE_TIME:
		return take_time(t, cells, at, row);
	case ROLE_KEY:
		return take_key(cells[at], row);
	case ROLE_GPU_ID:
		snprintf(row->gpu, sizeof(row->gpu), "%s", cells[at]);
		return LINE_ROW;
	case ROLE_USAGE:
		return take_usage(cells[at], row, why);
	case ROLE_RSS:
	case ROLE_PSS:
	case ROLE_SWAP:
	case ROLE_PROCS:
	case ROLE_GPU:
	case ROLE_GPU_TOTAL:
		return take_amount(&t->map[at], cells[at], row, why);
	default:
		return LINE_ROW;
	}
}

/* A time where one is due tells a broken row from a line of something else. */
static bool begins_as_row(const struct log_table *t, char **cells, int n)
{
	struct log_row row = {0};

	for (int i = 0; i < t->n; i++)
		if (t->map[i].role == ROLE_TIME)
			return i < n && take_time(t, cells, i, &row) == LINE_ROW;
	return false;
}

enum log_line log_table_row(struct log_table *t, char *line, struct log_row *row, char why[LOG_WHY_MAX])
{
	char *cells[LOG_CELLS_MAX];
	int n = log_cut(line, t->format->body, t->separator, cells, LOG_CELLS_MAX);

	if (t->format->body == CUT_BLANKS)
		n = join_half_of_day(cells, n);
	if (!fit_cells(t, cells, &n)) {
		snprintf(why, LOG_WHY_MAX, "%d field%s instead of %d", n, n == 1 ? "" : "s", t->n);
		return begins_as_row(t, cells, n) ? LINE_DAMAGED : LINE_OTHER;
	}
	for (int i = 0; i < n; i++) {
		enum log_line is = take_cell(t, cells, i, row, why);

		if (is == LINE_DAMAGED && !begins_as_row(t, cells, n))
			return LINE_OTHER;
		if (is != LINE_ROW)
			return is;
	}
	return LINE_ROW;
}
