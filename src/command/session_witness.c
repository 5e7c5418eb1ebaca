/* SPDX-License-Identifier: MIT */
/* The mate process: reads its blocked signals and passes on those meant for the whole job. Knows no
 * terminal. */
#include "command/session_witness.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fds.h"

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

static void serve(int fd, const pid_t own[2], session_witness_fn *fn, void *arg)
{
	sigset_t all;
	struct pollfd fds[2] = {{.fd = fd, .events = POLLIN}, {.events = POLLIN}};

	sigfillset(&all);
	fds[1].fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	for (;;) {
		struct signalfd_siginfo info;
		char word;

		poll(fds, 2, -1);
		while (read(fds[1].fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
			if (is_for_job(&info, own))
				fn(arg, (int)info.ssi_signo);
		if (fds[0].revents &&
		    (recv(fd, &word, 1, MSG_DONTWAIT) != 1 || send(fd, &word, 1, MSG_NOSIGNAL) != 1))
			return;
	}
}

int session_witness_start(struct session_witness *m, pid_t group, const pid_t own[2], int keep_fd,
			  session_witness_fn *fn, void *arg)
{
	int pair[2], err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -errno;
	m->pid = fork();
	if (m->pid == 0) {
		setpgid(0, group);
		fds_keep_only((int[]){pair[1], keep_fd}, 2);
		prctl(PR_SET_NAME, "memwatch-mate");
		if (chdir("/") == 0)
			serve(pair[1], own, fn, arg);
		_exit(0);
	}
	err = m->pid < 0 ? -errno : 0;
	if (!err)
		setpgid(m->pid, group);
	close(pair[1]);
	m->fd = pair[0];
	return err;
}

void session_witness_sync(struct session_witness *m)
{
	struct pollfd p = {.fd = m->fd, .events = POLLIN};
	char word = 's';

	if (send(m->fd, &word, 1, MSG_NOSIGNAL) == 1 && poll(&p, 1, SYNC_MS) == 1)
		recv(m->fd, &word, 1, MSG_DONTWAIT);
}

void session_witness_stop(struct session_witness *m)
{
	close(m->fd);
	kill(m->pid, SIGCONT);
	waitpid(m->pid, NULL, 0);
}
