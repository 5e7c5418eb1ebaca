/* SPDX-License-Identifier: MIT */
/* No wait for a helper is without a limit: a whole process group can be stopped and memwatch alone continued. */
#include "command/helper.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fds.h"

enum { NUDGE_MS = 50, PATIENCE_MS = 5000 };

void helper_settle(const char *name)
{
	prctl(PR_SET_NAME, name);
	if (chdir("/") != 0)
		return;
}

ssize_t helper_receive(pid_t pid, int fd, void *buf, size_t size)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (int ms = 0; ms < PATIENCE_MS; ms += NUDGE_MS) {
		ssize_t n = recv(fd, buf, size, MSG_DONTWAIT);

		if (n >= 0 || (errno != EAGAIN && errno != EINTR))
			return n;
		if (fds_poll(&p, 1, NUDGE_MS) == 0)
			kill(pid, SIGCONT);
	}
	return recv(fd, buf, size, MSG_DONTWAIT);
}

void helper_end(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
