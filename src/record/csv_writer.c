/* SPDX-License-Identifier: MIT */
/* Rows formatted without fprintf, since each tick has one, and written one by one. A full disk
 * loses rows, never the run: the next row is tried again, and no half row stays in a regular file. */
#include "record/csv_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "record/csv_columns.h"

enum {
	CELL_MAX = 24, /* 20 digits of a u64, a sign, a comma */
	ROW_MAX = (CSV_FIELDS + CH_MAX) * CELL_MAX,
	GPUS_HERE = '\t',        /* in a row that is delayed */
	DELAYED_MAX = 64 * 1024, /* rows kept while the GPU driver starts: over a minute at 200 ms */
};

struct csv_writer {
	int fd;
	bool regular;
	bool may_lose;     /* see csv_writer_pipe */
	off_t whole_bytes; /* the rows that are complete */
	enum csv_trouble trouble;
	int error;
	uint64_t lost;
	int gpu_columns; /* -1: not known yet */
	char *header;    /* until it has been written */
	char *delayed;
	size_t delayed_len;
	int signal_fd; /* see csv_writer_interruptible */
	bool (*interrupted)(void *arg);
	void *arg;
	char row[ROW_MAX];
};

/* Only what memwatch wrote is overwritten without being asked to. */
static int check_content(int fd)
{
	const char *first = csv_fields[0].name;
	char head[CHANNEL_NAME_MAX];
	size_t len = strlen(first);
	ssize_t n = pread(fd, head, len + 1, 0);

	if (n == 0)
		return 0;
	return n == (ssize_t)len + 1 && memcmp(head, first, len) == 0 && head[len] == ',' ? 0 : -EEXIST;
}

/* Two that write to one file would cut each other's rows to pieces. The lock goes with the descriptor, whatever ends
 * memwatch; where a file system has none (some NFS: ENOLCK, EOPNOTSUPP) there is nothing to ask. */
static int take_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? -EWOULDBLOCK : 0;
}

static int open_named(const char *name, bool force, int *out_fd)
{
	struct stat st;
	int access = stat(name, &st) == 0 && !S_ISREG(st.st_mode) ? O_WRONLY : O_RDWR;
	int fd, err = outfile_open(name, access, &fd);

	if (err)
		return err;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		err = force ? 0 : check_content(fd);
		err = err ? err : take_lock(fd);
		if (err) {
			close(fd);
			return err;
		}
	}
	*out_fd = fd;
	return 0;
}

int csv_writer_open(const char *name, bool force, struct csv_writer **out)
{
	struct csv_writer *o;
	struct stat st;
	int fd = -1, err;

	if (strcmp(name, "-") == 0) {
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		err = fd < 0 ? -errno : 0;
	} else {
		err = open_named(name, force, &fd);
	}
	if (err)
		return err;
	o = xcalloc(1, sizeof(*o));
	o->fd = fd;
	o->gpu_columns = -1;
	/* Standard output may be a file that others append to: its half rows cannot be cut off safely. */
	o->regular = strcmp(name, "-") != 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	*out = o;
	return 0;
}

struct csv_writer *csv_writer_pipe(int fd)
{
	struct csv_writer *o = xcalloc(1, sizeof(*o));

	o->fd = fd;
	o->gpu_columns = -1;
	o->may_lose = true;
	return o;
}

static void fail(struct csv_writer *o, int error)
{
	o->trouble = error == EPIPE ? CSV_READER_GONE : CSV_CANNOT_WRITE;
	o->error = error;
	if (!o->regular)
		return;
	if (ftruncate(o->fd, o->whole_bytes) == 0)
		lseek(o->fd, o->whole_bytes, SEEK_SET);
}

/* False: given up. POLLOUT on a pipe is room for PIPE_BUF bytes: a write of no more than that does not block. An
 * error is write(2)'s to name. */
static bool wait_for_room(struct csv_writer *o)
{
	struct pollfd fds[] = {{.fd = o->fd, .events = POLLOUT}, {.fd = o->signal_fd, .events = POLLIN}};

	while (!o->regular && o->interrupted) {
		int n = poll(fds, 2, -1);

		if (fds[0].revents || (n < 0 && errno != EINTR))
			break;
		if (n > 0 && o->interrupted(o->arg)) {
			o->trouble = CSV_GIVEN_UP;
			return false;
		}
	}
	return true;
}

/* A short write happens at the edge of a full disk, on pipes and on terminals. */
static bool put(struct csv_writer *o, const char *data, size_t len)
{
	size_t done = 0;

	while (done < len) {
		size_t part = o->regular || len - done < PIPE_BUF ? len - done : PIPE_BUF;
		ssize_t n;

		if (!wait_for_room(o))
			return false;
		n = write(o->fd, data + done, part);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN && o->may_lose)
			return false;
		if (n < 0) {
			fail(o, errno);
			return false;
		}
		done += (size_t)n;
	}
	o->whole_bytes += (off_t)len;
	o->trouble = CSV_FINE;
	return true;
}

/* A header that met a full disk comes before the first row that fits. */
static void put_row(struct csv_writer *o, const char *row, size_t len)
{
	bool hopeless = o->trouble == CSV_READER_GONE || (o->trouble && !o->regular);

	if (!hopeless && o->header && put(o, o->header, strlen(o->header))) {
		free(o->header);
		o->header = NULL;
	}
	if (hopeless || o->header || !put(o, row, len))
		o->lost += len > 0;
}

static char *put_reading(char *p, struct reading r)
{
	return r.ok ? units_put_u64(p, r.bytes) : p;
}

/* Those before or behind the GPUs' columns, each but the first behind a comma. */
static char *put_fields(char *p, const struct sample *s, bool behind_gpus)
{
	for (const struct csv_field *f = csv_fields; f < csv_fields + CSV_FIELDS; f++) {
		struct reading r;

		if (f->behind_gpus != behind_gpus)
			continue;
		if (f != csv_fields)
			*p++ = ',';
		r = csv_field_reading(f, s);
		p = f->kind == CSV_MILLI && r.ok ? units_put_milli(p, (int64_t)r.bytes) : put_reading(p, r);
	}
	return p;
}

static char *put_gpus(char *p, const struct csv_writer *o, const struct sample *s)
{
	for (int i = 0; i < o->gpu_columns; i++) {
		*p++ = ',';
		if (CH_HOST_COUNT + i < s->n)
			p = put_reading(p, s->v[CH_HOST_COUNT + i]);
	}
	return p;
}

/* A row more than there is room for ends the waiting. */
static void hold_back(struct csv_writer *o, const char *row, size_t len)
{
	if (!o->delayed)
		o->delayed = xcalloc(1, DELAYED_MAX + ROW_MAX);
	memcpy(o->delayed + o->delayed_len, row, len);
	o->delayed_len += len;
	if (o->delayed_len > DELAYED_MAX)
		csv_writer_columns(o, NULL, 0);
}

void csv_writer_row(struct csv_writer *o, const struct sample *s)
{
	char *p = put_fields(o->row, s, false);

	if (o->gpu_columns < 0)
		*p++ = GPUS_HERE;
	p = put_gpus(p, o, s);
	p = put_fields(p, s, true);
	*p++ = '\n';
	if (o->gpu_columns < 0)
		hold_back(o, o->row, (size_t)(p - o->row));
	else
		put_row(o, o->row, (size_t)(p - o->row));
}

/* Rows from before the GPUs were known have empty cells for them. */
static void release_delayed(struct csv_writer *o)
{
	const char *row = o->delayed, *end = row ? row + o->delayed_len : NULL;

	while (row && row < end) {
		const char *gpus = memchr(row, GPUS_HERE, (size_t)(end - row));
		const char *next = (const char *)memchr(gpus, '\n', (size_t)(end - gpus)) + 1;
		char *p = mempcpy(o->row, row, (size_t)(gpus - row));

		memset(p, ',', (size_t)o->gpu_columns);
		p += o->gpu_columns;
		p = mempcpy(p, gpus + 1, (size_t)(next - gpus - 1));
		put_row(o, o->row, (size_t)(p - o->row));
		row = next;
	}
	free(o->delayed);
	o->delayed = NULL;
}

static char *put_names(char *p, bool behind_gpus)
{
	for (const struct csv_field *f = csv_fields; f < csv_fields + CSV_FIELDS; f++)
		if (f->behind_gpus == behind_gpus)
			p += sprintf(p, "%s%s", f == csv_fields ? "" : ",", f->name);
	return p;
}

static char *header_of(const struct channel *gpu, int count)
{
	char *header = xcalloc((size_t)(CSV_FIELDS + count), CHANNEL_NAME_MAX + 1),
	     *p = put_names(header, false);

	for (int i = 0; i < count; i++)
		p += sprintf(p, ",%s", gpu[i].name);
	p = put_names(p, true);
	*p = '\n';
	return header;
}

void csv_writer_columns(struct csv_writer *o, const struct channel *gpu, int count)
{
	if (o->gpu_columns >= 0)
		return;
	if (o->regular && ftruncate(o->fd, 0) != 0)
		fail(o, errno);
	o->gpu_columns = count;
	o->header = header_of(gpu, count);
	put_row(o, "", 0);
	release_delayed(o);
}

void csv_writer_discard(struct csv_writer *o)
{
	if (!o)
		return;
	close(o->fd);
	free(o->delayed);
	free(o);
}

int csv_writer_close(struct csv_writer *o)
{
	int err = 0;

	if (!o)
		return 0;
	csv_writer_columns(o, NULL, 0);
	if (close(o->fd) != 0)
		err = -errno;
	free(o->header);
	free(o);
	return err;
}

void csv_writer_interruptible(struct csv_writer *o, int signal_fd, bool (*interrupted)(void *arg), void *arg)
{
	o->signal_fd = signal_fd;
	o->interrupted = interrupted;
	o->arg = arg;
}

bool csv_writer_is(const struct csv_writer *o, const char *name)
{
	struct stat own, other;

	if (fstat(o->fd, &own) != 0 || stat(name, &other) != 0 || S_ISCHR(own.st_mode))
		return false;
	return own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

enum csv_trouble csv_writer_trouble(const struct csv_writer *o)
{
	return o->trouble;
}

uint64_t csv_writer_bytes(const struct csv_writer *o)
{
	return (uint64_t)o->whole_bytes;
}

uint64_t csv_writer_lost(const struct csv_writer *o)
{
	return o->lost;
}

int csv_writer_error(const struct csv_writer *o)
{
	return o->error;
}
