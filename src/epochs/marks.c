/* SPDX-License-Identifier: MIT */
/* The marks file. A regular file and not a FIFO: appending to it never blocks, fails or raises SIGPIPE,
 * whether or not memwatch is still there, and every language can do it. Knows nothing of what is done with
 * marks. */
#include "epochs/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "epochs/line_reader.h"

struct marks {
	int fd, inotify;
	off_t offset;
	char *path;
	struct line_reader *reader;
};

struct sink {
	mark_fn *fn;
	void *ctx;
};

static int create_in(const char *dir, char **path)
{
	int fd;

	if (!dir || dir[0] != '/')
		return -ENOENT;
	*path = xasprintf("%s/memwatch-marks-XXXXXX", dir);
	fd = mkostemp(*path, O_CLOEXEC | O_APPEND);
	if (fd >= 0)
		return fd;
	fd = -errno;
	free(*path);
	*path = NULL;
	return fd;
}

static int create_file(char **path)
{
	const char *const dirs[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
	int fd = -ENOENT;

	for (size_t i = 0; fd < 0 && i < sizeof(dirs) / sizeof(dirs[0]); i++)
		fd = create_in(dirs[i], path);
	return fd;
}

static int watch_file(const char *path)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd >= 0 && inotify_add_watch(fd, path, IN_MODIFY) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int marks_open(struct marks **out)
{
	char *path = NULL;
	int fd = create_file(&path);
	struct marks *m;

	if (fd < 0)
		return fd;
	m = xcalloc(1, sizeof(*m));
	m->fd = fd;
	m->path = path;
	m->inotify = watch_file(path);
	m->reader = line_reader_new();
	*out = m;
	return 0;
}

void marks_close(struct marks *m)
{
	if (!m)
		return;
	unlink(m->path);
	close(m->fd);
	if (m->inotify >= 0)
		close(m->inotify);
	line_reader_free(m->reader);
	free(m->path);
	free(m);
}

const char *marks_path(const struct marks *m)
{
	return m->path;
}

int marks_fd(const struct marks *m)
{
	return m->inotify;
}

static bool parse_mark(const struct line *line, struct mark *out)
{
	struct scan s = {line->text, line->text + line->len};

	*out = (struct mark){MARK_EPOCH, -1, "", line->time_ns};
	while (s.end > s.p && s.end[-1] == ' ')
		s.end--;
	scan_spaces(&s);
	if (scan_text(&s, "epoch"))
		return s.p == s.end || (scan_spaces(&s) && scan_number(&s, &out->number) && s.p == s.end);
	if (!scan_text(&s, "mark") || (s.p < s.end && !scan_spaces(&s)))
		return false;
	out->kind = MARK_LABEL;
	out->label = s.p;
	return true;
}

static void tell_line(void *ctx, const struct line *line)
{
	const struct sink *sink = ctx;
	struct mark mark;

	if (line->end == LINE_ENDED && parse_mark(line, &mark))
		sink->fn(sink->ctx, &mark);
}

static void drain(int fd)
{
	char events[4096];

	while (fd >= 0 && read(fd, events, sizeof(events)) > 0)
		;
}

int marks_ready(struct marks *m, int64_t now_ns, mark_fn *fn, void *ctx)
{
	struct sink sink = {fn, ctx};
	char buf[4096];
	struct stat st;
	ssize_t n;

	drain(m->inotify);
	/* ">" instead of ">>" in a script empties the file first. */
	if (fstat(m->fd, &st) == 0 && st.st_size < m->offset)
		m->offset = 0;
	while ((n = pread(m->fd, buf, sizeof(buf), m->offset)) > 0) {
		m->offset += n;
		line_reader_push(m->reader, buf, (size_t)n, now_ns, tell_line, &sink);
	}
	return n < 0 ? -errno : 0;
}
