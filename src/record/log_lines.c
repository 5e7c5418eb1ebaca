/* SPDX-License-Identifier: MIT */
/* A line may be any bytes: what a program printed between two samples, a block of NULs after a crash. */
#include "record/log_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escapes.h"
#include "base/xalloc.h"

enum { STEP = 64 * 1024, LONGEST = 1024 * 1024 };

void log_lines_open(struct log_lines *l, int fd, const char *head, size_t n)
{
	static const char mark[] = "\xef\xbb\xbf";

	*l = (struct log_lines){.fd = fd, .size = n + STEP, .end = n};
	l->buf = xcalloc(1, l->size);
	memcpy(l->buf, head, n);
	if (n >= 3 && memcmp(head, mark, 3) == 0)
		l->at = 3;
}

void log_lines_close(struct log_lines *l)
{
	free(l->buf);
	l->buf = NULL;
}

/* 1, 0 when nothing came, or -errno. One byte is left for a NUL. */
static int fill(struct log_lines *l)
{
	ssize_t n;

	if (l->ended)
		return 0;
	memmove(l->buf, l->buf + l->at, l->end - l->at);
	l->end -= l->at;
	l->at = 0;
	if (l->end + STEP > l->size) {
		l->size = l->end + STEP;
		l->buf = xrealloc(l->buf, l->size, 1);
	}
	do
		n = read(l->fd, l->buf + l->end, l->size - l->end - 1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	l->ended = n == 0;
	l->end += (size_t)n;
	return n > 0;
}

static char *clean(char *line)
{
	struct escapes escapes = {0};
	char *out, *start;
	size_t n = strlen(line);

	while (n > 0 && line[n - 1] == '\r')
		line[--n] = '\0';
	start = strrchr(line, '\r');
	start = start ? start + 1 : line;
	out = start;
	for (const char *p = start; *p; p++)
		if (escapes_take(&escapes, *p) == ESCAPES_IS_TEXT)
			*out++ = *p;
	*out = '\0';
	return start;
}

/* Drops what there is of a line that never ends, up to the next one. */
static int skip_long(struct log_lines *l)
{
	char *nl = NULL;
	int rc = 1;

	while (rc > 0 && !nl) {
		l->at = l->end;
		rc = fill(l);
		nl = rc > 0 ? memchr(l->buf, '\n', l->end) : NULL;
	}
	if (nl)
		l->at = (size_t)(nl - l->buf) + 1;
	return rc < 0 ? rc : LINES_LONG;
}

int log_lines_next(struct log_lines *l, char **line)
{
	char *nl;
	size_t n;
	int rc = 1;

	l->number++;
	while (!(nl = memchr(l->buf + l->at, '\n', l->end - l->at)) && rc > 0) {
		if (l->end - l->at > LONGEST)
			return skip_long(l);
		rc = fill(l);
	}
	if (rc < 0)
		return rc;
	if (!nl && l->at == l->end)
		return LINES_END;
	*line = l->buf + l->at;
	n = nl ? (size_t)(nl - *line) : l->end - l->at;
	l->at += n + (nl != NULL);
	(*line)[n] = '\0';
	if (strlen(*line) != n)
		return LINES_NUL;
	*line = clean(*line);
	return nl ? LINES_LINE : LINES_CUT_OFF;
}
