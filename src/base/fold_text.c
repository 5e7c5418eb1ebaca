/* SPDX-License-Identifier: MIT */
/* Words and blanks, line by line. Knows nothing of terminals. */
#include "base/fold_text.h"

#include <string.h>

enum { HANG = 2 };

struct folded {
	char *buf;
	size_t at, size;
};

static void put(struct folded *f, const char *s, size_t n)
{
	if (n > f->size - f->at)
		n = f->size - f->at;
	memcpy(f->buf + f->at, s, n);
	f->at += n;
}

static void put_blanks(struct folded *f, size_t n)
{
	while (n-- > 0)
		put(f, " ", 1);
}

/* Colours take no column, and of a UTF-8 sequence only the first byte does. */
static size_t width(const char *s, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\033')
			while (i + 1 < n && s[i] != 'm')
				i++;
		else
			columns += (s[i] & 0xc0) != 0x80;
	}
	return columns;
}

static size_t span(const char *s, size_t n, int blank)
{
	size_t i = 0;

	while (i < n && (s[i] == ' ') == blank)
		i++;
	return i;
}

static void fold_line(struct folded *f, const char *line, size_t n, size_t columns)
{
	size_t hang = span(line, n, 1) + HANG, column = 0;

	if (hang > columns / 2)
		hang = columns / 2;
	for (size_t at = 0; at < n;) {
		size_t blanks = span(line + at, n - at, 1);
		size_t word = span(line + at + blanks, n - at - blanks, 0);
		size_t wide = width(line + at + blanks, word);

		if (at > 0 && column + blanks + wide > columns) {
			put(f, "\n", 1);
			put_blanks(f, hang);
			column = hang;
			at += blanks;
			blanks = 0;
		}
		put(f, line + at, blanks + word);
		column += blanks + wide;
		at += blanks + word;
	}
}

size_t fold_text(const char *text, size_t n, int columns, char *out, size_t size)
{
	struct folded f = {.buf = out, .size = size};
	const char *end = text + n;

	if (columns < FOLD_LEAST) {
		put(&f, text, n);
		return f.at;
	}
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;

		fold_line(&f, text, (size_t)(line_end - text), (size_t)columns);
		if (newline)
			put(&f, "\n", 1);
		text = newline ? newline + 1 : end;
	}
	return f.at;
}
