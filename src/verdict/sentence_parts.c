/* SPDX-License-Identifier: MIT */
/* The pieces that all sentences are made of. Knows nothing of verdicts. */
#include "verdict/sentence_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/units.h"

void text_add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->at, SENTENCE_MAX - t->at, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->at += (size_t)n;
	if (t->at >= SENTENCE_MAX)
		t->at = SENTENCE_MAX - 1;
}

void text_bytes(struct text *t, double bytes)
{
	char b[UNITS_TEXT_MAX];

	text_add(t, "%s", units_bytes(b, bytes > 0 ? (uint64_t)llround(bytes) : 0));
}

void text_epochs(struct text *t, int64_t n)
{
	char b[UNITS_TEXT_MAX];

	text_add(t, "%s epoch%s", units_count(b, (uint64_t)n), n == 1 ? "" : "s");
}

void text_duration(struct text *t, double seconds)
{
	char b[UNITS_TEXT_MAX];

	text_add(t, "%s", units_duration(b, (int64_t)(seconds * 1e9)));
}
