/* SPDX-License-Identifier: MIT */
/* The signal side of running COMMAND. Signals are blocked and read from a descriptor, so no handler ever runs
 * and an ignored signal stays ignored, as it would be without memwatch. */
#include "command/signals.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int signals_open(struct signals *f, pid_t child, struct group_witness *witness, struct relay *relay)
{
	sigset_t all;

	sigfillset(&all);
	*f = (struct signals){.child = child, .witness = witness, .relay = relay};
	return sigfd_open(&f->queue, &all);
}

void signals_close(struct signals *f)
{
	sigfd_close(&f->queue);
}

/* The default action must be in force, or the signal would be discarded. */
void signals_stop_by(int signo)
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

/* Taken at once: a SIGTSTP that follows would delete a SIGCONT that is still pending, as it may have done
 * already. None at all also when the kernel discarded the stop, as it does in a process group whose parents
 * are all outside the session: COMMAND on its own terminal, which did stop, must go on then. */
static pid_t whom_to_continue(const struct signals *f)
{
	siginfo_t info;

	if (!sigfd_take_pending(SIGCONT, &info))
		return -f->child;
	if (info.si_pid == f->witness->pid) /* it goes on already */
		return 0;
	return group_witness_take_group_signal(f->witness, SIGCONT) ? -f->child : f->child;
}

/* Somebody continued memwatch after COMMAND and memwatch were stopped together, as by kill -STOP of the group:
 * stopping now would delete that SIGCONT. True when COMMAND goes on or was told to. */
static bool is_to_go_on(struct signals *f)
{
	siginfo_t info;
	bool group;

	if (!sigfd_take_pending(SIGCONT, &info))
		return false;
	if (info.si_pid == f->witness->pid)
		return !group_witness_is_stopped(f->child);
	group = group_witness_take_group_signal(f->witness, SIGCONT);
	if (f->relay->terminal)
		relay_resume(f->relay, group ? -f->child : f->child);
	else if (group && getpgid(f->child) == getpgrp())
		return !group_witness_is_stopped(f->child);
	else
		kill(f->child, SIGCONT);
	return true;
}

/* The witness wakes us if COMMAND goes on without the whole group being continued. */
static void stop_with_child(struct signals *f)
{
	if (is_to_go_on(f))
		return;
	relay_release_terminal(f->relay);
	group_witness_watch_stopped(f->witness, f->child);
	if (f->on_stop)
		f->on_stop(true);
	signals_stop_by(f->stop_signo);
	if (f->on_stop)
		f->on_stop(false);
	group_witness_unwatch(f->witness);
	if (f->relay->terminal)
		relay_resume(f->relay, whom_to_continue(f));
}

static void note_change(struct signals *f, int status)
{
	f->changes++;
	if (WIFSTOPPED(status)) {
		f->stop_signo = WSTOPSIG(status);
		stop_with_child(f);
	} else if (!WIFCONTINUED(status)) {
		f->ended = true;
		f->status = status;
	}
}

static bool is_helper(const struct signals *f, pid_t pid)
{
	return pid == f->witness->pid || pid == f->relay->pid || pid == f->relay->leader.pid;
}

/* memwatch is the subreaper of what COMMAND leaves behind: everything that ended is reaped. A helper that was stopped
 * is continued: memwatch runs. */
static void reap(struct signals *f)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		if (pid == f->child)
			note_change(f, status);
		else if (is_helper(f, pid) && WIFSTOPPED(status))
			kill(pid, SIGCONT);
		else if (pid == f->relay->pid && !WIFCONTINUED(status))
			relay_ended(f->relay, status);
	}
}

void signals_leader_ready(struct signals *f)
{
	enum session_leader_news news;
	int value;

	while (!f->ended &&
	       (news = session_leader_next(&f->relay->leader, &value)) != SESSION_LEADER_NOTHING) {
		if (news == SESSION_LEADER_STATUS)
			note_change(f, value);
		else if (news == SESSION_LEADER_SIGNAL)
			kill(0, value);
	}
}

/* The witness saw COMMAND go on; if it was stopped again meanwhile, the wake-up came too late. */
static void woken_by_group_witness(struct signals *f)
{
	if (!f->ended && group_witness_is_stopped(f->child))
		stop_with_child(f);
}

/* COMMAND has been continued since it was last looked at, and perhaps stopped again. */
static bool child_changed(struct signals *f)
{
	unsigned before = f->changes;

	reap(f);
	signals_leader_ready(f);
	return f->changes != before;
}

/* What the terminal sends always goes to the whole foreground group; asking the witness would count two quick
 * Ctrl-C, merged into one there, as one of the group's and one of memwatch's own. */
static bool from_terminal(const struct signalfd_siginfo *info)
{
	switch (info->ssi_signo) {
	case SIGINT:
	case SIGQUIT:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGWINCH:
		return info->ssi_code == SI_KERNEL;
	default:
		return false;
	}
}

/* What the whole group got needs no forwarding, unless COMMAND has left for a group of its own, as a shell
 * with job control does. */
static bool child_got(struct signals *f, const struct signalfd_siginfo *info)
{
	bool group = group_witness_take_group_signal(f->witness, (int)info->ssi_signo) || from_terminal(info);

	return group && getpgid(f->child) == getpgrp();
}

bool signals_is_ignored(int signo)
{
	struct sigaction now;

	return sigaction(signo, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
}

/* COMMAND is gone, memwatch waits for its output to be read: what would have stopped COMMAND stops memwatch,
 * and what would have ended it ends the waiting. */
static void take_oneself(struct signals *f, int signo)
{
	if (signals_is_ignored(signo))
		return;
	switch (signo) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH:
		break;
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		signals_stop_by(signo);
		break;
	default:
		f->late = true;
	}
}

/* To COMMAND (`to` as for kill(2)), or to whom it concerns once COMMAND has ended. */
static void send_on(struct signals *f, pid_t to, const struct signalfd_siginfo *info)
{
	union sigval value = {.sival_ptr = (void *)(uintptr_t)info->ssi_ptr};

	if (f->waiting)
		take_oneself(f, (int)info->ssi_signo);
	else if (f->ended)
		return;
	else if (info->ssi_code == SI_QUEUE && to > 0)
		sigqueue(to, (int)info->ssi_signo, value);
	else if (info->ssi_signo == SIGCONT && f->relay->terminal)
		relay_resume(f->relay, to);
	else
		kill(to, (int)info->ssi_signo);
}

/* COMMAND in a session of its own gets nothing that memwatch's group gets, but for changes of the terminal's
 * size, which come by way of the relay, and what memwatch sent to its group because COMMAND's had got it. */
static void pass_on_apart(struct signals *f, const struct signalfd_siginfo *info)
{
	int signo = (int)info->ssi_signo;
	bool group = group_witness_take_group_signal(f->witness, signo);

	if ((pid_t)info->ssi_pid == getpid() || (signo == SIGWINCH && info->ssi_code == SI_KERNEL))
		return;
	send_on(f, group ? -f->child : f->child, info);
}

static void pass_on(struct signals *f, const struct signalfd_siginfo *info)
{
	if (child_got(f, info) || (info->ssi_signo == SIGCONT && child_changed(f)))
		return;
	send_on(f, f->child, info);
}

static void take(struct signals *f, const struct signalfd_siginfo *info)
{
	pid_t sender = (pid_t)info->ssi_pid;

	if (info->ssi_signo == SIGCHLD) {
		reap(f);
		if (info->ssi_code > 0) /* the kernel's own CLD_ codes */
			return;
	}
	if (info->ssi_signo == SIGCONT && sender == f->witness->pid)
		woken_by_group_witness(f);
	else if (sender != getpid()) /* not SIGPIPE or SIGXFSZ of memwatch's own write */
		(f->relay->terminal ? pass_on_apart : pass_on)(f, info);
}

void signals_ready(struct signals *f)
{
	struct signalfd_siginfo info;

	f->waiting = f->ended;
	while (sigfd_take(&f->queue, &info))
		take(f, &info);
}

/* Without a core file: COMMAND's own, if any, tells more than ours. */
void signals_die_by(int signo)
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
