/* SPDX-License-Identifier: MIT */
/* No wait for a helper is without a limit: a whole process group can be stopped and memwatch alone continued. */
#include "command/helper.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fds.h"

enum { NUDGE_MS = 50, PATIENCE_MS = 5000, END_MS = 2000, END_STEP_MS = 5 };

void helper_settle(const char *name)
{
	prctl(PR_SET_NAME, name);
	if (chdir("/") != 0)
		return;
}

static ssize_t receive(pid_t pid, int fd, void *buf, size_t size, int limit_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (int ms = 0; ms < limit_ms; ms += NUDGE_MS) {
		ssize_t n = recv(fd, buf, size, MSG_DONTWAIT);

		if (n >= 0 || (errno != EAGAIN && errno != EINTR))
			return n;
		if (fds_poll(&p, 1, NUDGE_MS) == 0)
			kill(pid, SIGCONT);
	}
	return recv(fd, buf, size, MSG_DONTWAIT);
}

ssize_t helper_receive(pid_t pid, int fd, void *buf, size_t size)
{
	return receive(pid, fd, buf, size, PATIENCE_MS);
}

bool helper_answer(pid_t pid, int fd, unsigned number, void *packet, size_t size, int limit_ms)
{
	unsigned answered;

	do {
		if (receive(pid, fd, packet, size, limit_ms) != (ssize_t)size)
			return false;
		memcpy(&answered, packet, sizeof(answered));
	} while (answered != number);
	return true;
}

bool helper_await_end(pid_t pid, int *status)
{
	for (int ms = 0; ms < END_MS; ms += END_STEP_MS) {
		if (waitpid(pid, status, WNOHANG) != 0)
			return true;
		fds_poll(NULL, 0, END_STEP_MS);
	}
	return false;
}

void helper_end(pid_t pid)
{
	int status;

	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	helper_await_end(pid, &status);
}
