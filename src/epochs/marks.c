/* SPDX-License-Identifier: MIT */
/* The marks file. A regular file and not a FIFO: appending to it never blocks, fails or raises SIGPIPE,
 * whether or not memwatch is still there, and every language can do it. Knows nothing of what is done with
 * marks. */
#include "epochs/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "epochs/line_reader.h"

enum {
	KEY_BYTES = 16,
	RESERVED_BYTES = 64 * 1024,
	PIECE_BYTES = 1024 * 1024, /* read at one go: whoever fills the file must not stop the sampling */
};

struct marks {
	int fd, inotify;
	off_t offset;  /* read so far */
	off_t punched; /* and given back to the disk */
	char *dir, *path;
	int dir_fd;
	bool stays;
	struct line_reader *reader;
};

struct sink {
	mark_fn *fn;
	void *ctx;
};

/* Room for a number of marks is taken now: a disk that is full is noticed here and not by COMMAND. */
static int reserve(int fd)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < RESERVED_BYTES)
		return -EFBIG;
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED_BYTES) == 0)
		return 0;
	if (errno == ENOSPC || errno == EDQUOT)
		return -errno;
	/* A file system that reserves nothing: one byte tells as much as it can. */
	return pwrite(fd, "\n", 1, 0) == 1 && ftruncate(fd, 0) == 0 ? 0 : -ENOSPC;
}

static int random_name(char hex[2 * KEY_BYTES + 1])
{
	unsigned char key[KEY_BYTES];

	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key))
		return -EAGAIN;
	for (size_t i = 0; i < sizeof(key); i++)
		snprintf(hex + 2 * i, 3, "%02x", key[i]);
	return 0;
}

/* COMMAND may become another user, so anybody may append who knows the name; nobody can list, guess or read it. */
static int create_file(const char *dir, char **path)
{
	char hex[2 * KEY_BYTES + 1], *name;
	int fd, err = random_name(hex);

	if (err)
		return err;
	name = xasprintf("%s/%s", dir, hex);
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	err = fd >= 0 && fchmod(fd, 0622) == 0 ? reserve(fd) : -errno;
	if (!err) {
		*path = name;
		return fd;
	}
	if (fd >= 0) {
		close(fd);
		unlink(name);
	}
	free(name);
	return err;
}

/* A directory of its own: in one that all may write to, the kernel lets nobody but the owner append by way of O_CREAT
 * (fs.protected_regular), and that is how every language appends. */
static int create_below(const char *parent, struct marks *m)
{
	m->dir = xasprintf("%s/memwatch-XXXXXX", parent);
	if (!mkdtemp(m->dir)) {
		m->fd = -errno;
	} else {
		m->fd = chmod(m->dir, 0711) == 0 ? create_file(m->dir, &m->path) : -errno;
		if (m->fd >= 0)
			return 0;
		rmdir(m->dir);
	}
	free(m->dir);
	return m->fd < 0 ? m->fd : -EIO;
}

/* Can any user pass through all of this path? */
static bool all_may_pass(const char *path)
{
	char part[PATH_MAX];
	struct stat st;

	for (const char *end = path; *end; end += strspn(end, "/")) {
		end += strcspn(end, "/");
		snprintf(part, sizeof(part), "%.*s/", (int)(end - path), path);
		if (stat(part, &st) < 0 || !(st.st_mode & S_IXOTH))
			return false;
	}
	return true;
}

/* First where every user can get at it: a home or a runtime directory is mostly closed to others. */
static int create(struct marks *m)
{
	const char *const dirs[] = {getenv("TMPDIR"), "/tmp", "/dev/shm", getenv("XDG_RUNTIME_DIR")};
	enum { DIRS = sizeof(dirs) / sizeof(dirs[0]) };
	int err = -ENOENT;

	for (size_t i = 0; err && i < 2 * (size_t)DIRS; i++) {
		const char *dir = dirs[i % DIRS];

		if (dir && dir[0] == '/' && all_may_pass(dir) == (i < DIRS))
			err = create_below(dir, m);
	}
	return err;
}

/* systemd-tmpfiles removes what is old, but not from a directory that is locked: a training may take weeks. */
static int lock_directory(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		flock(fd, LOCK_EX | LOCK_NB);
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
	struct marks *m = xcalloc(1, sizeof(*m));
	int err = create(m);

	if (err) {
		free(m);
		return err;
	}
	m->dir_fd = lock_directory(m->dir);
	m->inotify = watch_file(m->path);
	m->reader = line_reader_new();
	*out = m;
	return 0;
}

void marks_remove(const char *path)
{
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
	if (unlink(path) == 0)
		rmdir(dir);
}

void marks_close(struct marks *m)
{
	if (!m)
		return;
	if (!m->stays)
		marks_remove(m->path);
	close(m->fd);
	fds_close(&m->dir_fd);
	fds_close(&m->inotify);
	line_reader_free(m->reader);
	free(m->path);
	free(m->dir);
	free(m);
}

void marks_leave(struct marks *m)
{
	m->stays = m->offset > 0;
}

const char *marks_path(const struct marks *m)
{
	return m->path;
}

int marks_fd(const struct marks *m)
{
	return m->inotify;
}

static bool parse_mark(const struct text_line *line, struct mark *out)
{
	struct scan s = {line->text, line->text + line->len};

	*out = (struct mark){MARK_EPOCH, -1, line->time_ns};
	while (s.end > s.p && s.end[-1] == ' ')
		s.end--;
	scan_spaces(&s);
	if (scan_text(&s, "epoch"))
		return s.p == s.end || (scan_spaces(&s) && scan_number(&s, &out->number) && s.p == s.end);
	if (!scan_text(&s, "mark") || (s.p < s.end && !scan_spaces(&s)))
		return false;
	out->kind = MARK_LABEL;
	return true;
}

static void tell_line(void *ctx, const struct text_line *line)
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

/* What has been read takes no room any more, however long the run. */
static void give_back(struct marks *m)
{
	off_t upto = m->offset - m->offset % PIECE_BYTES;

	if (upto <= m->punched)
		return;
	fallocate(m->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, m->punched, upto - m->punched);
	m->punched = upto;
}

int marks_ready(struct marks *m, int64_t now_ns, mark_fn *fn, void *ctx)
{
	struct sink sink = {fn, ctx};
	char buf[4096];
	struct stat st;
	ssize_t n = 0;
	off_t upto;

	drain(m->inotify);
	/* ">" instead of ">>" in a script empties the file first. */
	if (fstat(m->fd, &st) == 0 && st.st_size < m->offset)
		m->offset = m->punched = 0;
	upto = m->offset + PIECE_BYTES;
	while (m->offset < upto && (n = pread(m->fd, buf, sizeof(buf), m->offset)) > 0) {
		m->offset += n;
		line_reader_push(m->reader, buf, (size_t)n, now_ns, tell_line, &sink);
	}
	if (n < 0)
		return -errno;
	give_back(m);
	return n > 0;
}
