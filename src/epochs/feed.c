/* SPDX-License-Identifier: MIT */
/* The files, the relayed streams and the marks of a run, joined to the loop and to one tracker. Knows where lines come
 * from, not what they look like. */
#include "epochs/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "epochs/line_reader.h"
#include "epochs/log_tail.h"
#include "epochs/marks.h"

enum {
	STREAMS = 3,
	TAILS_MAX = 64,
	FOUND_MAX = 64, /* known, so that none is read twice */
	FOUND_OPEN_MAX =
	    8, /* each takes one of the user's 128 inotify instances, which COMMAND may want too */
	CALLS_MAX = 128,
	MARKS_PIECES_MAX = 64, /* of a MiB each, after the end */
};

struct tail {
	struct epoch_feed *feed;
	struct log_tail *log; /* NULL: given up, or none */
	dev_t dev;
	ino_t ino;     /* 0: none */
	int64_t until; /* how far a file that was found is read without an epoch; 0: to the end */
	bool told;     /* it has brought an epoch */
};

struct epoch_feed {
	struct loop *loop;
	struct epochs *epochs;
	struct marks *marks;
	struct line_reader
	    *streams[STREAMS]; /* what COMMAND writes to 1 and 2, where the relay reads along */
	struct tail tails[TAILS_MAX + FOUND_MAX]; /* those that were found come last */
	int count;                                /* of the others */
	struct stat marks_stat;                   /* all 0 without marks */
	struct log_tail *named;                   /* one of them: that of --epochs log:FILE */
	bool shown;                               /* an epoch has been given out: no going back to none */
};

struct epoch_feed *epoch_feed_new(struct loop *loop, int64_t start_ns)
{
	struct epoch_feed *f = xcalloc(1, sizeof(*f));

	f->loop = loop;
	f->epochs = epochs_new(start_ns);
	for (int i = 1; i < STREAMS; i++)
		f->streams[i] = line_reader_new();
	return f;
}

static void close_marks(struct epoch_feed *f)
{
	if (f->marks && marks_fd(f->marks) >= 0)
		loop_remove(f->loop, marks_fd(f->marks));
	marks_close(f->marks);
}

/* The first one that reads a file, or the one after t; NULL when there is none. */
static struct tail *next_tail(struct epoch_feed *f, struct tail *t)
{
	struct tail *end = f->tails + TAILS_MAX + FOUND_MAX;

	for (t = t ? t + 1 : f->tails; t < end; t++)
		if (t->log)
			return t;
	return NULL;
}

static void drop(struct tail *t)
{
	if (!t->log)
		return;
	if (log_tail_fd(t->log) >= 0)
		loop_remove(t->feed->loop, log_tail_fd(t->log));
	log_tail_close(t->log);
	t->log = NULL;
}

void epoch_feed_free(struct epoch_feed *f)
{
	if (!f)
		return;
	for (struct tail *t = NULL; (t = next_tail(f, t));)
		drop(t);
	for (int i = 1; i < STREAMS; i++)
		line_reader_free(f->streams[i]);
	close_marks(f);
	epochs_free(f->epochs);
	free(f);
}

struct epochs *epoch_feed_tracker(struct epoch_feed *f)
{
	return f->epochs;
}

void epoch_feed_bytes(struct epoch_feed *f, int stream, const char *bytes, size_t n, int64_t time_ns)
{
	if (n > 0)
		line_reader_push(f->streams[stream], bytes, n, time_ns, epochs_line, f->epochs);
	else
		line_reader_gap(f->streams[stream]);
}

/* Data that some tool writes, and no log. */
static bool is_exhausted(const struct tail *t)
{
	return t->until > 0 && !t->told && log_tail_offset(t->log) > t->until;
}

/* Its blocks stay on the disk as long as it is held open here. */
static bool is_deleted(const struct tail *t)
{
	struct stat st;

	return t->until > 0 && log_tail_stat(t->log, &st) == 0 && st.st_nlink == 0;
}

/* True when there is more to read at once. */
static bool read_some(struct tail *t, int64_t now_ns)
{
	struct epochs *e = t->feed->epochs;
	int64_t was = epochs_finished(e);
	bool more = log_tail_ready(t->log, now_ns, epochs_line, e) > 0;

	t->told |= epochs_finished(e) > was;
	return more;
}

/* What one call leaves unread wakes nobody, so all is read at once, old output included; bounded because
 * somebody may write faster than this reads. */
static void on_log(void *arg)
{
	struct tail *t = arg;
	int64_t now_ns = clock_mono_ns();
	bool more = t->log != NULL;

	for (int calls = CALLS_MAX; more && calls > 0; calls--) {
		more = read_some(t, now_ns);
		if (is_exhausted(t)) {
			drop(t);
			return;
		}
	}
	if (t->log && !more && is_deleted(t)) {
		drop(t);
		*t = (struct tail){0}; /* the next file may get the same number */
	}
}

/* Standard output and standard error often go to one file: it is read once. */
static bool is_followed(const struct epoch_feed *f, const struct stat *st)
{
	for (const struct tail *t = f->tails; t < f->tails + TAILS_MAX + FOUND_MAX; t++)
		if (t->ino != 0 && t->dev == st->st_dev && t->ino == st->st_ino)
			return true;
	return false;
}

bool epoch_feed_knows(const struct epoch_feed *f, const struct stat *st)
{
	return is_followed(f, st) ||
	       (st->st_ino == f->marks_stat.st_ino && st->st_dev == f->marks_stat.st_dev);
}

static int join_at(struct tail *t, struct tail value)
{
	int err = 0;

	if (log_tail_fd(value.log) >= 0)
		err = loop_add(value.feed->loop, log_tail_fd(value.log), on_log, t);
	if (err) {
		log_tail_close(value.log);
		return err;
	}
	*t = value;
	on_log(t);
	return 0;
}

static int join(struct epoch_feed *f, struct log_tail *log, const struct stat *st)
{
	struct tail value = {.feed = f, .log = log, .dev = st->st_dev, .ino = st->st_ino};
	int err = join_at(&f->tails[f->count], value);

	if (!err)
		f->count++;
	return err;
}

/* Opens it and looks at what was opened: a moment later the path may name another file. 0 with *log NULL: known. */
static int open_unknown(struct epoch_feed *f, const char *path, int64_t from, struct log_tail **log,
			struct stat *st)
{
	int err = log_tail_open(log, path, from);

	if (!err)
		err = log_tail_stat(*log, st);
	else
		*log = NULL;
	if (err || epoch_feed_knows(f, st)) {
		log_tail_close(*log);
		*log = NULL;
	}
	return err;
}

static int follow(struct epoch_feed *f, const char *path, int64_t from)
{
	struct log_tail *log;
	struct stat st;
	int err;

	if (f->count == TAILS_MAX)
		return -EMFILE;
	err = open_unknown(f, path, from, &log, &st);
	return log ? join(f, log, &st) : err;
}

/* One for another file, as long as few are open; else NULL. */
static struct tail *free_slot(struct epoch_feed *f)
{
	struct tail *slot = NULL;
	int open = 0;

	for (struct tail *t = f->tails + TAILS_MAX; t < f->tails + TAILS_MAX + FOUND_MAX; t++) {
		open += t->log != NULL;
		if (t->ino == 0 && !slot)
			slot = t;
	}
	return open < FOUND_OPEN_MAX ? slot : NULL;
}

int epoch_feed_follow_found(struct epoch_feed *f, const char *path, int64_t from)
{
	struct tail *slot = free_slot(f), value = {.feed = f};
	struct stat st;
	int err;

	if (!slot)
		return -EMFILE;
	err = open_unknown(f, path, from, &value.log, &st);
	if (!value.log)
		return err;
	if (st.st_nlink == 0) {
		log_tail_close(value.log);
		return -ENOENT;
	}
	value.dev = st.st_dev;
	value.ino = st.st_ino;
	value.until = log_tail_offset(value.log) + EPOCH_FEED_FOUND_BYTES;
	return join_at(slot, value);
}

int epoch_feed_follow_pid(struct epoch_feed *f, pid_t pid)
{
	int stdout_err = -ENOTSUP;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
		if (follow(f, path, LOGTAIL_WITH_OLD) == 0 && fd == STDOUT_FILENO)
			stdout_err = 0;
	}
	return stdout_err;
}

int epoch_feed_follow_own(struct epoch_feed *f, int fd)
{
	char path[64];
	int flags = fcntl(fd, F_GETFL);
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (flags < 0 || at < 0)
		return -ENOTSUP;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return follow(f, path, flags & O_APPEND ? LOGTAIL_FROM_END : at);
}

int epoch_feed_follow_name(struct epoch_feed *f, const char *path, bool old)
{
	struct stat st = {0};
	struct log_tail *log;
	int err;

	if (f->count == TAILS_MAX)
		return -EMFILE;
	err = log_tail_open_name(&log, path, old ? LOGTAIL_WITH_OLD : LOGTAIL_FROM_END);
	if (err)
		return err;
	if (stat(path, &st) < 0)
		st.st_ino = 0;
	err = join(f, log, &st);
	f->named = err ? NULL : log;
	return err;
}

bool epoch_feed_name_seen(const struct epoch_feed *f)
{
	return f->named && log_tail_seen(f->named);
}

static void take_mark(void *ctx, const struct mark *mark)
{
	struct epoch_feed *f = ctx;

	if (mark->kind == MARK_EPOCH)
		epochs_mark(f->epochs, mark->number, mark->time_ns);
	else
		epochs_label(f->epochs, mark->time_ns);
}

static void on_marks(void *arg)
{
	struct epoch_feed *f = arg;

	marks_ready(f->marks, clock_mono_ns(), take_mark, f);
}

int epoch_feed_open_marks(struct epoch_feed *f, const char **path)
{
	int err = marks_open(&f->marks);

	if (!err && marks_fd(f->marks) >= 0)
		err = loop_add(f->loop, marks_fd(f->marks), on_marks, f);
	if (err) {
		marks_close(f->marks);
		f->marks = NULL;
		return err;
	}
	*path = marks_path(f->marks);
	if (stat(*path, &f->marks_stat) < 0)
		f->marks_stat = (struct stat){0};
	return 0;
}

void epoch_feed_leave_marks(struct epoch_feed *f)
{
	if (f->marks)
		marks_leave(f->marks);
}

void epoch_feed_poll(struct epoch_feed *f)
{
	for (struct tail *t = NULL; (t = next_tail(f, t));)
		on_log(t);
	if (f->marks)
		on_marks(f);
}

void epoch_feed_finish(struct epoch_feed *f, bool clean)
{
	int64_t now_ns = clock_mono_ns();

	for (int i = 1; i < STREAMS; i++)
		line_reader_finish(f->streams[i], now_ns, epochs_line, f->epochs);
	for (int i = 0; f->marks && i < MARKS_PIECES_MAX && marks_ready(f->marks, now_ns, take_mark, f) > 0;
	     i++)
		;
	for (struct tail *t = NULL; (t = next_tail(f, t));)
		log_tail_finish(t->log, now_ns, epochs_line, f->epochs);
	epochs_end_of_output(f->epochs, clean);
}

int64_t epoch_feed_epoch(struct epoch_feed *f)
{
	struct epochs_summary s;

	epochs_summarize(f->epochs, &s);
	if (s.finished >= 0 && !s.buffered)
		f->shown = true;
	return f->shown ? s.finished : -1;
}
