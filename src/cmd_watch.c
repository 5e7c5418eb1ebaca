/* SPDX-License-Identifier: MIT */
/* The two ways to watch: attach to what runs, or run COMMAND. Decides when the run is over and how it ended. */
#include "cmd_watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach.h"
#include "ending.h"
#include "forward.h"
#include "hook.h"
#include "msg.h"
#include "sentry.h"
#include "watch.h"
#include "wrap.h"

enum { FAIL_ON = 3, OWN_FAILURE = 125, CANNOT_RUN = 126, NOT_FOUND = 127, SHELL_SIGNAL = 128 };

/* Says what was seen and writes the reports. 0, 3 (--fail-on) or 125 (a report could not be written). */
static int close_run(struct watch *w, const char *how, const struct oom *killed, struct watch_end *run_end)
{
	const struct run_verdict *run = judge_run(w->judge);
	struct report_head head = {.command = w->command, .pid = w->main_pid};
	struct host_totals totals;
	struct summary_end end = {
	    .command = w->command,
	    .pid = w->main_pid,
	    .duration_ns = watch_elapsed_ns(w),
	    .interval_ns = w->options->interval_ns,
	    .missed = w->ticker.missed,
	    .how = how,
	};
	bool retained = w->tree_gone && watch_gpu_say_retained(&w->gpu);
	int status;

	host_totals(w->host, &totals);
	end.processes_seen = totals.processes_seen;
	summary_say(&w->summary, &end);
	if (killed)
		ending_say_killed(killed, &w->sample);
	watch_epochs_say(&w->epochs);
	ending_say(run);
	status = ending_write(w->options, &head, run);
	if (status == 0 && (judge_fails(run, w->options->fail_on) || (retained && (w->options->fail_on & FAIL_ON_RETAINED))))
		status = FAIL_ON;
	run_end->driver_hangs = !watch_close(w);
	return status;
}

struct attach_run {
	struct watch watch;
	struct attach targets[PIDS_MAX];
	size_t count, alive;
	int signal_fd;
};

static void say_refusal(enum attach_refusal refusal, pid_t asked, const struct attach *a)
{
	switch (refusal) {
	case ATTACH_NO_SUCH_PROCESS:
		warn("--pid: %d: no such process", (int)asked);
		break;
	case ATTACH_HIDDEN:
		warn("--pid: %d: /proc does not show this process to you (mounted with hidepid?)",
		     (int)asked);
		break;
	case ATTACH_ZOMBIE:
		warn("--pid: %d has ended already (it is a zombie)", (int)asked);
		break;
	case ATTACH_THREAD:
		warn("--pid: %d is a thread of process %d: give that number", (int)asked, (int)a->pid);
		break;
	case ATTACH_KERNEL_THREAD:
		warn("--pid: %d is a kernel thread: it has no memory of its own", (int)asked);
		break;
	default:
		warn("--pid: %d: %s", (int)asked, strerror(errno));
	}
}

static int open_targets(struct attach_run *r, const struct options *o)
{
	for (size_t i = 0; i < o->pid_count; i++) {
		enum attach_refusal refusal = attach_open(o->pids[i], &r->targets[i]);

		if (refusal != ATTACH_OK) {
			say_refusal(refusal, o->pids[i], &r->targets[i]);
			return OWN_FAILURE;
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
		struct attach *a = &r->targets[i];

		if (a->pidfd >= 0 && attach_ended(a)) {
			loop_remove(r->watch.loop, a->pidfd);
			attach_close(a);
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

	if (read(r->signal_fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR1)
		watch_epochs_mark(&r->watch.epochs);
	else if (info.ssi_signo != SIGPIPE)
		loop_stop(r->watch.loop);
}

/* Ctrl-Z keeps its own meaning. */
static int block_attach_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
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
			return OWN_FAILURE;
		}
	}
	return 0;
}

static int run_attached(struct attach_run *r, const struct options *o, struct watch_end *end)
{
	int status = open_targets(r, o);

	if (status == 0)
		status = watch_open(&r->watch, o);
	if (status == 0)
		status = watch_open_output(&r->watch, o->pids[0]);
	if (status == 0)
		status = follow_targets(r, o);
	if (status)
		return status;
	r->signal_fd = block_attach_signals();
	r->alive = r->count;
	r->watch.command = r->targets[0].command;
	if (r->signal_fd < 0 || loop_add(r->watch.loop, r->signal_fd, on_attach_signal, r) != 0 ||
	    watch_start(&r->watch) != 0) {
		warn("cannot start watching: %s", strerror(errno));
		return OWN_FAILURE;
	}
	loop_run(r->watch.loop);
	r->watch.tree_gone |= r->alive == 0;
	return close_run(&r->watch, r->watch.tree_gone ? "ended" : "still running", NULL, end);
}

struct wrap_run {
	struct watch watch;
	struct wrap_world world;
	struct wrap_child child;
	struct sentry sentry;
	struct forward forward;
	struct oom oom;
	char command[ATTACH_COMMAND_MAX];
};

static void on_wrap_signal(void *arg)
{
	struct wrap_run *r = arg;

	forward_ready(&r->forward);
	if (r->forward.ended)
		loop_stop(r->watch.loop);
}

static int say_cannot_run(const char *name, int err)
{
	warn("cannot run '%s': %s", name, strerror(-err));
	return err == -ENOENT ? NOT_FOUND : CANNOT_RUN;
}

static bool is_helper(void *arg, pid_t pid)
{
	const struct wrap_run *r = arg;

	return pid == r->sentry.pid || (r->watch.alerts && hook_owns(alerts_hook(r->watch.alerts), pid));
}

/* Held before the exec, so that even the shortest COMMAND is not missed. */
static int hold_tree(struct wrap_run *r)
{
	int err = watch_add(&r->watch, r->child.pid);

	if (!err && !r->watch.options->no_children)
		err = host_adopt_children_of(r->watch.host, getpid(), is_helper, r);
	return err;
}

static int start_command(struct wrap_run *r, const struct options *o)
{
	struct wrap_plan plan = {
	    .argv = o->argv,
	    .world = &r->world,
	    .stdout_to_stderr = o->output && strcmp(o->output, "-") == 0,
	    .unbuffered = o->unbuffered,
	};
	int err, status;

	wrap_enter(&r->world);
	status = watch_open(&r->watch, o);
	if (status)
		return status;
	if (o->epochs == EPOCHS_AUTO)
		watch_epochs_follow_own(&r->watch.epochs);
	plan.marks_path = r->watch.epochs.marks_path;
	err = sentry_start(&r->sentry);
	if (!err)
		err = wrap_fork(&plan, &r->child);
	if (err) {
		warn("cannot start a process: %s", strerror(-err));
		return OWN_FAILURE;
	}
	status = watch_open_output(&r->watch, r->child.pid);
	if (status) {
		wrap_cancel(&r->child);
		return status;
	}
	if (forward_open(&r->forward, r->child.pid, &r->sentry) != 0 ||
	    loop_add(r->watch.loop, r->forward.fd, on_wrap_signal, r) != 0)
		die("cannot receive signals: %s", strerror(errno));
	err = hold_tree(r);
	if (err)
		warn("cannot watch '%s': %s", o->argv[0], strerror(-err));
	oom_open(&r->oom, "/proc", "/sys/fs/cgroup", r->child.pid);
	attach_command_text(o->argv, r->command);
	r->watch.command = r->command;
	err = wrap_exec(&r->child);
	return err ? say_cannot_run(o->argv[0], err) : 0;
}

static void ending_text(int status, char *buf, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(buf, size, "killed by SIG%s", sigabbrev_np(WTERMSIG(status)));
	else
		snprintf(buf, size, "exit status %d", WEXITSTATUS(status));
}

/* A shell tells of its child's end by SIGKILL with status 137. */
static bool was_killed(int status)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGKILL;
	return WEXITSTATUS(status) == SHELL_SIGNAL + SIGKILL;
}

static void run_wrapped(struct wrap_run *r, const struct options *o, struct watch_end *end)
{
	char how[64];
	int err, own, status = start_command(r, o);

	if (status) {
		sentry_stop(&r->sentry);
		end->status = status;
		return;
	}
	err = watch_start(&r->watch);
	if (err) /* COMMAND then runs unwatched: nothing that fails here may end it */
		warn("cannot watch '%s': %s", o->argv[0], strerror(-err));
	loop_run(r->watch.loop);
	sentry_stop(&r->sentry);
	status = r->forward.status;
	ending_text(status, how, sizeof(how));
	r->watch.tree_gone = true;
	watch_epochs_finish(&r->watch.epochs, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	own = close_run(&r->watch, how, was_killed(status) ? &r->oom : NULL, end);
	oom_close(&r->oom);
	forward_close(&r->forward);
	if (WIFSIGNALED(status))
		end->signo = WTERMSIG(status);
	else if (WEXITSTATUS(status) == 0 && own == FAIL_ON)
		end->status = FAIL_ON;
	else
		end->status = WEXITSTATUS(status);
}

void cmd_watch(const struct options *options, struct watch_end *end)
{
	*end = (struct watch_end){0};
	if (options->argv) {
		static struct wrap_run run;

		run_wrapped(&run, options, end);
	} else {
		static struct attach_run run;

		raise_descriptor_limit();
		end->status = run_attached(&run, options, end);
	}
}
