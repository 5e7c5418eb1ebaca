/* SPDX-License-Identifier: MIT */
/* Follows line ends and escape sequences. Keeps no column: a return leaves a progress bar standing on its line. */
#include "cursor.h"

#include <string.h>

/* Colours, erasing and modes (hidden cursor) move nothing; all else may end anywhere. */
static bool moves(char final)
{
	return !strchr("mKJhl", final);
}

static void take(struct cursor *c, char byte)
{
	unsigned char u = (unsigned char)byte;

	if (c->within == CURSOR_ESCAPE) {
		c->within = byte == '[' ? CURSOR_SEQUENCE : CURSOR_TEXT;
	} else if (c->within == CURSOR_SEQUENCE) {
		if (u < 0x40 || u > 0x7e)
			return;
		c->within = CURSOR_TEXT;
		c->mid_line = c->mid_line || moves(byte);
	} else if (byte == '\033') {
		c->within = CURSOR_ESCAPE;
	} else if (u >= ' ' || byte == '\t') {
		c->mid_line = true;
	}
}

void cursor_push(struct cursor *c, const char *bytes, size_t n)
{
	const char *line_end = n > 0 ? memrchr(bytes, '\n', n) : NULL;
	const char *end = bytes + n;

	if (line_end || n == 0)
		*c = (struct cursor){0};
	for (const char *p = line_end ? line_end + 1 : bytes; p < end; p++)
		take(c, *p);
}
