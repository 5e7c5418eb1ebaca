/* SPDX-License-Identifier: MIT */
/* The words of report and compare about files that are damaged or no recordings. Knows no verdicts. */
#include "cmd/recorded.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/msg.h"

enum { LINE_MAX_BYTES = 1024 };

struct recording *recorded_open(const char *file, const char *called, const struct log_request *how)
{
	char why[CSV_WHY_MAX];
	struct recording *r;

	if (recording_open(&r, file, how, why) == 0)
		return r;
	warn("%s: %s", called, why);
	return NULL;
}

/* What is said of one file is one line: its parts, with a separator between them. */
struct line {
	char text[LINE_MAX_BYTES];
	size_t at;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *l, const char *fmt, ...)
{
	va_list ap;

	l->at += (size_t)snprintf(l->text + l->at, sizeof(l->text) - l->at, "%s", l->at ? "; " : "");
	if (l->at >= sizeof(l->text))
		return;
	va_start(ap, fmt);
	l->at += (size_t)vsnprintf(l->text + l->at, sizeof(l->text) - l->at, fmt, ap);
	va_end(ap);
	if (l->at > sizeof(l->text) - 1)
		l->at = sizeof(l->text) - 1;
}

void recorded_tell(const char *called, const struct recording *r, int err, const char *lacking)
{
	const struct csv_reader_damage *d = recording_damage(r);
	struct line l = {.at = 0};
	const char *text;

	if (err)
		add(&l, "%s; judged as far as it could be read", strerror(-err));
	if (d->rows > 0)
		add(&l, "%" PRIu64 " damaged row%s skipped, the first in line %" PRIu64 ": %s", d->rows,
		    d->rows == 1 ? "" : "s", d->first_line, d->what);
	for (int i = 0; (text = recording_note(r, i)); i++)
		add(&l, "%s", text);
	if (lacking)
		warn("%s: %s%s%s", called, lacking, l.at ? ": " : "", l.text);
	else if (err || d->rows > 0)
		warn("%s: %s", called, l.text);
	else if (l.at)
		note("%s: %s", called, l.text);
}
