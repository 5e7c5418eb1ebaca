/* SPDX-License-Identifier: MIT */
/* Finds the format by the first lines, reads all of them, and says in words what was left out. */
#include "record/log_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/scan.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "record/log_lines.h"
#include "record/log_moments.h"

enum { NOTES_MAX = 5, SHELL_MIB = 3 };

struct log_reader {
	const struct log_format *format;
	struct log_table table;
	struct log_moments moments;
	struct csv_reader_damage damage;
	uint64_t others, first_other; /* lines of something else; the number of the first one */
	bool cut_off;
	size_t at;
	char notes[NOTES_MAX][CSV_WHY_MAX];
	int note_n;
	struct sample sample;
	struct channel channels[CH_MAX];
};

static bool is_quiet(const struct log_format *f, const char *line)
{
	size_t most = sizeof(f->quiet) / sizeof(f->quiet[0]);

	while (*line == ' ')
		line++;
	if (!*line)
		return true;
	for (size_t i = 0; i < most && f->quiet[i]; i++)
		if (scan_begins(line, f->quiet[i]))
			return true;
	return false;
}

/* Is this line one that only this format has? */
static bool recognises(const struct log_format *f, const char *line)
{
	static struct log_table table;
	struct log_row row = {0};
	char *copy;
	bool is;

	if (f->sign[0] && !strstr(line, f->sign[0]))
		return false;
	copy = xstrdup(line);
	if (f->sign[0])
		is = log_table_header(&table, f, copy);
	else
		is = f->line(copy, &row) == LINE_ROW;
	free(copy);
	return is;
}

static const struct log_format *format_of_line(const char *line)
{
	for (size_t i = 0; i < log_formats_count; i++)
		if (recognises(&log_formats[i], line))
			return &log_formats[i];
	return NULL;
}

static const struct log_format *find_format(const char *head, size_t n)
{
	const struct log_format *f = NULL;
	struct log_lines lines;
	char *line;
	int is;

	log_lines_open(&lines, -1, head, n);
	lines.ended = true;
	while (!f && (is = log_lines_next(&lines, &line)) > LINES_END)
		if (is == LINES_LINE || is == LINES_CUT_OFF)
			f = format_of_line(line);
	log_lines_close(&lines);
	return f;
}

static void damaged(struct log_reader *r, uint64_t line, const char *what)
{
	if (r->damage.rows++ > 0)
		return;
	r->damage.first_line = line;
	snprintf(r->damage.what, sizeof(r->damage.what), "%s", what);
}

static void other(struct log_reader *r, uint64_t line)
{
	if (r->others++ == 0)
		r->first_other = line;
}

static bool is_header(struct log_reader *r, const char *line)
{
	const struct log_format *f = r->format;
	char *copy;
	bool is;

	if (!f->sign[0] || (!strstr(line, f->sign[0]) && !strstr(line, "PID")))
		return false;
	copy = xstrdup(line);
	is = log_table_header(&r->table, f, copy);
	free(copy);
	return is;
}

static enum log_line beside(const struct log_format *f, const char *line, struct log_row *row)
{
	char *copy;
	enum log_line is;

	if (!f->aside)
		return LINE_OTHER;
	copy = xstrdup(line);
	is = f->aside(copy, row);
	free(copy);
	return is;
}

static enum log_line read_line(struct log_reader *r, char *line, struct log_row *row, char why[LOG_WHY_MAX])
{
	const struct log_format *f = r->format;
	enum log_line is = beside(f, line, row);

	snprintf(why, LOG_WHY_MAX, "a row that is not whole");
	if (is != LINE_OTHER)
		return is;
	if (is_header(r, line)) {
		log_moments_table(&r->moments);
		return LINE_QUIET;
	}
	if (r->table.other || is_quiet(f, line))
		return LINE_QUIET;
	if (f->line)
		return f->line(line, row);
	return r->table.open ? log_table_row(&r->table, line, row, why) : LINE_OTHER;
}

static void take_line(struct log_reader *r, char *line, uint64_t number)
{
	struct log_row row = {0};
	char why[LOG_WHY_MAX];
	double was_s = 0, is_s = 0;
	enum log_line is = read_line(r, line, &row, why);
	bool on = true;

	if (is == LINE_OTHER)
		other(r, number);
	else if (is == LINE_DAMAGED)
		damaged(r, number, why);
	else if (is == LINE_CALL)
		log_moments_call(&r->moments, &row);
	else if (is == LINE_MOMENT)
		on = log_moments_time(&r->moments, &row, &was_s, &is_s);
	else if (is == LINE_ROW)
		on = log_moments_row(&r->moments, &row, &was_s, &is_s);
	if (on)
		return;
	snprintf(why, sizeof(why), "time goes back from %.3f s to %.3f s", was_s, is_s);
	damaged(r, number, why);
}

/* The header of a CSV of which the user says what its columns hold. */
static int take_chosen(struct log_reader *r, struct log_lines *lines, const struct log_choice *choice,
		       char why[CSV_WHY_MAX])
{
	char *line, *copy;
	bool keep = false;
	int is = log_lines_next(lines, &line), err;

	if (is < 0)
		return is;
	if (is == LINES_END || is == LINES_NUL || is == LINES_LONG) {
		snprintf(why, CSV_WHY_MAX, "its first line is no header of a CSV");
		return -EINVAL;
	}
	copy = xstrdup(line);
	err = log_table_choose(&r->table, choice, copy, &keep, why);
	r->format = r->table.format;
	if (!err && keep)
		take_line(r, line, lines->number);
	free(copy);
	return err;
}

static int read_all(struct log_reader *r, struct log_lines *lines)
{
	char *line;
	int is;

	while ((is = log_lines_next(lines, &line)) > LINES_END) {
		if (is == LINES_NUL)
			damaged(r, lines->number, "NUL bytes in it");
		else if (is == LINES_LONG)
			damaged(r, lines->number, "longer than a megabyte");
		else if (is == LINES_CUT_OFF && line[strspn(line, " \t\r")])
			r->cut_off = true;
		else
			take_line(r, line, lines->number);
	}
	return is;
}

__attribute__((format(printf, 2, 3))) static void add_note(struct log_reader *r, const char *fmt, ...)
{
	va_list ap;

	if (r->note_n == NOTES_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(r->notes[r->note_n++], CSV_WHY_MAX, fmt, ap);
	va_end(ap);
}

bool log_reader_has_times(const struct log_reader *r)
{
	return r->moments.clock != CLOCK_NONE;
}

/* psrecord 1.4 runs the command by a shell and measures that. */
static bool only_a_shell(const struct log_reader *r)
{
	for (size_t i = 0; i < r->moments.n; i++)
		if (r->moments.list[i].rss.bytes >= SHELL_MIB * MIB)
			return false;
	return r->format->shell && r->moments.n > 0;
}

static void say_what_was_done(struct log_reader *r, const char *calls)
{
	char apart[UNITS_TEXT_MAX];

	if (r->others > 0)
		add_note(r, "%" PRIu64 " line%s left out, the first is line %" PRIu64, r->others,
			 r->others == 1 ? " is no sample and was" : "s are no samples and were",
			 r->first_other);
	if (r->cut_off)
		add_note(r, "the last line is cut off and was left out");
	if (!log_reader_has_times(r) && r->moments.n > 1)
		add_note(r, "no times in it: samples are taken to be %s apart (--interval)",
			 units_duration(apart, llround(r->moments.interval_s * 1e9)));
	if (calls)
		add_note(r, "each call of %.48s counts as an epoch", calls);
	if (only_a_shell(r))
		add_note(r,
			 "never more than %d MiB: psrecord has measured the shell that started the command, "
			 "not the command",
			 SHELL_MIB);
}

/* Why there is nothing to judge, where the log itself says it. */
static int say_empty(const struct log_reader *r, char why[CSV_WHY_MAX])
{
	if (r->moments.n > 0 || r->damage.rows > 0)
		return 0;
	if (r->moments.gone > 0)
		snprintf(why, CSV_WHY_MAX, "no samples: in every row the process had ended (RSS 0)");
	else if (r->moments.blank > 0)
		snprintf(why, CSV_WHY_MAX, "no samples: no row has a figure of memory");
	else
		return 0;
	return -EINVAL;
}

static void name_channels(struct log_reader *r)
{
	r->sample.n = CH_HOST_COUNT + 2 * r->moments.gpus;
	for (int i = 0; i < r->moments.gpus; i++) {
		struct channel *used = &r->channels[CH_HOST_COUNT + 2 * i];

		snprintf(used->name, CHANNEL_NAME_MAX, "gpu%d_bytes", i);
		snprintf(used[1].name, CHANNEL_NAME_MAX, "gpu%d_total_bytes", i);
	}
}

static int choose_format(struct log_reader *r, const char *head, size_t n, char why[CSV_WHY_MAX])
{
	const char *refusal = log_formats_refusal(head, n);

	if (refusal) {
		snprintf(why, CSV_WHY_MAX, "%s", refusal);
		return -EINVAL;
	}
	r->format = find_format(head, n);
	if (r->format)
		return 0;
	snprintf(
	    why, CSV_WHY_MAX,
	    "neither a memwatch CSV nor a log of another tool that is known (--value-col reads any CSV)");
	return -EINVAL;
}

int log_reader_new(struct log_reader **out, int fd, const char *head, size_t n, const struct log_request *q,
		   char why[CSV_WHY_MAX])
{
	struct log_reader *r = xcalloc(1, sizeof(*r));
	struct log_lines lines;
	double interval_s = (double)q->interval_ns / NS_PER_S;
	int err = 0;

	*out = r;
	if (!q->choice.value)
		err = choose_format(r, head, n, why);
	if (err)
		return err;
	log_moments_init(&r->moments, r->format ? r->format->slack_s : 0,
			 interval_s > 0 ? interval_s
			 : r->format    ? r->format->interval_s
					: 0);
	log_lines_open(&lines, fd, head, n);
	if (q->choice.value)
		err = take_chosen(r, &lines, &q->choice, why);
	if (!err)
		err = read_all(r, &lines);
	log_lines_close(&lines);
	if (err)
		return err;
	say_what_was_done(r, log_moments_finish(&r->moments, r->format->early));
	name_channels(r);
	return say_empty(r, why);
}

void log_reader_free(struct log_reader *r)
{
	if (!r)
		return;
	log_moments_free(&r->moments);
	free(r);
}

const char *log_reader_format(const struct log_reader *r)
{
	return r->format->name;
}

const struct channel *log_reader_channels(const struct log_reader *r, int *n)
{
	*n = r->sample.n;
	return r->channels;
}

/* PSS counts shared pages once, so it is what is held, as far as it is known. */
static void put_host(struct sample *s, const struct log_moment *m)
{
	s->v[CH_RSS] = m->rss;
	s->v[CH_SWAP] = m->swap;
	s->v[CH_PSS] = m->pss;
	s->v[CH_LIMIT] = m->limit;
	if (m->pss.ok)
		s->v[CH_HELD] = (struct reading){m->pss.bytes + (m->swap.ok ? m->swap.bytes : 0), true};
}

int log_reader_next(struct log_reader *r, const struct sample **out)
{
	const struct log_moments *all = &r->moments;
	const struct log_moment *m;
	struct sample *s = &r->sample;

	if (r->at == all->n)
		return 0;
	m = &all->list[r->at++];
	memset(s->v, 0, (size_t)s->n * sizeof(*s->v));
	s->elapsed_ms = m->ms;
	s->wall_ms = all->since_1970 ? llround(all->first_s * 1e3) + m->ms : -1;
	s->epoch = m->epoch;
	s->procs = m->procs > 0 ? m->procs : -1;
	s->pressure_us = s->major_faults = -1;
	put_host(s, m);
	for (size_t i = m->gpu_from; i < m->gpu_from + m->gpu_count; i++) {
		struct reading *used = &s->v[CH_HOST_COUNT + 2 * all->gpu_uses[i].slot];

		used[0] = (struct reading){all->gpu_uses[i].bytes, true};
		used[1] = all->gpu_uses[i].total;
	}
	*out = s;
	return 1;
}

const struct csv_reader_damage *log_reader_damage(const struct log_reader *r)
{
	return &r->damage;
}

const char *log_reader_note(const struct log_reader *r, int i)
{
	return i < r->note_n ? r->notes[i] : NULL;
}
