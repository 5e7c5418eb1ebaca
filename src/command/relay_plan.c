/* SPDX-License-Identifier: MIT */
/* Looks at the standard descriptors as they are now. Opens, forks and remembers nothing. */
#include "command/relay_plan.h"
#include "base/fds.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static bool is_stream_socket(int fd)
{
	int type = 0;
	socklen_t size = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

static enum relay_mode mode_of(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fstat(fd, &st) != 0)
		return RELAY_NONE;
	if (S_ISSOCK(st.st_mode))
		return is_stream_socket(fd) ? RELAY_SOCKET : RELAY_NONE;
	/* A FIFO open for both, or a pipe in packet mode (O_DIRECT), has no equal that a relay could
	 * offer. */
	if (S_ISFIFO(st.st_mode))
		return (flags & (O_ACCMODE | O_DIRECT)) == O_WRONLY ? RELAY_PIPE : RELAY_NONE;
	return S_ISCHR(st.st_mode) && tcgetsid(fd) == getsid(0) ? RELAY_TERMINAL : RELAY_NONE;
}

static bool is_pipe_or_socket(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

static void leave_terminals(struct relay_plan *plan)
{
	for (int i = 0; i < 3; i++)
		if (plan->mode[i] == RELAY_TERMINAL)
			plan->mode[i] = RELAY_NONE;
}

void relay_plan(const struct relay_conf *conf, struct relay_plan *out)
{
	bool piped = false;

	*out = (struct relay_plan){.source = {0, conf->stdout_to_stderr ? 2 : 1, 2}};
	for (int i = 0; i < 3; i++) {
		out->mode[i] = mode_of(out->source[i]);
		piped = piped || is_pipe_or_socket(out->source[i]);
		/* A server's connection is read and written through one socket. */
		if (out->mode[i] == RELAY_SOCKET && fds_same_file(0, out->source[i]))
			out->mode[i] = RELAY_NONE;
	}
	if (out->mode[0] != RELAY_TERMINAL)
		out->mode[0] = RELAY_NONE;
	if (piped || !conf->terminal || (out->mode[1] != RELAY_TERMINAL && out->mode[2] != RELAY_TERMINAL))
		leave_terminals(out);
	out->shared = (out->mode[1] == RELAY_PIPE || out->mode[1] == RELAY_SOCKET) &&
		      out->mode[1] == out->mode[2] && fds_same_file(out->source[1], out->source[2]);
}
