/* SPDX-License-Identifier: MIT */
/* The pipe holds the first seconds, until the run is long enough for a file. */
#include "watch/keeping.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/msg.h"
#include "base/xalloc.h"
#include "record/csv_writer.h"
#include "record/kept.h"

enum {
	PIPE_BYTES_EARLY = 32 << 10, /* half of a pipe: the thread is needed before the run is long enough */
	CHUNK_BYTES = 64 << 10,
	STEPS = 8, /* in each eighth of the file half as many rows are kept as in the one before */
	CLOSE_S = 2,
	STACK_BYTES = 128 << 10,
};

struct keeping {
	struct csv_writer *csv; /* onto the pipe */
	int out;                /* the pipe's other end; the thread's once that runs */
	char *folder;
	int64_t began_s;
	pid_t pid;
	bool started;
	pthread_t thread;
	atomic_int error; /* errno of the thread's last failure */
	uint64_t rows;
	int64_t epoch; /* of the row written last */
	off_t written; /* to the file */
	size_t used;   /* of chunk */
	char chunk[CHUNK_BYTES];
};

static void fail(struct keeping *k, int error, int *fd)
{
	atomic_store(&k->error, error);
	fds_close(fd);
}

/* Of the first n bytes of the chunk. */
static size_t whole_rows(const struct keeping *k, size_t n)
{
	const char *last = memrchr(k->chunk, '\n', n);

	return last ? (size_t)(last - k->chunk) + 1 : 0;
}

/* A full disk ends it, with the last row that fits. */
static void stop_writing(struct keeping *k, size_t done, int *fd)
{
	int error = errno;
	bool cut = ftruncate(*fd, k->written + (off_t)whole_rows(k, done)) == 0;

	fail(k, cut ? error : errno, fd);
}

/* Whole rows only, so that what is there can be read at any moment. */
static void write_rows(struct keeping *k, int *fd)
{
	size_t n = whole_rows(k, k->used), done = 0;

	while (*fd >= 0 && done < n) {
		ssize_t written = write(*fd, k->chunk + done, n - done);

		if (written < 0 && errno != EINTR)
			stop_writing(k, done, fd);
		else if (written > 0)
			done += (size_t)written;
	}
	k->written += (off_t)n;
	memmove(k->chunk, k->chunk + n, k->used - n);
	k->used -= n;
}

/* Reads on when nothing can be written any more: the pipe must not fill. */
static void *write_all(void *arg)
{
	struct keeping *k = arg;
	int fd = kept_create(k->folder, k->began_s, k->pid);
	ssize_t n;

	if (fd < 0)
		fail(k, -fd, &fd);
	while ((n = read(k->out, k->chunk + k->used, sizeof(k->chunk) - k->used)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		k->used += n > 0 ? (size_t)n : 0;
		write_rows(k, &fd);
		if (k->used == sizeof(k->chunk))
			k->used = 0; /* no row is as long */
	}
	fds_close(&fd);
	return NULL;
}

/* Signals are for the main thread; SIGXFSZ of a file that may not grow is for nobody. */
static int start_thread(struct keeping *k)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int err;

	sigfillset(&all);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&k->thread, &attr, write_all, k);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return err;
}

static struct keeping *open_pipe(char *folder, pid_t watched, int ends[2])
{
	struct keeping *k = xcalloc(1, sizeof(*k));
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	k->folder = folder;
	k->out = ends[0];
	k->began_s = now.tv_sec;
	k->pid = watched;
	k->epoch = -1;
	k->csv = csv_writer_pipe(ends[1]);
	return k;
}

struct keeping *keeping_new(pid_t watched)
{
	char *folder = kept_folder(getenv);
	int ends[2];

	if (!folder) {
		detail("samples are not kept: neither XDG_STATE_HOME nor HOME is set to a folder");
		return NULL;
	}
	if (pipe2(ends, O_CLOEXEC) == 0) {
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
		return open_pipe(folder, watched, ends);
	}
	detail("samples are not kept: %s", strerror(errno));
	free(folder);
	return NULL;
}

void keeping_columns(struct keeping *k, const struct channel *gpu, int count)
{
	if (k)
		csv_writer_columns(k->csv, gpu, count);
}

static void start_when_due(struct keeping *k, const struct sample *s)
{
	int err;

	if (k->started || (s->elapsed_ms < KEEPING_LEAST_MS && csv_writer_bytes(k->csv) < PIPE_BYTES_EARLY))
		return;
	k->started = true;
	err = start_thread(k);
	if (!err)
		return;
	k->thread = 0;
	k->started = false;
	atomic_store(&k->error, err);
}

static bool is_kept(const struct keeping *k, const struct sample *s)
{
	uint64_t step = csv_writer_bytes(k->csv) / (KEEPING_MOST_BYTES / STEPS);

	if (step >= STEPS)
		return false;
	return k->rows % (UINT64_C(1) << step) == 0 || s->epoch != k->epoch || s->v[CH_HEAP_USED].ok;
}

void keeping_row(struct keeping *k, const struct sample *s)
{
	if (!k || atomic_load(&k->error))
		return;
	start_when_due(k, s);
	if (is_kept(k, s)) {
		csv_writer_row(k->csv, s);
		k->epoch = s->epoch;
	}
	k->rows++;
}

bool keeping_works(const struct keeping *k)
{
	return k && k->started && !atomic_load(&k->error);
}

/* The end of the pipe is the thread's end, unless the folder hangs. */
static bool join(struct keeping *k)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += CLOSE_S;
	return pthread_timedjoin_np(k->thread, NULL, &until) == 0;
}

bool keeping_close(struct keeping *k)
{
	int error;

	if (!k)
		return true;
	csv_writer_close(k->csv);
	if (k->started && !join(k)) {
		detail("samples are not kept: '%s' does not answer", k->folder);
		return false;
	}
	error = atomic_load(&k->error);
	if (error)
		detail("samples are not kept in '%s': %s", k->folder, strerror(error));
	close(k->out);
	free(k->folder);
	free(k);
	return true;
}
