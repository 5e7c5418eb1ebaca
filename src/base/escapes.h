/* SPDX-License-Identifier: MIT */
/* Tells the escape sequences of terminals (ECMA-48) from text, byte by byte. Pure. */
#ifndef BASE_ESCAPES_H
#define BASE_ESCAPES_H

#include <stdbool.h>
#include <stddef.h>

/* A string that never ends (binary noise) must not swallow the rest of the output. The longest that programs print are
 * links and titles. */
enum { ESCAPES_STRING_MAX = 4096 };

struct escapes { /* all zero: in text */
	enum {
		ESCAPES_TEXT,
		ESCAPES_ESCAPE,     /* after ESC */
		ESCAPES_SEQUENCE,   /* ESC [ ...: parameters up to a final byte */
		ESCAPES_STRING,     /* ESC ] P X ^ _: up to BEL or ESC \ */
		ESCAPES_STRING_ESC, /* ESC within a string */
	} within;
	size_t string_left; /* bytes a string may still take */
	bool strict; /* as a terminal takes them: neither a line end nor a length ends what has begun */
};

enum escapes_byte {
	ESCAPES_IS_TEXT,  /* the caller's, control characters too; they end a sequence, however broken */
	ESCAPES_IS_PART,  /* of a sequence */
	ESCAPES_IS_FINAL, /* ends one that began with ESC [, and says what it does */
};

enum escapes_byte escapes_take(struct escapes *e, char c);

#endif
