/* SPDX-License-Identifier: MIT */
/* Commas, quotes and numbers of JSON. Knows nothing of reports. */
#include "base/json_out.h"

#include <math.h>
#include <string.h>

#include "base/plain_text.h"
#include "base/units.h"

static void put_char(FILE *f, const char *s, size_t n)
{
	uint32_t code;

	if (n == 0)
		fputs("\\ufffd", f);
	else if (*s == '"' || *s == '\\')
		fprintf(f, "\\%c", *s);
	else if (*s == '\n')
		fputs("\\n", f);
	else if (*s == '\t')
		fputs("\\t", f);
	else if (plain_is_control(s, n, &code)) /* a terminal may be the reader */
		fprintf(f, "\\u%04x", (unsigned)code);
	else
		fwrite(s, 1, n, f);
}

static void put_string(FILE *f, const char *s)
{
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
