/* SPDX-License-Identifier: MIT */
/* Bytes and durations as people write and read them. Pure; always the C locale's decimal point. */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

struct unit {
	const char *suffix;
	double factor;
};

/* A decimal number without sign, exponent or locale; strtod would take "inf", "0x10" and a comma. */
static const char *parse_decimal(const char *s, double *out)
{
	double v = 0, scale = 1;
	bool digits = false;

	for (; isdigit((unsigned char)*s); s++, digits = true)
		v = v * 10 + (*s - '0');
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s); s++, digits = true)
			v += (*s - '0') * (scale /= 10);
	*out = v;
	return digits ? s : NULL;
}

static int parse_with_units(const char *text, const struct unit *units, double max, double *out)
{
	const char *end = parse_decimal(text, out);

	if (!end)
		return -EINVAL;
	while (*end == ' ')
		end++;
	for (; units->suffix; units++) {
		if (strcasecmp(end, units->suffix) != 0)
			continue;
		*out *= units->factor;
		return *out > max ? -ERANGE : 0;
	}
	return -EINVAL;
}

int units_parse_duration(const char *text, int64_t *out_ns)
{
	static const struct unit units[] = {
	    {"", 1e9},   {"ns", 1},     {"us", 1e3},   {"ms", 1e6},    {"s", 1e9}, {"sec", 1e9},
	    {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}, {NULL, 0},
	};
	double v;
	int err = parse_with_units(text, units, 9.2e18, &v);

	if (!err)
		*out_ns = (int64_t)llround(v);
	return err;
}

int units_parse_size(const char *text, uint64_t *out_bytes)
{
	static const struct unit units[] = {
	    {"", 1},       {"B", 1},        {"K", 0x1p10},   {"KiB", 0x1p10}, {"kB", 1e3},
	    {"M", 0x1p20}, {"MiB", 0x1p20}, {"MB", 1e6},     {"G", 0x1p30},   {"GiB", 0x1p30},
	    {"GB", 1e9},   {"T", 0x1p40},   {"TiB", 0x1p40}, {"TB", 1e12},    {NULL, 0},
	};
	double v;
	int err = parse_with_units(text, units, 0x1p63, &v);

	if (!err)
		*out_bytes = (uint64_t)v;
	return err;
}

/* Three significant digits, so that 1.61 GiB and 16.1 GiB are equally exact. */
static void put_scaled(char *buf, size_t size, const char *sign, double bytes)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	size_t i = 0;
	int decimals;

	while (bytes >= 1023.5 && i + 1 < sizeof(names) / sizeof(names[0])) {
		bytes /= 1024;
		i++;
	}
	decimals = i == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
	snprintf(buf, size, "%s%.*f %s", sign, decimals, bytes, names[i]);
}

char *units_bytes(char buf[UNITS_TEXT_MAX], uint64_t bytes)
{
	put_scaled(buf, UNITS_TEXT_MAX, "", (double)bytes);
	return buf;
}

char *units_bytes_signed(char buf[UNITS_TEXT_MAX], double bytes)
{
	put_scaled(buf, UNITS_TEXT_MAX, bytes < 0 ? "-" : "+", fabs(bytes));
	return buf;
}

char *units_duration(char buf[UNITS_TEXT_MAX], int64_t ns)
{
	int64_t s = (ns + NS_PER_S / 2) / NS_PER_S;

	if (ns < NS_PER_S)
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 " ms", ns / NS_PER_MS);
	else if (ns < 10 * NS_PER_S)
		snprintf(buf, UNITS_TEXT_MAX, "%.1f s", (double)ns / 1e9);
	else if (s < 120)
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 " s", s);
	else if (s < 3600)
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 " min %" PRId64 " s", s / 60, s % 60);
	else if (s < 86400)
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 " h %" PRId64 " min", s / 3600, s / 60 % 60);
	else
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 " d %" PRId64 " h", s / 86400, s / 3600 % 24);
	return buf;
}

char *units_clock(char buf[UNITS_TEXT_MAX], int64_t ms)
{
	int64_t s = ms / MS_PER_S;

	if (s < 10) /* of a short run every moment would be 0:00 */
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 ".%" PRId64 " s", s, ms % MS_PER_S / 100);
	else if (s < 3600)
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
	else
		snprintf(buf, UNITS_TEXT_MAX, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600, s / 60 % 60,
			 s % 60);
	return buf;
}

char *units_count(char buf[UNITS_TEXT_MAX], uint64_t n)
{
	char digits[24];
	char *end = units_put_u64(digits, n), *out = buf;

	for (char *p = digits; p < end; p++) {
		if (p > digits && (end - p) % 3 == 0)
			*out++ = ',';
		*out++ = *p;
	}
	*out = '\0';
	return buf;
}

/* Two digits at a time: a row holds about a hundred of them, and this halves the divisions. */
static const char pairs[] = "0001020304050607080910111213141516171819"
			    "2021222324252627282930313233343536373839"
			    "4041424344454647484950515253545556575859"
			    "6061626364656667686970717273747576777879"
			    "8081828384858687888990919293949596979899";

char *units_put_u64(char *out, uint64_t v)
{
	char tmp[20], *p = tmp + sizeof(tmp);
	size_t n;

	if (v < 10) { /* a third of a row's cells: no swap, no shared memory, few processes */
		*out = (char)('0' + v);
		return out + 1;
	}
	for (; v >= 100; v /= 100) {
		p -= 2;
		memcpy(p, pairs + v % 100 * 2, 2);
	}
	if (v >= 10) {
		p -= 2;
		memcpy(p, pairs + v * 2, 2);
	} else {
		*--p = (char)('0' + v);
	}
	n = (size_t)(tmp + sizeof(tmp) - p);
	memcpy(out, p, n);
	return out + n;
}

char *units_put_milli(char *out, int64_t v)
{
	uint64_t u = v < 0 ? (uint64_t)-v : (uint64_t)v;

	if (v < 0)
		*out++ = '-';
	out = units_put_u64(out, u / 1000);
	u %= 1000;
	*out++ = '.';
	*out++ = (char)('0' + u / 100);
	*out++ = (char)('0' + u / 10 % 10);
	*out++ = (char)('0' + u % 10);
	return out;
}
