/* SPDX-License-Identifier: MIT */
/* Descriptors as bare numbers; knows nothing of what they stand for. */
#include "base/fds.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { RETRY_NS = 10 * NS_PER_MS };

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static bool close_gaps(const int *fds, size_t count)
{
	unsigned next = 0;

	for (size_t i = 0; i < count; i++) {
		if (fds[i] < 0)
			continue;
		if ((unsigned)fds[i] > next && close_range(next, (unsigned)fds[i] - 1, 0) != 0)
			return false;
		next = (unsigned)fds[i] + 1;
	}
	return close_range(next, ~0U, 0) == 0;
}

static void close_unless(int fd, const int *fds, size_t count)
{
	if (!bsearch(&fd, fds, count, sizeof(*fds), by_number))
		close(fd);
}

static bool close_listed(const int *fds, size_t count)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;

	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (fd != dirfd(dir) && entry->d_name[0] != '.')
			close_unless(fd, fds, count);
	}
	closedir(dir);
	return true;
}

static void close_counted(const int *fds, size_t count)
{
	for (int fd = 0; fd < (int)sysconf(_SC_OPEN_MAX); fd++)
		close_unless(fd, fds, count);
}

/* close_range(2) came with Linux 5.9, and filters older than that refuse it. */
void fds_keep_only(int *fds, size_t count)
{
	qsort(fds, count, sizeof(*fds), by_number);
	if (!close_gaps(fds, count) && !close_listed(fds, count))
		close_counted(fds, count);
}

void fds_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int fds_poll(struct pollfd *fds, size_t count, int timeout_ms)
{
	static const struct timespec moment = {.tv_nsec = RETRY_NS};
	int n = poll(fds, count, timeout_ms);
	bool interrupted = n < 0 && errno == EINTR;

	if (n >= 0)
		return n;
	if (!interrupted)
		nanosleep(&moment, NULL);
	for (size_t i = 0; i < count; i++)
		fds[i].revents = interrupted || fds[i].fd < 0 ? 0 : fds[i].events;
	return interrupted ? 0 : (int)count;
}

bool fds_same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
