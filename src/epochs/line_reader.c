/* SPDX-License-Identifier: MIT */
/* Bytes in, lines out, in bounded memory: the first LINE_KEPT_MAX bytes of a line are kept, the rest is
 * counted. Follows ECMA-48 as far as line ends are concerned; what a terminal would show elsewhere is not its
 * business. */
#include "epochs/line_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/escapes.h"
#include "base/xalloc.h"

struct line_reader {
	struct escapes escapes;
	size_t len;    /* bytes in text */
	size_t beyond; /* characters of this line that are not kept */
	size_t back;   /* backspaces seen since the last character */
	bool returned; /* a carriage return waits for the byte after it */
	bool skipping; /* bytes of this line are missing: it is not told */
	bool told;     /* nothing new since the open line was told */
	uint64_t offset;
	char text[LINE_KEPT_MAX + 1];
};

struct sink {
	line_fn *fn;
	void *ctx;
	int64_t time_ns;
};

struct line_reader *line_reader_new(void)
{
	return xcalloc(1, sizeof(struct line_reader));
}

void line_reader_free(struct line_reader *r)
{
	free(r);
}

static void tell(struct line_reader *r, const struct sink *out, enum line_end end, uint64_t offset)
{
	struct text_line line = {r->text, r->len, end, out->time_ns, offset};

	if (r->len == 0 || r->skipping)
		return;
	r->text[r->len] = '\0';
	out->fn(out->ctx, &line);
}

static void end_line(struct line_reader *r, const struct sink *out, enum line_end end, uint64_t offset)
{
	tell(r, out, end, offset);
	r->len = 0;
	r->beyond = 0;
	r->back = 0;
	r->returned = false;
	r->skipping = false;
	r->told = false;
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Text after backspaces: takes back as many characters. Overwriting in place would need columns, and whoever
 * goes back by less than the line redraws a counter or a spinner at its end. */
static void take_back(struct line_reader *r)
{
	size_t from_beyond = r->back < r->beyond ? r->back : r->beyond;

	r->beyond -= from_beyond;
	for (size_t n = r->back - from_beyond; n > 0 && r->len > 0; n--) {
		while (r->len > 0 && is_continuation(r->text[r->len - 1]))
			r->len--;
		if (r->len > 0)
			r->len--;
	}
	r->back = 0;
}

static void keep(struct line_reader *r, const char *bytes, size_t n)
{
	size_t room = LINE_KEPT_MAX - r->len;
	size_t kept = n < room && r->beyond == 0 ? n : r->beyond == 0 ? room : 0;

	memcpy(r->text + r->len, bytes, kept);
	r->len += kept;
	for (; kept < n; kept++)
		r->beyond += !is_continuation(bytes[kept]);
	r->told = false;
}

/* Length of the run without control characters, eight bytes at a time: bars are mostly such runs. */
static size_t plain_run(const char *p, size_t n)
{
	size_t i = 0;
	uint64_t w;

	for (; i + sizeof(w) <= n; i += sizeof(w)) {
		memcpy(&w, p + i, sizeof(w));
		if ((w - UINT64_C(0x2020202020202020)) & ~w & UINT64_C(0x8080808080808080))
			break;
	}
	while (i < n && (unsigned char)p[i] >= 0x20)
		i++;
	return i;
}

static void control(struct line_reader *r, char c, const struct sink *out)
{
	switch (c) {
	case '\n':
		end_line(r, out, LINE_ENDED, r->offset);
		break;
	case '\r':
		r->returned = true;
		break;
	case '\b':
		r->back++;
		break;
	case '\t':
		keep(r, &c, 1);
		break;
	default:
		break;
	}
}

/* The cursor goes elsewhere (up a line, to a column): what was written stands, what follows is another
 * line. */
static void sequence(struct line_reader *r, char final, const struct sink *out)
{
	if (final == 'C')
		keep(r, " ", 1);
	else if (strchr("ABEFGHdf", final))
		end_line(r, out, LINE_REDRAWN, r->offset);
}

static void special(struct line_reader *r, char c, const struct sink *out)
{
	switch (escapes_take(&r->escapes, c)) {
	case ESCAPES_IS_TEXT:
		control(r, c, out);
		break;
	case ESCAPES_IS_FINAL:
		sequence(r, c, out);
		break;
	case ESCAPES_IS_PART:
		break;
	}
}

void line_reader_push(struct line_reader *r, const char *bytes, size_t n, int64_t time_ns, line_fn *fn,
		      void *ctx)
{
	const struct sink out = {fn, ctx, time_ns};
	size_t i = 0, run;

	while (i < n) {
		if (r->returned && bytes[i] != '\n' && bytes[i] != '\r')
			end_line(r, &out, LINE_REDRAWN, r->offset);
		if (r->escapes.within == ESCAPES_TEXT && (run = plain_run(bytes + i, n - i)) > 0) {
			if (r->back > 0)
				take_back(r);
			keep(r, bytes + i, run);
			i += run;
			r->offset += run;
			continue;
		}
		r->offset++;
		special(r, bytes[i++], &out);
	}
	if (!r->told)
		tell(r, &out, LINE_OPEN, r->offset);
	r->told = true;
}

void line_reader_gap(struct line_reader *r)
{
	r->len = 0;
	r->escapes = (struct escapes){0};
	r->skipping = true;
}

void line_reader_finish(struct line_reader *r, int64_t time_ns, line_fn *fn, void *ctx)
{
	const struct sink out = {fn, ctx, time_ns};

	end_line(r, &out, LINE_ENDED, r->offset);
	r->escapes = (struct escapes){0};
	r->offset = 0;
}
