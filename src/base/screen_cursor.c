/* SPDX-License-Identifier: MIT */
/* Follows line ends and escape sequences. Keeps no column: a return leaves a progress bar standing on its line. */
#include "base/screen_cursor.h"

#include <string.h>

/* Colours, erasing and modes (hidden cursor) move nothing; all else may end anywhere. */
static bool moves(char final)
{
	return !strchr("mKJhl", final);
}

/* After ESC: a sequence with "[", a string as for a title with "]" and its like, or a byte or two. */
static void escape(struct screen_cursor *c, unsigned char u)
{
	c->within = CURSOR_TEXT;
	if (u == '[')
		c->within = CURSOR_SEQUENCE;
	else if (u == ']' || u == 'P' || u == '_' || u == '^' || u == 'X')
		c->within = CURSOR_STRING;
	else if (u >= 0x20 && u <= 0x2f)
		c->within = CURSOR_ONE_MORE;
}

static void sequence(struct screen_cursor *c, char byte)
{
	c->within = CURSOR_TEXT;
	if (byte == 'K' && c->returned)
		c->mid_line = false;
	c->mid_line = c->mid_line || moves(byte);
}

static void plain(struct screen_cursor *c, unsigned char u)
{
	if (u == '\r')
		c->returned = true;
	if (u < ' ' && u != '\t')
		return;
	c->mid_line = true;
	c->returned = false;
}

static void take(struct screen_cursor *c, char byte)
{
	unsigned char u = (unsigned char)byte;

	if (byte == '\033') {
		c->within = CURSOR_ESCAPE;
		return;
	}
	switch (c->within) {
	case CURSOR_TEXT:
		plain(c, u);
		break;
	case CURSOR_ESCAPE:
		escape(c, u);
		break;
	case CURSOR_SEQUENCE:
		if (u >= 0x40 && u <= 0x7e)
			sequence(c, byte);
		break;
	case CURSOR_STRING:
		if (byte == '\a')
			c->within = CURSOR_TEXT;
		break;
	case CURSOR_ONE_MORE:
		c->within = CURSOR_TEXT;
		break;
	}
}

void screen_cursor_push(struct screen_cursor *c, const char *bytes, size_t n)
{
	const char *line_end = n > 0 ? memrchr(bytes, '\n', n) : NULL;
	const char *end = bytes + n;

	if (line_end || n == 0)
		*c = (struct screen_cursor){0};
	for (const char *p = line_end ? line_end + 1 : bytes; p < end; p++)
		take(c, *p);
}
