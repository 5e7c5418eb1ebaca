/* SPDX-License-Identifier: MIT */
/* The signal side of running COMMAND. Signals are blocked and read from a descriptor, so no handler ever runs
 * and an ignored signal stays ignored, as it would be without memwatch. */
#include "forward.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

int forward_open(struct forward *f, pid_t child, struct sentry *sentry)
{
	sigset_t all;

	sigfillset(&all);
	*f = (struct forward){.child = child, .sentry = sentry};
	f->fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	return f->fd < 0 ? -errno : 0;
}

void forward_close(struct forward *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* The default action must be in force, or the signal would be discarded. */
static void stop_by(int signo)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL}, old;
	sigset_t one, before;

	if (signo == SIGSTOP) {
		raise(SIGSTOP);
		return;
	}
	sigaction(signo, &dfl, &old);
	sigemptyset(&one);
	sigaddset(&one, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &one, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(signo, &old, NULL);
}

/* The sentry wakes us if COMMAND goes on without the whole group being continued. */
static void stop_with_child(struct forward *f)
{
	sentry_watch_stopped(f->sentry, f->child);
	stop_by(f->stop_signo);
	sentry_unwatch(f->sentry);
}

/* memwatch is the subreaper of what COMMAND leaves behind: everything that ended is reaped. */
static void reap(struct forward *f)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		if (pid != f->child)
			continue;
		f->changes++;
		if (WIFSTOPPED(status)) {
			f->stop_signo = WSTOPSIG(status);
			stop_with_child(f);
		} else if (!WIFCONTINUED(status)) {
			f->ended = true;
			f->status = status;
		}
	}
}

/* The sentry saw COMMAND go on; if it was stopped again meanwhile, the wake-up came too late. */
static void woken_by_sentry(struct forward *f)
{
	if (!f->ended && sentry_is_stopped(f->child))
		stop_with_child(f);
}

/* COMMAND has been continued since it was last looked at, and perhaps stopped again. */
static bool child_changed(struct forward *f)
{
	unsigned before = f->changes;

	reap(f);
	return f->changes != before;
}

/* What the whole group got needs no forwarding, unless COMMAND has left for a group of its own, as a shell with
 * job control does. */
static bool child_got(struct forward *f, int signo)
{
	return sentry_group_got(f->sentry, signo) && getpgid(f->child) == getpgrp();
}

/* COMMAND is gone, memwatch waits for its output to be read: what would have met COMMAND meets memwatch. */
static void take_oneself(struct forward *f, int signo)
{
	switch (signo) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH:
		break;
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		stop_by(signo);
		break;
	default:
		f->late = signo;
	}
}

static void pass_on(struct forward *f, const struct signalfd_siginfo *info)
{
	int signo = (int)info->ssi_signo;
	union sigval value = {.sival_ptr = (void *)(uintptr_t)info->ssi_ptr};

	if (child_got(f, signo) || (signo == SIGCONT && child_changed(f)))
		return;
	if (f->ended)
		take_oneself(f, signo);
	else if (info->ssi_code == SI_QUEUE)
		sigqueue(f->child, signo, value);
	else
		kill(f->child, signo);
}

static void take(struct forward *f, const struct signalfd_siginfo *info)
{
	pid_t sender = (pid_t)info->ssi_pid;

	if (info->ssi_signo == SIGCHLD) {
		reap(f);
		if (info->ssi_code > 0) /* the kernel's own CLD_ codes */
			return;
	}
	if (info->ssi_signo == SIGCONT && sender == f->sentry->pid)
		woken_by_sentry(f);
	else if (info->ssi_signo != SIGPIPE ||
		 sender != getpid()) /* not memwatch's own write to a closed pipe */
		pass_on(f, info);
}

void forward_ready(struct forward *f)
{
	struct signalfd_siginfo info;

	while (read(f->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		take(f, &info);
}

/* Without a core file: COMMAND's own, if any, tells more than ours. */
void forward_die_by(int signo)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL};
	struct rlimit none = {0};
	sigset_t one;

	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	sigaction(signo, &dfl, NULL);
	sigemptyset(&one);
	sigaddset(&one, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
}
