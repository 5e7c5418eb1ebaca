/* SPDX-License-Identifier: MIT */
/* The states between ESC and the end of what it began. What a sequence does is the caller's business. */
#include "base/escapes.h"

#include <stdbool.h>
#include <string.h>

enum { ASCII_BEL = 7, ASCII_CAN = 24, ASCII_SUB = 26, ASCII_ESC = 27 };

static bool is_control(char c)
{
	return ((unsigned char)c < 0x20) || c == 0x7f;
}

static bool cancels(char c)
{
	return c == ASCII_CAN || c == ASCII_SUB || c == ASCII_ESC;
}

/* A control character within a sequence: a terminal obeys it and goes on. */
static bool breaks(const struct escapes *e, char c)
{
	return is_control(c) && (!e->strict || cancels(c));
}

static enum escapes_byte begin_anew(struct escapes *e, char c)
{
	e->within = ESCAPES_TEXT;
	return escapes_take(e, c);
}

static enum escapes_byte after_escape(struct escapes *e, char c)
{
	if (breaks(e, c))
		return begin_anew(e, c);
	if (is_control(c))
		return ESCAPES_IS_PART;
	if (c == '[') {
		e->within = ESCAPES_SEQUENCE;
	} else if (strchr("]PX^_", c)) {
		e->within = ESCAPES_STRING;
		e->string_left = ESCAPES_STRING_MAX;
	} else if (c < 0x20 || c > 0x2f) {
		e->within = ESCAPES_TEXT;
	}
	return ESCAPES_IS_PART;
}

static enum escapes_byte in_sequence(struct escapes *e, char c)
{
	if (breaks(e, c))
		return begin_anew(e, c);
	if (is_control(c) || (c >= 0x20 && c <= 0x3f))
		return ESCAPES_IS_PART;
	e->within = ESCAPES_TEXT;
	return ESCAPES_IS_FINAL;
}

/* A line end closes a string too: lines matter more than sequences. */
static enum escapes_byte in_string(struct escapes *e, char c)
{
	if (!e->strict && (c == '\n' || c == '\r'))
		return begin_anew(e, c);
	if (c == ASCII_ESC)
		e->within = ESCAPES_STRING_ESC;
	else if (c == ASCII_BEL || (e->strict ? cancels(c) : --e->string_left == 0))
		e->within = ESCAPES_TEXT;
	return ESCAPES_IS_PART;
}

enum escapes_byte escapes_take(struct escapes *e, char c)
{
	switch (e->within) {
	case ESCAPES_ESCAPE:
		return after_escape(e, c);
	case ESCAPES_SEQUENCE:
		return in_sequence(e, c);
	case ESCAPES_STRING:
		return in_string(e, c);
	case ESCAPES_STRING_ESC:
		e->within = c == '\\' ? ESCAPES_TEXT : ESCAPES_ESCAPE;
		return c == '\\' ? ESCAPES_IS_PART : after_escape(e, c);
	case ESCAPES_TEXT:
		break;
	}
	if (c != ASCII_ESC)
		return ESCAPES_IS_TEXT;
	e->within = ESCAPES_ESCAPE;
	return ESCAPES_IS_PART;
}
