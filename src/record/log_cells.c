/* SPDX-License-Identifier: MIT */
/* Lines are cut and figures read without the locale's help: a log comes from another machine. */
#include "record/log_cells.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/scan.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Does the gap between two cells begin here? */
static bool gap_at(const char *p, enum log_cut how)
{
	return how == CUT_WIDE ? *p == '\t' || (*p == ' ' && is_blank(p[1])) : is_blank(*p);
}

static int cut_at_gaps(char *p, enum log_cut how, char **cells, int max)
{
	int n = 0;

	for (p = scan_trim(p); *p && n < max; n++) {
		cells[n] = p;
		while (*p && !gap_at(p, how))
			p++;
		if (!*p)
			continue;
		*p++ = '\0';
		while (is_blank(*p))
			p++;
	}
	return n;
}

char log_separator(const char *header)
{
	static const char known[] = {'\t', ';', ',', ' '};
	enum { KNOWN = sizeof(known) };
	size_t count[KNOWN] = {0}, best = KNOWN - 1;

	for (; *header; header++)
		for (size_t i = 0; i + 1 < KNOWN; i++)
			count[i] += *header == known[i];
	for (size_t i = 0; i + 1 < KNOWN; i++)
		if (count[i] > count[best])
			best = i;
	return known[best];
}

/* A cell in quotes, the opening one at p: writes its text over it, returns past the closing one. */
static char *unquote(char *p)
{
	char *out = p++;

	for (; *p && (*p != '"' || p[1] == '"'); p++) {
		p += *p == '"';
		*out++ = *p;
	}
	p += *p == '"';
	*out = '\0';
	return p;
}

static int cut_separated(char *p, char separator, char **cells, int max)
{
	int n = 0;

	while (n < max) {
		while (*p == ' ')
			p++;
		cells[n++] = p;
		if (*p == '"')
			p = unquote(p);
		while (*p && *p != separator)
			p++;
		if (!*p)
			break;
		*p++ = '\0';
	}
	for (int i = 0; i < n; i++)
		cells[i] = scan_trim(cells[i]);
	return n;
}

int log_cut(char *line, enum log_cut how, char separator, char **cells, int max)
{
	if (how == CUT_SEPARATED && separator != ' ')
		return cut_separated(line, separator, cells, max);
	return cut_at_gaps(line, how, cells, max);
}

static const char *skip_digits(const char *p, double *v)
{
	for (; isdigit((unsigned char)*p); p++)
		*v = *v * 10 + (*p - '0');
	return p;
}

static const char *take_exponent(const char *p, double *v)
{
	const char *digits, *end;
	bool minus;
	double e = 0;

	if (*p != 'e' && *p != 'E')
		return p;
	minus = p[1] == '-';
	digits = p + 1 + (minus || p[1] == '+');
	end = skip_digits(digits, &e);
	if (end == digits)
		return p;
	*v *= pow(10, minus ? -e : e);
	return end;
}

/* A number with a point or a comma before its decimals. Past it, or NULL: also where it is none, as "0e400". */
static const char *take_number(const char *p, double *out)
{
	double whole = 0, decimals = 0;
	const char *at = p, *from;

	at = skip_digits(at, &whole);
	if (at == p)
		return NULL;
	if (*at == '.' || *at == ',') {
		from = at + 1;
		at = skip_digits(from, &decimals);
		whole += decimals * pow(10, -(double)(at - from));
	}
	*out = whole;
	at = take_exponent(at, out);
	return isfinite(*out) ? at : NULL;
}

static bool is_absent(const char *text)
{
	return !*text || strcmp(text, "-") == 0 || strcmp(text, "--") == 0 || strcasecmp(text, "n/a") == 0 ||
	       strcasecmp(text, "nan") == 0 || (*text == '[' && text[strlen(text) - 1] == ']');
}

enum log_cell log_amount(const char *text, double unit, double *out)
{
	static const struct {
		const char *suffix;
		double factor;
	} units[] = {
	    {"B", 1},        {"K", 0x1p10},   {"KiB", 0x1p10}, {"kB", 1e3},     {"M", 0x1p20},
	    {"MiB", 0x1p20}, {"MB", 1e6},     {"G", 0x1p30},   {"GiB", 0x1p30}, {"GB", 1e9},
	    {"T", 0x1p40},   {"TiB", 0x1p40}, {"TB", 1e12},
	};
	bool minus = *text == '-' && isdigit((unsigned char)text[1]);
	const char *p;

	if (is_absent(text))
		return CELL_ABSENT;
	p = take_number(text + minus, out);
	if (!p || *out > 0x1p62)
		return CELL_BAD;
	*out = minus ? -*out : *out;
	while (is_blank(*p))
		p++;
	for (size_t i = 0; *p && i < sizeof(units) / sizeof(units[0]); i++)
		if (strcasecmp(p, units[i].suffix) == 0) {
			*out *= units[i].factor;
			return *out > 0x1p62 ? CELL_BAD : CELL_FIGURE;
		}
	*out *= unit;
	return *p || *out > 0x1p62 ? CELL_BAD : CELL_FIGURE;
}

enum log_cell log_usage(const char *text, double *used, double *limit)
{
	const char *slash = strchr(text, '/');
	char first[32];
	size_t n;

	if (!slash || (size_t)(slash - text) >= sizeof(first))
		return CELL_BAD;
	n = (size_t)(slash - text);
	memcpy(first, text, n);
	first[n] = '\0';
	for (slash++; *slash == ' ';)
		slash++;
	if (log_amount(slash, 1, limit) != CELL_FIGURE)
		*limit = -1;
	return log_amount(scan_trim(first), 1, used);
}

bool log_half_of_day(const char *text)
{
	return strcasecmp(text, "am") == 0 || strcasecmp(text, "pm") == 0 || strcasecmp(text, "a.m.") == 0 ||
	       strcasecmp(text, "p.m.") == 0;
}

/* Two digits, or one where the hour has no zero before it. */
static const char *take_pair(const char *p, int most, int *out)
{
	if (!isdigit((unsigned char)*p))
		return NULL;
	*out = *p++ - '0';
	if (isdigit((unsigned char)*p))
		*out = *out * 10 + (*p++ - '0');
	return *out <= most ? p : NULL;
}

/* Between hours, minutes and seconds: a colon, or words of a language that is not written in ASCII. */
static const char *skip_colon(const char *p)
{
	if (*p == ':')
		return p + 1;
	if ((unsigned char)*p < 0x80)
		return NULL;
	while ((unsigned char)*p >= 0x80)
		p++;
	return p;
}

static const char *take_seconds(const char *p, double *out)
{
	int whole;
	double decimals = 0;
	const char *from;

	p = take_pair(p, 60, &whole);
	if (!p)
		return NULL;
	*out = whole;
	if ((*p == '.' || *p == ',') && isdigit((unsigned char)p[1])) {
		from = p + 1;
		p = skip_digits(from, &decimals);
		*out += decimals * pow(10, -(double)(p - from));
	}
	while ((unsigned char)*p >= 0x80)
		p++;
	return isfinite(*out) ? p : NULL;
}

static const char *take_time_of_day(const char *p, double *seconds)
{
	int hour, minute;
	double second;

	p = take_pair(p, 24, &hour);
	p = p ? skip_colon(p) : NULL;
	p = p ? take_pair(p, 59, &minute) : NULL;
	p = p ? skip_colon(p) : NULL;
	p = p ? take_seconds(p, &second) : NULL;
	if (!p)
		return NULL;
	while (*p == ' ')
		p++;
	if (log_half_of_day(p)) {
		hour = hour % 12 + (tolower((unsigned char)*p) == 'p' ? 12 : 0);
		p += strlen(p);
	}
	*seconds = hour * 3600 + minute * 60 + second;
	return p;
}

/* Days from 1970 to the first of March of the year, and on from there: leap days then come last. */
static int64_t days_since_1970(int year, int month, int day)
{
	int64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;

	return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

/* "2025/09/07", "2025-09-07" or "20250907"; past it, or NULL. */
static const char *take_date(const char *p, int64_t *days)
{
	int year = 0, month, day, digits = 0;
	char sign;

	for (; digits < 4 && isdigit((unsigned char)*p); digits++)
		year = year * 10 + (*p++ - '0');
	if (digits < 4 || year < 1970)
		return NULL;
	sign = *p;
	p += sign == '/' || sign == '-';
	p = take_pair(p, 12, &month);
	if (!p || (!isdigit((unsigned char)sign) && *p++ != sign))
		return NULL;
	p = take_pair(p, 31, &day);
	if (!p || month == 0 || day == 0)
		return NULL;
	*days = days_since_1970(year, month, day);
	return p;
}

/* "Z", "+01:00", "+0100" behind a time; past it. */
static const char *take_zone(const char *p, double *seconds)
{
	int sign = *p == '+' ? 1 : -1, hours = 0, minutes = 0;
	const char *at;

	if (*p == 'Z')
		return p + 1;
	if (*p != '+' && *p != '-')
		return p;
	at = take_pair(p + 1, 14, &hours);
	if (!at)
		return p;
	at += *at == ':';
	p = take_pair(at, 59, &minutes);
	*seconds -= sign * (hours * 3600 + minutes * 60);
	return p ? p : at;
}

static enum log_clock take_dated(const char *text, double *seconds)
{
	int64_t days;
	double of_day;
	const char *p = take_date(text, &days);

	if (!p || (*p != ' ' && *p != 'T'))
		return CLOCK_NONE;
	while (*p == ' ' || *p == 'T')
		p++;
	p = take_time_of_day(p, &of_day);
	if (!p)
		return CLOCK_NONE;
	*seconds = (double)days * 86400 + of_day;
	return *take_zone(p, seconds) ? CLOCK_NONE : CLOCK_DATED;
}

enum log_clock log_moment(const char *text, double *seconds)
{
	const char *p = take_time_of_day(text, seconds);

	if (p && !*p)
		return CLOCK_DAY;
	if (take_dated(text, seconds) == CLOCK_DATED)
		return CLOCK_DATED;
	p = take_number(text, seconds);
	return p && !*p && *seconds < 0x1p52 ? CLOCK_SINCE : CLOCK_NONE;
}
