/* SPDX-License-Identifier: MIT */
/* The witness: reads its blocked signals and passes on those meant for the whole job. Knows no
 * terminal. */
#include "command/session_witness.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/sigfd.h"
#include "command/helper.h"

enum { SYNC_MS = 100 };

/* Of the kernel's own signals those that keys cause, and those for using the terminal from the background.
 * Changes of size and hang-ups reach the job by themselves. */
static bool is_for_job(const struct signalfd_siginfo *info, const pid_t own[2])
{
	switch (info->ssi_signo) {
	case SIGCHLD:
	case SIGCONT:
		return false;
	case SIGINT:
	case SIGQUIT:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		break;
	default:
		if (info->ssi_code == SI_KERNEL)
			return false;
	}
	return (pid_t)info->ssi_pid != own[0] && (pid_t)info->ssi_pid != own[1];
}

/* False when nobody is there any more to be answered. */
static bool answer(int fd)
{
	unsigned number;
	ssize_t n = recv(fd, &number, sizeof(number), MSG_DONTWAIT);

	if (n == (ssize_t)sizeof(number))
		return send(fd, &number, sizeof(number), MSG_NOSIGNAL) == (ssize_t)sizeof(number);
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void serve(int fd, const pid_t own[2], session_witness_fn *fn, void *arg)
{
	sigset_t all;
	struct sigfd signals;
	struct pollfd fds[2] = {{.fd = fd, .events = POLLIN}, {.events = POLLIN}};

	sigfillset(&all);
	if (sigfd_open(&signals, &all) != 0 || send(fd, "r", 1, MSG_NOSIGNAL) != 1)
		return;
	fds[1].fd = signals.fd;
	for (;;) {
		struct signalfd_siginfo info;

		fds_poll(fds, 2, -1);
		while (sigfd_take(&signals, &info))
			if (is_for_job(&info, own))
				fn(arg, (int)info.ssi_signo);
		if (fds[0].revents && !answer(fd))
			return;
	}
}

int session_witness_start(struct session_witness *m, pid_t group, const pid_t own[2], int keep_fd,
			  session_witness_fn *fn, void *arg)
{
	int pair[2], err;
	char ready;

	*m = (struct session_witness){.fd = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -errno;
	m->pid = fork();
	if (m->pid == 0) {
		setpgid(0, group);
		fds_keep_only((int[]){pair[1], keep_fd}, 2);
		helper_settle("memwatch-session");
		serve(pair[1], own, fn, arg);
		_exit(0);
	}
	err = m->pid < 0 ? -errno : 0;
	if (!err)
		setpgid(m->pid, group);
	close(pair[1]);
	m->fd = pair[0];
	if (!err && helper_receive(m->pid, m->fd, &ready, 1) != 1)
		err = -ECHILD;
	if (err)
		session_witness_stop(m);
	return err;
}

void session_witness_sync(struct session_witness *m)
{
	unsigned number = ++m->syncs;

	if (send(m->fd, &number, sizeof(number), MSG_NOSIGNAL) == (ssize_t)sizeof(number))
		helper_answer(m->pid, m->fd, m->syncs, &number, sizeof(number), SYNC_MS);
}

void session_witness_stop(struct session_witness *m)
{
	fds_close(&m->fd);
	helper_end(m->pid);
	m->pid = 0;
}
