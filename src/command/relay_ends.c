/* SPDX-License-Identifier: MIT */
/* Pipes, sockets or a pseudo-terminal, as the plan has it: COMMAND's end is as much like the real descriptor as can be. */
#include "command/relay_ends.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/tty.h"

/* COMMAND's end has the flags of the real descriptor: it may have been made non-blocking on purpose. */
static int open_ends(enum relay_mode mode, int real, struct relay_ends *ends, int *child_fd)
{
	int pair[2];
	int err = mode == RELAY_SOCKET ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)
				       : pipe2(pair, O_CLOEXEC);

	if (err != 0)
		return -errno;
	fcntl(pair[1], F_SETFL, fcntl(real, F_GETFL) & (O_NONBLOCK | O_APPEND | O_ASYNC));
	ends->in = pair[0];
	ends->out = real;
	*child_fd = pair[1];
	return 0;
}

static int open_pipes(struct relay *r, const struct relay_plan *plan, struct relay_setup *setup)
{
	for (int fd = 1; fd <= 2; fd++) {
		struct relay_ends *ends = &setup->pipes[setup->pipe_count];
		int err;

		if (plan->mode[fd] != RELAY_PIPE && plan->mode[fd] != RELAY_SOCKET)
			continue;
		if (fd == 2 && plan->shared) {
			r->child_fds[2] = r->child_fds[1];
			continue;
		}
		err = open_ends(plan->mode[fd], plan->source[fd], ends, &r->child_fds[fd]);
		if (err)
			return err;
		ends->stream = fd;
		setup->pipe_count++;
	}
	return 0;
}

static int slave_for(struct relay *r, int master, int flags, const int flags_of[3])
{
	for (int fd = 0; fd < 3; fd++)
		if (r->child_fds[fd] >= 0 && flags_of[fd] == flags)
			return r->child_fds[fd];
	return tty_open_slave(master, flags);
}

/* Descriptors of the terminal that have the same flags were most likely one and the same, and stay so. */
static int open_slaves(struct relay *r, const struct relay_plan *plan, int master)
{
	int flags_of[3] = {-1, -1, -1};

	for (int fd = 0; fd < 3; fd++) {
		int flags, slave;

		if (plan->mode[fd] != RELAY_TERMINAL)
			continue;
		flags = fcntl(plan->source[fd], F_GETFL) & (O_ACCMODE | O_NONBLOCK | O_APPEND);
		slave = slave_for(r, master, flags, flags_of);
		if (slave < 0)
			return slave;
		r->child_fds[fd] = slave;
		flags_of[fd] = flags;
	}
	return 0;
}

static int open_terminal(struct relay *r, const struct relay_plan *plan, struct relay_setup *setup)
{
	int life[2], err;

	if (plan->mode[1] != RELAY_TERMINAL && plan->mode[2] != RELAY_TERMINAL)
		return 0;
	/* Its own description: being non-blocking must not be seen by the shell. */
	setup->tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (setup->tty < 0)
		return -errno;
	err = tty_open_pair(setup->tty, O_RDWR, &setup->master, &r->place.tty);
	if (err)
		return err;
	if (pipe2(life, O_CLOEXEC) != 0)
		return -errno;
	r->place.life = life[0];
	setup->life = life[1];
	r->terminal = true;
	return open_slaves(r, plan, setup->master);
}

int relay_ends_open(struct relay *r, const struct relay_plan *plan, struct relay_setup *setup)
{
	int err = open_pipes(r, plan, setup);

	return err ? err : open_terminal(r, plan, setup);
}

void relay_ends_close(struct relay_setup *setup)
{
	output_copy_close_writer(&setup->copy);
	fds_close(&setup->control);
	fds_close(&setup->tty);
	fds_close(&setup->master);
	fds_close(&setup->life);
	for (int i = 0; i < setup->pipe_count; i++)
		close(setup->pipes[i].in);
}
