/* SPDX-License-Identifier: MIT */
/* Opens what rows and reports go to. Knows nothing of what is written. */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#ifndef READER_WAIT_NS
#define READER_WAIT_NS (2 * NS_PER_S) /* "cat fifo &" in the line before is still starting */
#endif
#define READER_POLL_NS (10 * NS_PER_MS)

/* Without O_NONBLOCK open(2) waits for a reader, and memwatch has its signals blocked: neither Ctrl-C nor TERM would
 * end that. Writing may wait, so the flag does not stay. */
static int open_fifo(const char *name, int *out_fd)
{
	const struct timespec pause = {.tv_nsec = READER_POLL_NS};
	int64_t end_ns = clock_mono_ns() + READER_WAIT_NS;
	int fd;

	while ((fd = open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {
		if (errno != ENXIO)
			return -errno;
		if (clock_mono_ns() >= end_ns)
			return -EPIPE;
		nanosleep(&pause, NULL);
	}
	fcntl(fd, F_SETFL, O_WRONLY);
	*out_fd = fd;
	return 0;
}

int outfile_open(const char *name, int flags, int *out_fd)
{
	struct stat st;
	int fd;

	if (stat(name, &st) == 0 && S_ISFIFO(st.st_mode))
		return open_fifo(name, out_fd);
	fd = open(name, flags | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	*out_fd = fd;
	return 0;
}

static bool is_one(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool stat_folder(const char *name, struct stat *out)
{
	const char *slash = strrchr(name, '/');
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s.", slash ? (int)(slash - name) + 1 : 0, name);
	return stat(folder, out) == 0;
}

static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

bool outfile_same(const char *a, const char *b)
{
	struct stat of_a, of_b;
	bool has_a = stat(a, &of_a) == 0, has_b = stat(b, &of_b) == 0;

	if (has_a || has_b)
		return has_a && has_b && S_ISREG(of_a.st_mode) && is_one(&of_a, &of_b);
	return strcmp(last_part(a), last_part(b)) == 0 && stat_folder(a, &of_a) && stat_folder(b, &of_b) &&
	       is_one(&of_a, &of_b);
}

static bool stat_stream(pid_t pid, int fd, struct stat *out)
{
	char path[64];

	if (pid == 0)
		return fstat(fd, out) == 0;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	return stat(path, out) == 0;
}

const char *outfile_stream(const char *name, pid_t pid)
{
	static const char *const names[] = {
	    [STDOUT_FILENO] = "standard output", [STDERR_FILENO] = "standard error"};
	struct stat named, stream;

	if (stat(name, &named) != 0 || !S_ISREG(named.st_mode))
		return NULL;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (stat_stream(pid, fd, &stream) && is_one(&named, &stream))
			return names[fd];
	return NULL;
}

const char *outfile_error(int err)
{
	return err == -EPIPE ? "a FIFO that nobody reads" : strerror(-err);
}
