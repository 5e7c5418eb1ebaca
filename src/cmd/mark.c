/* SPDX-License-Identifier: MIT */
/* `memwatch mark`: one line appended to the file that MEMWATCH_MARKS names. */
#include "cmd/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/status.h"
#include "command/launch.h"

enum { LABEL_MAX = 200 };

static size_t format_line(char line[LABEL_MAX + 8], const char *label)
{
	int n = label ? snprintf(line, LABEL_MAX + 7, "mark %.*s", LABEL_MAX, label)
		      : snprintf(line, LABEL_MAX + 7, "epoch");

	for (char *p = line; *p; p++)
		if (*p == '\n' || *p == '\r')
			*p = ' ';
	line[n] = '\n';
	return (size_t)n + 1;
}

/* Half a mark is none: a disk that is nearly full takes a part and says so only the next time. */
static int write_line(int fd, const char *line, size_t n)
{
	while (n > 0) {
		ssize_t put = write(fd, line, n);

		if (put < 0 && errno != EINTR)
			return -errno;
		line += put > 0 ? put : 0;
		n -= put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* O_NONBLOCK: should the variable name a FIFO that nobody reads, the script must not hang. */
static int append(const char *path, const char *line, size_t n)
{
	int err = 0, fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	else
		err = write_line(fd, line, n);
	close(fd);
	return err;
}

int cmd_mark(const char *label)
{
	const char *path = getenv(MARKS_VARIABLE);
	char line[LABEL_MAX + 8];
	int err;

	if (!path || !*path) {
		warn("mark: " MARKS_VARIABLE " is not set: this works within a command that was started by "
		     "'memwatch -- COMMAND'");
		return STATUS_OWN_FAILURE;
	}
	err = append(path, line, format_line(line, label));
	if (err == -ENOENT) {
		note("mark: %s is gone: the run that it belonged to is over, nothing was marked", path);
		return 0;
	}
	if (err) {
		warn("mark: %s (from " MARKS_VARIABLE "): %s", path,
		     err == -EINVAL ? "not a regular file" : strerror(-err));
		return STATUS_OWN_FAILURE;
	}
	return 0;
}
