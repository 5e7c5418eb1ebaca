/* SPDX-License-Identifier: MIT */
/* Opens what rows and reports go to. Knows nothing of what is written. */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
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

const char *outfile_error(int err)
{
	return err == -EPIPE ? "a FIFO that nobody reads" : strerror(-err);
}
