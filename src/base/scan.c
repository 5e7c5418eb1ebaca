/* SPDX-License-Identifier: MIT */
/* Small steps over a piece of text. */
#include "base/scan.h"

#include <string.h>
#include <strings.h>

static const char digits[] = "0123456789";

bool scan_any(struct scan *s, const char *set)
{
	const char *from = s->p;

	while (s->p < s->end && *s->p && strchr(set, *s->p))
		s->p++;
	return s->p > from;
}

bool scan_text(struct scan *s, const char *text)
{
	size_t n = strlen(text);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, text, n) != 0)
		return false;
	s->p += n;
	return true;
}

bool scan_number(struct scan *s, int64_t *out)
{
	const char *p = s->p;
	int64_t v = 0;

	while (p < s->end && scan_isdigit(*p) && p - s->p <= SCAN_DIGITS_MAX)
		v = v * 10 + (*p++ - '0');
	if (p == s->p || p - s->p > SCAN_DIGITS_MAX)
		return false;
	s->p = p;
	*out = v;
	return true;
}

bool scan_ratio(struct scan *s, int64_t *part, int64_t *whole)
{
	struct scan t = *s;

	scan_spaces(&t);
	if (!scan_number(&t, part))
		return false;
	scan_spaces(&t);
	if (!scan_char(&t, '/'))
		return false;
	scan_spaces(&t);
	if (!scan_number(&t, whole))
		return false;
	*s = t;
	return true;
}

bool scan_of(struct scan *s)
{
	struct scan t = *s;

	scan_spaces(&t);
	if (!scan_char(&t, '/') && !scan_text(&t, "of "))
		return false;
	scan_spaces(&t);
	*s = t;
	return true;
}

bool scan_ends_number(const struct scan *s)
{
	char c = scan_peek(s), next = s->end - s->p > 1 ? s->p[1] : '\0';
	bool joins = scan_isalpha(next) || scan_isdigit(next);

	if (scan_isalpha(c) || scan_isdigit(c) || c == '_' || c == '%')
		return false;
	return !((c == '.' || c == '-') && joins);
}

static bool scan_not_finite(struct scan *s)
{
	bool left = s->end - s->p > 3;

	if (s->end - s->p < 3 || (left && scan_isalpha(s->p[3])) ||
	    (strncasecmp(s->p, "nan", 3) != 0 && strncasecmp(s->p, "inf", 3) != 0))
		return false;
	s->p += 3;
	return true;
}

static void scan_exponent(struct scan *s)
{
	struct scan t = *s;

	if (!scan_char(&t, 'e') && !scan_char(&t, 'E'))
		return;
	scan_any(&t, "+-");
	if (scan_any(&t, digits))
		*s = t;
}

bool scan_figure(struct scan *s, bool *decimal)
{
	struct scan t = *s;

	scan_any(&t, "+-");
	*decimal = scan_not_finite(&t);
	if (!*decimal) {
		if (!scan_any(&t, digits))
			return false;
		*decimal = scan_char(&t, '.');
		scan_any(&t, digits);
		scan_exponent(&t);
	}
	*s = t;
	return true;
}

bool scan_percent(struct scan *s, bool *full)
{
	int64_t percent, decimals;

	scan_spaces(s);
	if (!scan_number(s, &percent))
		return false;
	if (scan_char(s, '.') && !scan_number(s, &decimals))
		return false;
	*full = percent == 100;
	return scan_char(s, '%');
}

const char *scan_find(const struct scan *s, const char *text)
{
	return memmem(s->p, (size_t)(s->end - s->p), text, strlen(text));
}

bool scan_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

char *scan_trim(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		text[--n] = '\0';
	return text;
}
