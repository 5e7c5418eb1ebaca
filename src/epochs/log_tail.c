/* SPDX-License-Identifier: MIT */
/* A growing regular file, followed by inotify and read. Truncation begins it anew; a new file under the same
 * name takes its place if the name is followed. Knows lines, not what they say. */
#include "epochs/log_tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

enum {
	READ_BYTES = 1 << 16,
	CALL_BYTES = 1 << 20,
	OLD_BYTES = 64 << 20, /* more would only count fits of days ago */
	FILE_EVENTS = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF,
	DIR_EVENTS = IN_CREATE | IN_MOVED_TO,
};

struct log_tail {
	int fd;      /* -1 while the name stands for nothing */
	int inotify; /* -1: the caller polls */
	int file_wd, dir_wd;
	bool by_name;
	bool renewed; /* the name may stand for another file now */
	char *path;
	int64_t offset;
	int64_t old_until; /* what lies before was there when watching began */
	struct line_reader *reader;
	char buf[READ_BYTES];
};

static int open_regular(const char *path)
{
	struct stat st;
	int fd;

	/* Looked at first: opening a FIFO or a device may do something. */
	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOTSUP;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

/* The open descriptor is watched and not the name, which may already stand for another file. */
static void watch_file(struct log_tail *t)
{
	char self[64];

	if (t->inotify < 0)
		return;
	if (t->file_wd >= 0)
		inotify_rm_watch(t->inotify, t->file_wd);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", t->fd);
	t->file_wd = inotify_add_watch(t->inotify, self, FILE_EVENTS);
}

static void watch_dir(struct log_tail *t)
{
	const char *slash = strrchr(t->path, '/');
	char *dir;

	if (t->inotify < 0 || t->dir_wd >= 0)
		return;
	dir = slash ? xasprintf("%.*s/", (int)(slash - t->path), t->path) : xstrdup(".");
	t->dir_wd = inotify_add_watch(t->inotify, dir, DIR_EVENTS);
	free(dir);
}

static void unwatch_dir(struct log_tail *t)
{
	if (t->dir_wd >= 0)
		inotify_rm_watch(t->inotify, t->dir_wd);
	t->dir_wd = -1;
}

static void start_at(struct log_tail *t, int64_t from)
{
	struct stat st;
	int64_t size = fstat(t->fd, &st) == 0 ? st.st_size : 0;

	t->old_until = from == LOGTAIL_WITH_OLD ? size : 0;
	t->offset = from;
	if (from == LOGTAIL_FROM_END)
		t->offset = size;
	if (from == LOGTAIL_WITH_OLD)
		t->offset = size > OLD_BYTES ? size - OLD_BYTES : 0;
}

static struct log_tail *tail_new(const char *path, bool by_name)
{
	struct log_tail *t = xcalloc(1, sizeof(*t));

	t->fd = -1;
	t->file_wd = t->dir_wd = -1;
	t->by_name = by_name;
	t->path = xstrdup(path);
	t->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	t->reader = line_reader_new();
	return t;
}

int log_tail_open(struct log_tail **out, const char *path, int64_t from)
{
	int fd = open_regular(path);

	if (fd < 0)
		return fd;
	*out = tail_new(path, false);
	(*out)->fd = fd;
	watch_file(*out);
	start_at(*out, from);
	return 0;
}

int log_tail_open_name(struct log_tail **out, const char *path, int64_t from)
{
	int err = log_tail_open(out, path, from);

	if (err == 0) {
		(*out)->by_name = true;
		return 0;
	}
	if (err != -ENOENT)
		return err;
	*out = tail_new(path, true);
	watch_dir(*out);
	if ((*out)->dir_wd < 0 && (*out)->inotify >= 0) {
		log_tail_close(*out);
		return -ENOENT;
	}
	(*out)->renewed = true;
	return 0;
}

void log_tail_close(struct log_tail *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	if (t->inotify >= 0)
		close(t->inotify);
	line_reader_free(t->reader);
	free(t->path);
	free(t);
}

bool log_tail_seen(const struct log_tail *t)
{
	return t->fd >= 0;
}

int64_t log_tail_offset(const struct log_tail *t)
{
	return t->offset;
}

int log_tail_stat(const struct log_tail *t, struct stat *st)
{
	return fstat(t->fd, st) < 0 ? -errno : 0;
}

int log_tail_fd(const struct log_tail *t)
{
	return t->inotify;
}

static void drain(struct log_tail *t)
{
	_Alignas(struct inotify_event) char events[4096];
	ssize_t n;

	while (t->inotify >= 0 && (n = read(t->inotify, events, sizeof(events))) > 0)
		for (char *p = events; p < events + n;) {
			const struct inotify_event *ev = (const struct inotify_event *)p;

			if (ev->wd == t->dir_wd || (ev->wd == t->file_wd && ev->mask & ~(uint32_t)IN_MODIFY))
				t->renewed = true;
			p += sizeof(*ev) + ev->len;
		}
}

/* The file has become shorter than what was read: it was emptied and begins anew. A program that goes on
 * writing where it was leaves a hole in front, which is not read. */
static bool restart_if_truncated(struct log_tail *t, int64_t now_ns, line_fn *fn, void *ctx)
{
	struct stat st;
	off_t data;

	if (fstat(t->fd, &st) < 0 || st.st_size >= t->offset)
		return false;
	line_reader_finish(t->reader, now_ns, fn, ctx);
	data = lseek(t->fd, 0, SEEK_DATA);
	t->offset = data > 0 ? data : 0;
	t->old_until = 0;
	return true;
}

/* Reads up to CALL_BYTES. 1: there may be more; 0: all read; -errno. */
static int read_more(struct log_tail *t, int64_t now_ns, line_fn *fn, void *ctx)
{
	size_t left = CALL_BYTES;

	while (left > 0) {
		bool old = t->offset < t->old_until;
		size_t want = old && t->old_until - t->offset < READ_BYTES
				  ? (size_t)(t->old_until - t->offset)
				  : READ_BYTES;
		ssize_t n = pread(t->fd, t->buf, want, t->offset);

		if (n < 0)
			return errno == EINTR || errno == EAGAIN ? 1 : -errno;
		if (n == 0) {
			if (!restart_if_truncated(t, now_ns, fn, ctx))
				return 0;
			continue;
		}
		t->offset += n;
		left -= (size_t)n < left ? (size_t)n : left;
		line_reader_push(t->reader, t->buf, (size_t)n, old ? LINE_TIME_UNKNOWN : now_ns, fn, ctx);
	}
	return 1;
}

static bool is_same_file(int fd, const struct stat *named)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == named->st_dev && st.st_ino == named->st_ino;
}

/* The old file has been read to its end: does the name stand for another one by now? True when it does. */
static bool reopen(struct log_tail *t, int64_t now_ns, line_fn *fn, void *ctx)
{
	struct stat st;
	int fd;

	t->renewed = false;
	if (stat(t->path, &st) < 0) {
		watch_dir(t);
		/* It may have come between the look and the watch. */
		if (stat(t->path, &st) < 0)
			return false;
	}
	if (is_same_file(t->fd, &st)) {
		unwatch_dir(t);
		return false;
	}
	fd = open_regular(t->path);
	if (fd < 0)
		return false;
	line_reader_finish(t->reader, now_ns, fn, ctx);
	if (t->fd >= 0)
		close(t->fd);
	t->fd = fd;
	t->offset = 0;
	t->old_until = 0;
	watch_file(t);
	unwatch_dir(t);
	return true;
}

int log_tail_ready(struct log_tail *t, int64_t now_ns, line_fn *fn, void *ctx)
{
	int64_t before = t->offset;
	int more = 0;

	drain(t);
	if (t->fd >= 0)
		more = read_more(t, now_ns, fn, ctx);
	if (more != 0 || !t->by_name || (!t->renewed && t->fd >= 0 && t->offset != before))
		return more;
	return reopen(t, now_ns, fn, ctx) ? read_more(t, now_ns, fn, ctx) : 0;
}

void log_tail_finish(struct log_tail *t, int64_t now_ns, line_fn *fn, void *ctx)
{
	/* Bounded: somebody else may go on writing to the same file. */
	for (int calls = OLD_BYTES / CALL_BYTES; calls > 0 && log_tail_ready(t, now_ns, fn, ctx) > 0; calls--)
		;
	line_reader_finish(t->reader, now_ns, fn, ctx);
}
