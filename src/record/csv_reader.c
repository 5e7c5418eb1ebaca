/* SPDX-License-Identifier: MIT */
/* Buffer, lines and the quick way through a plain row: unquoted integers and seconds with three decimals,
 * eight digits at a time. Whatever is not plain goes to record/csv_columns.c, which reads it with care or says what is
 * wrong. */
#include "record/csv_reader.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"

#ifndef CSV_READER_BUFFER
#define CSV_READER_BUFFER (256 * 1024)
#endif
enum { WORD = 8, QUOTED_MAX = 8192 };

struct csv_reader {
	int fd;
	bool ended;        /* read() said end of file */
	char *buf;         /* CSV_READER_BUFFER bytes, and a word that may be read past the end */
	size_t at, end;    /* not yet taken: buf[at .. end) */
	size_t whole;      /* past the last line end in the buffer: rows that begin before it are complete */
	uint64_t line;     /* number of the line at `at`, from 1 */
	int64_t last_ms;   /* time of the last good row */
	int64_t origin_ms; /* first wall time, where there is no elapsed_s; -1 unknown */
	struct csv_reader_damage damage;
	struct csv_table table;
};

/* Reads more behind what is left, which moves to the front. 1, 0 when nothing came, or -errno. */
static int fill(struct csv_reader *r)
{
	ssize_t n;
	char *nl;

	memmove(r->buf, r->buf + r->at, r->end - r->at);
	r->end -= r->at;
	r->whole = r->whole > r->at ? r->whole - r->at : 0;
	r->at = 0;
	if (r->ended || r->end == CSV_READER_BUFFER)
		return 0;
	do
		n = read(r->fd, r->buf + r->end, CSV_READER_BUFFER - r->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	r->ended = n == 0;
	r->end += (size_t)n;
	nl = memrchr(r->buf, '\n', r->end);
	r->whole = nl ? (size_t)(nl - r->buf) + 1 : 0;
	return n > 0;
}

static void damaged(struct csv_reader *r, const char *what)
{
	if (r->damage.rows++ > 0)
		return;
	r->damage.first_line = r->line;
	snprintf(r->damage.what, sizeof(r->damage.what), "%s", what);
}

/* Drops a line that does not fit the buffer, up to and with its end. */
static int skip_long_line(struct csv_reader *r)
{
	char why[CSV_WHY_MAX];
	int rc;

	snprintf(why, sizeof(why), "longer than %d bytes", CSV_READER_BUFFER);
	damaged(r, why);
	do {
		r->at = r->end;
		rc = fill(r);
		if (rc <= 0)
			return rc;
	} while (r->whole == 0);
	r->at = (size_t)((char *)memchr(r->buf, '\n', r->end) - r->buf) + 1;
	r->line++;
	return 1;
}

/* At least one whole line in the buffer: 1; 0 at the end; -errno. */
static int have_line(struct csv_reader *r)
{
	while (r->at >= r->whole) {
		int rc = fill(r);

		if (rc == 0 && r->end == CSV_READER_BUFFER)
			rc = skip_long_line(r);
		if (rc <= 0)
			return rc;
	}
	return 1;
}

static uint64_t load_word(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

/* How many of the bytes of w, which had '0' xored out of them, are digits before the first that is none. */
static unsigned leading_digits(uint64_t w)
{
	uint64_t other = ((w + UINT64_C(0x7676767676767676)) | w) & UINT64_C(0x8080808080808080);

	return other ? (unsigned)__builtin_ctzll(other) / 8 : WORD;
}

/* Value of n (1 to 8) digits at the low end of w: pairs, then fours, then all eight by one multiplication
 * each. */
static uint64_t digits_value(uint64_t w, unsigned n)
{
	w <<= (WORD - n) * 8;
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (w * 10000 + (w >> 32)) & UINT64_C(0xffffffff);
}

#define ASCII_ZEROS UINT64_C(0x3030303030303030)

static uint64_t digits_16(uint64_t first, uint64_t rest, unsigned n)
{
	static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	uint64_t v = digits_value(first, WORD);

	return n > WORD && n < 2 * WORD ? v * powers[n - WORD] + digits_value(rest, n - WORD) : v;
}

/* An integer of at most 15 digits, or nothing, whose length has to be found. Past it, or NULL: needs care. */
__attribute__((noinline)) static const char *measure_whole(const char *p, struct csv_column *c)
{
	uint64_t w = load_word(p) ^ ASCII_ZEROS, rest = load_word(p + WORD) ^ ASCII_ZEROS;
	unsigned n = leading_digits(w);

	if (n == WORD)
		n += leading_digits(rest);
	if (n == 2 * WORD)
		return NULL;
	c->digits = n;
	c->cell->ok = n > 0;
	if (n >= WORD)
		c->cell->bytes = digits_16(w, rest, n);
	else if (n > 0)
		c->cell->bytes = digits_value(w, n);
	return p + n;
}

/* The same, guessing that the column has as many digits as in the row before: the place of the next field is
 * then known before this one is looked at, and the processor reads several at once (a third less time per
 * row). */
static inline const char *quick_whole(const char *p, struct csv_column *c)
{
	uint64_t w = load_word(p) ^ ASCII_ZEROS, rest;
	unsigned n = c->digits;

	c->cell->ok = n > 0;
	if (n < WORD) {
		if (leading_digits(w) != n)
			return measure_whole(p, c);
		if (n > 0)
			c->cell->bytes = digits_value(w, n);
		return p + n;
	}
	rest = load_word(p + WORD) ^ ASCII_ZEROS;
	if (leading_digits(w) != WORD || leading_digits(rest) != n - WORD)
		return measure_whole(p, c);
	c->cell->bytes = digits_16(w, rest, n);
	return p + n;
}

/* Seconds with exactly three decimals, an integer, or nothing. */
static inline const char *quick_milli(const char *p, struct csv_column *c)
{
	uint64_t w;

	p = quick_whole(p, c);
	if (!p || !c->cell->ok)
		return p;
	c->cell->bytes *= MS_PER_S;
	if (*p != '.')
		return p;
	w = load_word(++p) ^ ASCII_ZEROS;
	if (leading_digits(w) != 3)
		return NULL;
	c->cell->bytes += digits_value(w, 3);
	return p + 3;
}

static const char *quick_text(const char *p)
{
	while (*p != ',' && *p != '\n' && *p != '\r' && *p != '"')
		p++;
	return *p == '"' ? NULL : p;
}

/* A plain row; past its line end, or NULL when it needs care. The row is known to end in the buffer. */
static const char *quick_row(struct csv_table *t, const char *p)
{
	const struct csv_column *last = t->columns + t->n - 1;

	for (struct csv_column *c = t->columns;; c++) {
		if (c->kind == CSV_WHOLE)
			p = quick_whole(p, c);
		else if (c->kind == CSV_MILLI)
			p = quick_milli(p, c);
		else
			p = quick_text(p);
		if (!p)
			return NULL;
		if (c == last)
			break;
		if (*p++ != ',')
			return NULL;
	}
	p += *p == '\r';
	return *p == '\n' ? p + 1 : NULL;
}

static uint64_t count_lines(const char *p, size_t n)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += p[i] == '\n';
	return lines;
}

/* Length of the line at `at` with its end, which is known to be in the buffer. */
static size_t line_length(const struct csv_reader *r)
{
	const char *p = r->buf + r->at;

	return (size_t)((const char *)memchr(p, '\n', r->end - r->at) - p) + 1;
}

/* Length of the row at `at` with its end: more than a line when a quote holds the line end. A quote that is
 * open for longer than QUOTED_MAX is damage, and its row ends with the line. */
static size_t row_length(struct csv_reader *r)
{
	size_t have = r->end - r->at, n;

	if (have < QUOTED_MAX && fill(r) > 0)
		have = r->end;
	if (have > QUOTED_MAX)
		have = QUOTED_MAX;
	n = csv_row_length(r->buf + r->at, have);
	return n < have ? n + 1 : line_length(r);
}

static size_t without_line_end(const char *row, size_t n)
{
	n--;
	return n > 0 && row[n - 1] == '\r' ? n - 1 : n;
}

/* Reads a row of n bytes from a copy, since reading unquotes in place and a wrong row is left by its first
 * line. */
static int read_copy(struct csv_reader *r, size_t n, char why[CSV_WHY_MAX])
{
	char *copy = xcalloc(1, n + 1);
	int err;

	memcpy(copy, r->buf + r->at, n);
	err = csv_table_row(&r->table, copy, n, why);
	free(copy);
	return err;
}

/* Takes the row at `at` with care. 1 taken, 0 nothing in it or damaged. */
static int careful_row(struct csv_reader *r)
{
	size_t n = row_length(r), inner = without_line_end(r->buf + r->at, n);
	char why[CSV_WHY_MAX];
	int good = 0;

	if (inner > 0) {
		good = read_copy(r, inner, why) == 0;
		if (!good) {
			damaged(r, why);
			n = line_length(r);
		}
	}
	/* The caller counts the last line of a good row. */
	r->line += count_lines(r->buf + r->at, n) - (uint64_t)good;
	r->at += n;
	return good;
}

/* The time of the row, from `time` where there is no elapsed_s. False, and damage noted: none, it goes back, or it is
 * more than nanoseconds can count. */
static bool take_time(struct csv_reader *r)
{
	struct csv_table *t = &r->table;
	bool elapsed = t->given[CSV_ELAPSED];
	struct reading at = t->figures[elapsed ? CSV_ELAPSED : CSV_TIME];
	char why[CSV_WHY_MAX];
	int64_t ms = (int64_t)at.bytes;

	if (!at.ok) {
		damaged(r, elapsed ? "elapsed_s is empty" : "time is empty");
		return false;
	}
	if (!elapsed) {
		if (r->origin_ms < 0)
			r->origin_ms = ms;
		ms -= r->origin_ms;
	}
	if (ms > INT64_MAX / NS_PER_MS) {
		snprintf(why, sizeof(why), "%s is %.3g s, longer than any run",
			 elapsed ? "elapsed_s" : "time", (double)ms / 1e3);
		damaged(r, why);
		return false;
	}
	if (ms < r->last_ms) {
		snprintf(why, sizeof(why), "time goes back from %.3f s to %.3f s", (double)r->last_ms / 1e3,
			 (double)ms / 1e3);
		damaged(r, why);
		return false;
	}
	r->last_ms = t->row.elapsed_ms = ms;
	return true;
}

int csv_reader_next(struct csv_reader *r, const struct sample **out)
{
	struct csv_table *t = &r->table;

	for (;; r->line++) {
		const char *past;
		int rc;

		do {
			rc = have_line(r);
			if (rc <= 0)
				return rc;
			past = quick_row(t, r->buf + r->at);
			if (past)
				r->at = (size_t)(past - r->buf);
		} while (!past && !careful_row(r));
		if (!take_time(r))
			continue;
		r->line++;
		csv_table_figures(t);
		*out = &t->row;
		return 1;
	}
}

static void skip_byte_order_mark(struct csv_reader *r)
{
	if (r->end - r->at >= 3 && memcmp(r->buf + r->at, "\xef\xbb\xbf", 3) == 0)
		r->at += 3;
}

/* The first line, even when it has no line end: then it is all there is. */
static int read_header(struct csv_reader *r, char why[CSV_WHY_MAX])
{
	size_t n, inner;
	int rc;

	do
		rc = fill(r);
	while (rc > 0 && r->whole == 0);
	if (rc < 0)
		return rc;
	if (r->end == 0)
		return -ENODATA;
	skip_byte_order_mark(r);
	n = r->whole > r->at ? row_length(r) : r->end - r->at;
	inner = r->whole > r->at ? without_line_end(r->buf + r->at, n) : n;
	r->line = 1 + count_lines(r->buf + r->at, n);
	rc = csv_table_open(&r->table, r->buf + r->at, inner, why);
	r->at += n;
	return rc;
}

int csv_reader_open(struct csv_reader **out, int fd, const char *head, size_t n, char why[CSV_WHY_MAX])
{
	struct csv_reader *r = xcalloc(1, sizeof(*r));

	r->fd = fd;
	r->buf = xcalloc(1, CSV_READER_BUFFER + 2 * WORD);
	r->origin_ms = -1;
	r->end = n;
	if (n > 0)
		memcpy(r->buf, head, n);
	*out = r;
	return read_header(r, why);
}

void csv_reader_close(struct csv_reader *r)
{
	if (!r)
		return;
	csv_table_close(&r->table);
	free(r->buf);
	free(r);
}

const struct channel *csv_reader_channels(const struct csv_reader *r, int *n)
{
	*n = r->table.row.n;
	return r->table.channels;
}

bool csv_reader_cut_off(const struct csv_reader *r)
{
	return r->ended && r->end > r->at && r->at >= r->whole;
}

const struct csv_reader_damage *csv_reader_damage(const struct csv_reader *r)
{
	return &r->damage;
}
