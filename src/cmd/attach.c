/* SPDX-License-Identifier: MIT */
/* Attaching to what runs: who it is, when it is over. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/sigfd.h"
#include "base/status.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "command/signals.h"
#include "command/target.h"
#include "watch/live.h"
#include "watch/output.h"
#include "watch/status.h"

enum { OTHERS_NAMED = 3, OTHERS_MAX = (OTHERS_NAMED + 1) * (TARGET_COMMAND_MAX + 32) };

struct attach_run {
	struct watch watch;
	struct target targets[PIDS_MAX];
	size_t count, alive;
	struct sigfd queue;
	bool live;               /* there is to be a view */
	bool status;             /* or a title */
	char others[OTHERS_MAX]; /* ", NAME (pid N)" of those after the first, for people */
};

static void say_refusal(enum target_refusal refusal, pid_t asked, const struct target *a)
{
	switch (refusal) {
	case TARGET_NO_SUCH_PROCESS:
		warn("--pid: %d: no such process", (int)asked);
		break;
	case TARGET_HIDDEN:
		warn("--pid: %d: /proc does not show this process to you (mounted with hidepid?)",
		     (int)asked);
		break;
	case TARGET_ZOMBIE:
		warn("--pid: %d has ended already (it is a zombie)", (int)asked);
		break;
	case TARGET_THREAD:
		warn("--pid: %d is a thread of process %d: give that number", (int)asked, (int)a->pid);
		break;
	case TARGET_KERNEL_THREAD:
		warn("--pid: %d is a kernel thread: it has no memory of its own", (int)asked);
		break;
	case TARGET_OK:
		break;
	}
}

static int open_targets(struct attach_run *r, const struct options *o)
{
	for (size_t i = 0; i < o->pid_count; i++) {
		enum target_refusal refusal = target_open(o->pids[i], &r->targets[i]);

		if (refusal != TARGET_OK) {
			say_refusal(refusal, o->pids[i], &r->targets[i]);
			return STATUS_OWN_FAILURE;
		}
		r->count++;
	}
	return 0;
}

/* Ends when the last of the processes given has ended. */
static void on_target_end(void *arg)
{
	struct attach_run *r = arg;

	for (size_t i = 0; i < r->count; i++) {
		struct target *a = &r->targets[i];

		if (a->pidfd >= 0 && target_ended(a)) {
			loop_remove(r->watch.loop, a->pidfd);
			target_close(a);
			r->alive--;
		}
	}
	if (r->alive == 0)
		loop_stop(r->watch.loop);
}

static void on_attach_signal(void *arg)
{
	struct attach_run *r = arg;
	struct signalfd_siginfo info;

	if (!sigfd_take(&r->queue, &info))
		return;
	switch (info.ssi_signo) {
	case SIGUSR1:
		watch_epochs_mark(&r->watch.epochs);
		break;
	case SIGTSTP:
		live_pause();
		signals_stop_by(SIGTSTP);
		live_resume();
		break;
	case SIGWINCH:
		live_resized();
		break;
	case SIGPIPE:
		break;
	default:
		loop_stop(r->watch.loop);
	}
}

static bool interrupted(void *arg)
{
	struct attach_run *r = arg;

	on_attach_signal(r);
	return loop_stopped(r->watch.loop);
}

/* Ctrl-Z keeps its own meaning, unless there is a view to be taken off the screen first. What nohup, or a script for its background jobs, has told to be ignored is left so:
 * blocked, it would come by the descriptor. */
static int block_attach_signals(struct sigfd *out, bool live)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGTSTP, SIGWINCH};
	enum { ALWAYS = 6, ALL = sizeof(signals) / sizeof(signals[0]) };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < (live ? ALL : ALWAYS); i++)
		if (!signals_is_ignored(signals[i]))
			sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return sigfd_open(out, &set);
}

static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int follow_targets(struct attach_run *r, const struct options *o)
{
	for (size_t i = 0; i < r->count; i++) {
		int err;

		if (o->epochs == EPOCHS_AUTO)
			watch_epochs_follow_pid(&r->watch.epochs, r->targets[i].pid);
		err = watch_add(&r->watch, r->targets[i].pid);

		if (!err && r->targets[i].pidfd >= 0)
			err = loop_add(r->watch.loop, r->targets[i].pidfd, on_target_end, r);
		if (err) {
			warn("--pid: %d: %s", (int)r->targets[i].pid, strerror(-err));
			return STATUS_OWN_FAILURE;
		}
	}
	return 0;
}

static int open_run(struct attach_run *r, const struct options *o)
{
	int status = open_targets(r, o);

	if (status == 0)
		r->live = live_wanted(o, &status);
	r->status = status == 0 && status_wanted(o);
	if (status == 0)
		status = watch_open(&r->watch, o);
	if (status == 0)
		status = watch_output_open(&r->watch, o->pids[0]);
	if (status == 0)
		status = follow_targets(r, o);
	return status;
}

static bool given_before(const struct attach_run *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (r->targets[k].pid == r->targets[i].pid)
			return true;
	return false;
}

static void name_others(struct attach_run *r)
{
	size_t len = 0, more = 0, named = 0;

	for (size_t i = 1; i < r->count; i++) {
		const struct target *a = &r->targets[i];

		if (given_before(r, i))
			continue;
		if (named++ >= OTHERS_NAMED)
			more++;
		else
			len += (size_t)snprintf(r->others + len, sizeof(r->others) - len, ", %s (pid %d)",
						a->command, (int)a->pid);
	}
	if (more > 0)
		snprintf(r->others + len, sizeof(r->others) - len, " and %zu more", more);
}

static int start_run(struct attach_run *r)
{
	int err;

	r->alive = r->count;
	name_others(r);
	r->watch.command = r->targets[0].command;
	r->watch.others = r->others;
	err = block_attach_signals(&r->queue, r->live);
	if (isatty(STDERR_FILENO))
		note("watching %s (pid %d)%s; Ctrl-C ends the watching only", r->watch.command,
		     (int)r->targets[0].pid, r->others);
	if (!err)
		err = loop_add(r->watch.loop, r->queue.fd, on_attach_signal, r);
	if (!err && r->watch.csv)
		csv_writer_interruptible(r->watch.csv, r->queue.fd, interrupted, r);
	if (!err)
		err = watch_start(&r->watch);
	if (!err && r->live)
		live_open(&r->watch);
	if (!err && r->status)
		status_open(&r->watch, NULL);
	if (!err)
		return 0;
	warn("cannot start watching: %s", strerror(-err));
	return STATUS_OWN_FAILURE;
}

static bool watching;

/* It ends by its own doing then. */
static void on_no_memory(void)
{
	live_close();
	watching = false;
}

/* A library that lacks something may end the process it is in, with a status of its own. */
static void on_exit_within(void)
{
	if (!watching)
		return;
	warn("ended by a library: watching ends here, without a report");
	_exit(STATUS_OWN_FAILURE);
}

void cmd_attach(const struct options *o, struct watch_end *end)
{
	static struct attach_run run;

	*end = (struct watch_end){0};
	watching = true;
	xalloc_on_failure(on_no_memory);
	atexit(on_exit_within);
	raise_descriptor_limit();
	end->status = open_run(&run, o);
	if (end->status == 0)
		end->status = start_run(&run);
	if (end->status) {
		watching = false;
		return;
	}
	loop_run(run.watch.loop);
	live_close();
	status_close();
	run.watch.tree_gone |= run.alive == 0;
	watch_epochs_finish(&run.watch.epochs, false);
	watch_end_run(&run.watch, run.watch.tree_gone ? "ended" : "still running",
		      run.watch.tree_gone ? FATE_ENDED : FATE_RUNS, end);
	watching = false;
}
