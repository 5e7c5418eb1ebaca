/* SPDX-License-Identifier: MIT */
/* The witness and the questions put to it over a socket pair. It ends when memwatch does: its end of
 * the pair then reads as closed. Allocates nothing: it lives in a forked copy of memwatch. */
#include "command/group_witness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/procfile.h"
#include "base/sigfd.h"
#include "command/helper.h"

enum { STOPPED_POLL_MS = 50, ANSWER_MS = 5000 };
enum question { ASK_GROUP_SIGNAL, ASK_WATCH, ASK_UNWATCH };

struct message {
	unsigned number;
	enum question question;
	int value; /* signal or process number */
};

struct reply {
	unsigned number; /* of the question */
	int yes;
};

/* 'T' is stopped by job control or a signal, 't' by a tracer (proc(5)). */
bool group_witness_is_stopped(pid_t pid)
{
	char path[PROC_PATH_MAX], buf[PROC_CHUNK];
	struct proc_identity who;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf));
	return n > 0 && proc_parse_identity(buf, (size_t)n, &who) == 0 &&
	       (who.state == 'T' || who.state == 't');
}

/* Ignored signals would never arrive. 0 or -errno. */
static int keep_all_signals(struct sigfd *out)
{
	sigset_t all;

	for (int signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	return sigfd_open(out, &all);
}

/* What memwatch sends is for the witness alone. */
static void count_signals(struct sigfd *signals, pid_t memwatch, unsigned got[NSIG])
{
	struct signalfd_siginfo info;

	while (sigfd_take(signals, &info))
		if ((pid_t)info.ssi_pid != memwatch)
			got[info.ssi_signo]++;
}

/* false: memwatch is gone. */
static bool answer(int fd, unsigned got[NSIG], pid_t *watched)
{
	struct message m;
	ssize_t n = recv(fd, &m, sizeof(m), MSG_DONTWAIT);
	struct reply reply;

	if (n != (ssize_t)sizeof(m))
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	if (m.question != ASK_GROUP_SIGNAL) {
		*watched = m.question == ASK_WATCH ? m.value : 0;
		return true;
	}
	reply = (struct reply){.number = m.number, .yes = got[m.value] > 0};
	got[m.value] = 0;
	return send(fd, &reply, sizeof(reply), MSG_NOSIGNAL) == (ssize_t)sizeof(reply);
}

/* Signals are taken as they come: one that stays pending would be lost to its opposite, as a SIGCONT is when
 * a SIGTSTP follows. */
static void serve(int fd, struct sigfd *signals, pid_t memwatch)
{
	struct pollfd p[] = {{.fd = fd, .events = POLLIN}, {.fd = signals->fd, .events = POLLIN}};
	unsigned got[NSIG] = {0};
	pid_t watched = 0;

	for (;;) {
		/* Again and again until memwatch says it is awake: it may not have been stopped yet. */
		if (fds_poll(p, 2, watched ? STOPPED_POLL_MS : -1) == 0 && watched &&
		    !group_witness_is_stopped(watched))
			kill(memwatch, SIGCONT);
		count_signals(signals, memwatch, got);
		if (p[0].revents && !answer(fd, got, &watched))
			return;
	}
}

/* Holds none of memwatch's descriptors, or a pipe's reader would wait for the witness's end too. */
static _Noreturn void be_group_witness(int fd, pid_t memwatch)
{
	struct sigfd signals;

	helper_settle("memwatch-group");
	fds_keep_only(&fd, 1);
	if (keep_all_signals(&signals) == 0 && send(fd, "r", 1, MSG_NOSIGNAL) == 1)
		serve(fd, &signals, memwatch);
	_exit(0);
}

void group_witness_stop(struct group_witness *s)
{
	if (s->pid <= 0)
		return;
	close(s->fd);
	helper_end(s->pid);
	*s = (struct group_witness){.pid = -1, .fd = -1};
}

/* Until the witness keeps its signals, one sent to the group would be lost on it: setting a default that is to
 * ignore the signal, as SIGWINCH's is, discards what is pending. */
static int await_ready(struct group_witness *s)
{
	char ready;

	if (helper_receive(s->pid, s->fd, &ready, 1) == 1)
		return 0;
	group_witness_stop(s);
	return -ECHILD;
}

int group_witness_start(struct group_witness *s)
{
	int pair[2];
	pid_t memwatch = getpid();

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -errno;
	s->asked = 0;
	s->pid = fork();
	if (s->pid == 0)
		be_group_witness(pair[1], memwatch);
	close(pair[1]);
	s->fd = pair[0];
	if (s->pid < 0) {
		int err = -errno;

		close(pair[0]);
		s->fd = -1;
		return err;
	}
	return await_ready(s);
}

static bool ask(struct group_witness *s, enum question question, int value)
{
	struct message m = {.number = ++s->asked, .question = question, .value = value};

	return s->pid > 0 && send(s->fd, &m, sizeof(m), MSG_NOSIGNAL) == (ssize_t)sizeof(m);
}

bool group_witness_take_group_signal(struct group_witness *s, int signo)
{
	struct reply reply;

	return ask(s, ASK_GROUP_SIGNAL, signo) &&
	       helper_answer(s->pid, s->fd, s->asked, &reply, sizeof(reply), ANSWER_MS) && reply.yes;
}

void group_witness_watch_stopped(struct group_witness *s, pid_t pid)
{
	ask(s, ASK_WATCH, pid);
}

void group_witness_unwatch(struct group_witness *s)
{
	ask(s, ASK_UNWATCH, 0);
}
