/* SPDX-License-Identifier: MIT */
/* Commas, quotes and numbers of JSON. Knows nothing of reports. */
#include "base/json_out.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* Length of the UTF-8 sequence at s (RFC 3629: no overlong forms, no surrogates); 0 when it is none. */
static size_t utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, low, high;
		size_t n;
	} forms[] = {
	    {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
	    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
	    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (*s < forms[i].first || *s > forms[i].last)
			continue;
		if (forms[i].n > 1 && (s[1] < forms[i].low || s[1] > forms[i].high))
			return 0;
		for (size_t k = 2; k < forms[i].n; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].n;
	}
	return 0;
}

static void put_char(FILE *f, const unsigned char *s, size_t n)
{
	if (n == 0)
		fputs("\\ufffd", f);
	else if (*s == '"' || *s == '\\')
		fprintf(f, "\\%c", *s);
	else if (*s == '\n')
		fputs("\\n", f);
	else if (*s == '\t')
		fputs("\\t", f);
	else if (*s < 0x20 || *s == 0x7f)
		fprintf(f, "\\u%04x", *s);
	else
		fwrite(s, 1, n, f);
}

static void put_string(FILE *f, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', f);
	while (*s) {
		size_t n = utf8_length(s);

		put_char(f, s, n);
		s += n ? n : 1;
	}
	fputc('"', f);
}

static void begin(struct json_out *j, const char *name)
{
	if (j->comma)
		fputc(',', j->f);
	j->comma = true;
	if (name) {
		put_string(j->f, name);
		fputc(':', j->f);
	}
}

void json_open(struct json_out *j, const char *name, char bracket)
{
	begin(j, name);
	fputc(bracket, j->f);
	j->comma = false;
}

void json_close(struct json_out *j, char bracket)
{
	fputc(bracket, j->f);
	j->comma = true;
}

void json_string(struct json_out *j, const char *name, const char *text)
{
	if (!text) {
		json_null(j, name);
		return;
	}
	begin(j, name);
	put_string(j->f, text);
}

void json_int(struct json_out *j, const char *name, int64_t v)
{
	begin(j, name);
	fprintf(j->f, "%lld", (long long)v);
}

/* By hand, since printf's decimal point is the locale's. */
void json_real(struct json_out *j, const char *name, double v)
{
	char text[64], *end;

	if (!isfinite(v)) {
		json_null(j, name);
		return;
	}
	begin(j, name);
	if (fabs(v) >= 9e15) {
		fprintf(j->f, "%.0f", v);
		return;
	}
	end = units_put_milli(text, llround(v * 1000));
	while (end[-1] == '0')
		end--;
	if (end[-1] == '.')
		end--;
	fwrite(text, 1, (size_t)(end - text), j->f);
}

void json_bool(struct json_out *j, const char *name, bool v)
{
	begin(j, name);
	fputs(v ? "true" : "false", j->f);
}

void json_null(struct json_out *j, const char *name)
{
	begin(j, name);
	fputs("null", j->f);
}

void json_int_if(struct json_out *j, const char *name, bool known, int64_t v)
{
	if (known)
		json_int(j, name, v);
	else
		json_null(j, name);
}

void json_real_if(struct json_out *j, const char *name, bool known, double v)
{
	if (known)
		json_real(j, name, v);
	else
		json_null(j, name);
}
