/* SPDX-License-Identifier: MIT */
/* Follows line ends and escape sequences. Keeps no column: a return leaves a progress bar standing on its line. */
#include "base/screen_cursor.h"

#include <string.h>

/* Colours, erasing and modes (hidden cursor) move nothing; all else may end anywhere. */
static bool moves(char final)
{
	return !strchr("mKJhl", final);
}

static void sequence(struct screen_cursor *c, char final)
{
	if (final == 'K' && c->returned)
		c->mid_line = false;
	c->mid_line = c->mid_line || moves(final);
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
	switch (escapes_take(&c->escapes, byte)) {
	case ESCAPES_IS_TEXT:
		plain(c, (unsigned char)byte);
		break;
	case ESCAPES_IS_FINAL:
		sequence(c, byte);
		break;
	case ESCAPES_IS_PART:
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
