/* SPDX-License-Identifier: MIT */
/* The words of report and compare about files that are damaged or no recordings. Knows no verdicts. */
#include "cmd/recorded.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/msg.h"

enum { LINE_MAX_BYTES = 1024, WRITER_MS = 1000 };

/* As cat(1) does, it waits for somebody to write to a FIFO; but it says so. -1: it is none. */
static int open_fifo(const char *file, const char *called)
{
	struct pollfd p = {.events = POLLIN};
	struct stat st;

	if (stat(file, &st) != 0 || !S_ISFIFO(st.st_mode))
		return -1;
	p.fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (p.fd >= 0 && poll(&p, 1, WRITER_MS) == 0) {
		note("%s: a FIFO: waiting for somebody to write to it", called);
		poll(&p, 1, -1);
	}
	if (p.fd >= 0)
		fcntl(p.fd, F_SETFL, 0);
	return p.fd;
}

struct recording *recorded_open(const char *file, const char *called, const struct log_request *how)
{
	char why[CSV_WHY_MAX];
	struct recording *r;
	int fifo = open_fifo(file, called);

	if ((fifo >= 0 ? recording_open_fd(&r, fifo, how, why) : recording_open(&r, file, how, why)) == 0)
		return r;
	warn("%s: %s", called, why);
	return NULL;
}

void recorded_refuse_interval(const char *called)
{
	warn("--interval: is for logs without times, and %s has them", called);
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
