/* SPDX-License-Identifier: MIT */
/* Small steps over a piece of text that need not end in NUL. Pure, bytes only: no locale. */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *p, *end;
};

enum { SCAN_DIGITS_MAX = 7 }; /* longer numbers are times and identifiers, never epochs or steps */

static inline bool scan_isdigit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool scan_isalpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The next byte, 0 at the end. */
static inline char scan_peek(const struct scan *s)
{
	return s->p < s->end ? *s->p : '\0';
}

/* Takes all bytes that are in set; true when there was one. */
bool scan_any(struct scan *s, const char *set);

/* Takes exactly this text, or nothing. */
bool scan_text(struct scan *s, const char *text);

static inline bool scan_char(struct scan *s, char c)
{
	if (scan_peek(s) != c || s->p == s->end)
		return false;
	s->p++;
	return true;
}

static inline bool scan_spaces(struct scan *s)
{
	const char *from = s->p;

	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
	return s->p > from;
}

/* Takes a whole number of at most SCAN_DIGITS_MAX digits, or nothing. */
bool scan_number(struct scan *s, int64_t *out);

/* Takes "3/10", spaces allowed around the slash and before the numbers. */
bool scan_ratio(struct scan *s, int64_t *part, int64_t *whole);

/* Takes what stands before a total, "/" or "of ", with the spaces around it, or nothing. */
bool scan_of(struct scan *s);

/* Behind a number that stands for an epoch: no percentage, no decimals, no part of a name or of a date. */
bool scan_ends_number(const struct scan *s);

/* Takes "0.12", "-3", "1e-05", "nan", "Inf", or nothing. decimal: it is no whole number. */
bool scan_figure(struct scan *s, bool *decimal);

/* Takes " 25%" or " 25.00%"; full: 100 %. Nothing is taken back on failure. */
bool scan_percent(struct scan *s, bool *full);

/* First place where text stands exactly; NULL if none. */
const char *scan_find(const struct scan *s, const char *text);

/* Does text, which ends with a NUL, begin so? */
bool scan_begins(const char *text, const char *with);

/* Without the blanks at both ends; cuts text, which ends with a NUL, in place. */
char *scan_trim(char *text);

#endif
