/* SPDX-License-Identifier: MIT */
/* What a terminal would obey instead of show. Knows nothing of who shows it. */
#include "base/plain_text.h"

#include <stdarg.h>
#include <stdlib.h>

/* RFC 3629: no overlong forms, no surrogates. */
size_t utf8_length(const char *text)
{
	static const struct {
		unsigned char first, last, low, high;
		size_t n;
	} forms[] = {
	    {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
	    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
	    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};
	const unsigned char *s = (const unsigned char *)text;

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

static uint32_t decode(const char *text, size_t n)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	const unsigned char *s = (const unsigned char *)text;
	uint32_t code = s[0] & first_bits[n];

	for (size_t i = 1; i < n; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

bool plain_is_control(const char *s, size_t n, uint32_t *code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
	    {0x0000, 0x001f}, {0x007f, 0x009f}, /* C0, DEL, C1 */
	    {0x061c, 0x061c}, {0x200e, 0x200f}, /* marks of direction */
	    {0x2028, 0x202e}, {0x2066, 0x2069}, /* separators of lines; embeddings, overrides and isolates */
	};
	uint32_t c = decode(s, n);

	if (code)
		*code = c;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

size_t plain_text_step(char *text)
{
	size_t n = utf8_length(text);
	bool bad = n == 0 || plain_is_control(text, n, NULL);

	n = n ? n : 1;
	for (size_t i = 0; bad && i < n; i++)
		text[i] = '?';
	return n;
}

void plain_text(char *text)
{
	while (*text)
		text += plain_text_step(text);
}

__attribute__((format(printf, 3, 0))) static void put(FILE *out, const char *end, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	plain_text(text);
	fputs(text, out);
	fputs(end, out);
	free(text);
}

void plain_line(FILE *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(out, "\n", fmt, ap);
	va_end(ap);
}

void plain_part(FILE *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(out, "", fmt, ap);
	va_end(ap);
}
