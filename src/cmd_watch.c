/* SPDX-License-Identifier: MIT */
/* The two ways to watch: attach to what runs, or run COMMAND. Decides when the run is over and how it ended. */
#include "cmd_watch.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach.h"
#include "forward.h"
#include "msg.h"
#include "relay.h"
#include "sentry.h"
#include "watch.h"
#include "wrap.h"

enum { OWN_FAILURE = 125, CANNOT_RUN = 126, NOT_FOUND = 127 };

static void close_run(struct watch *w, const char *command, pid_t pid, const char *how)
{
	struct host_totals totals;
	struct summary_end end = {
	    .command = command,
	    .pid = pid,
	    .duration_ns = watch_elapsed_ns(w),
	    .interval_ns = w->options->interval_ns,
	    .missed = w->ticker.missed,
	    .how = how,
	};

	host_totals(w->host, &totals);
	end.processes_seen = totals.processes_seen;
	summary_say(&w->summary, &end);
	watch_close(w);
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

	if (read(r->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info) && info.ssi_signo != SIGPIPE)
		loop_stop(r->watch.loop);
}

/* Ctrl-Z keeps its own meaning. */
static int block_attach_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
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

static int follow_targets(struct attach_run *r)
{
	for (size_t i = 0; i < r->count; i++) {
		int err = watch_add(&r->watch, r->targets[i].pid);

		if (!err && r->targets[i].pidfd >= 0)
			err = loop_add(r->watch.loop, r->targets[i].pidfd, on_target_end, r);
		if (err) {
			warn("--pid: %d: %s", (int)r->targets[i].pid, strerror(-err));
			return OWN_FAILURE;
		}
	}
	return 0;
}

static int run_attached(struct attach_run *r, const struct options *o)
{
	int status = open_targets(r, o);

	if (status == 0)
		status = watch_open(&r->watch, o, o->pids[0]);
	if (status == 0)
		status = follow_targets(r);
	if (status)
		return status;
	r->signal_fd = block_attach_signals();
	r->alive = r->count;
	if (r->signal_fd < 0 || loop_add(r->watch.loop, r->signal_fd, on_attach_signal, r) != 0 ||
	    watch_start(&r->watch) != 0) {
		warn("cannot start watching: %s", strerror(errno));
		return OWN_FAILURE;
	}
	loop_run(r->watch.loop);
	close_run(&r->watch, r->targets[0].command, r->targets[0].pid,
		  r->alive && !r->watch.tree_gone ? "still running" : "ended");
	return 0;
}

struct wrap_run {
	struct watch watch;
	struct wrap_world world;
	struct wrap_child child;
	struct sentry sentry;
	struct relay relay;
	struct forward forward;
	uint64_t output_bytes; /* of COMMAND's, as far as seen */
};

static void on_wrap_signal(void *arg)
{
	struct wrap_run *r = arg;

	forward_ready(&r->forward);
	if (r->forward.ended)
		loop_stop(r->watch.loop);
}

static void on_monitor(void *arg)
{
	struct wrap_run *r = arg;

	forward_monitor_ready(&r->forward);
	if (r->relay.monitor.gone)
		loop_remove(r->watch.loop, r->relay.monitor.fd);
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

	return pid == r->sentry.pid || pid == r->relay.pid || pid == r->relay.monitor.pid;
}

/* Held before the exec, so that even the shortest COMMAND is not missed. */
static int hold_tree(struct wrap_run *r)
{
	int err = watch_add(&r->watch, r->child.pid);

	if (!err && !r->watch.options->no_children)
		err = host_adopt_children_of(r->watch.host, getpid(), is_helper, r);
	return err;
}

/* Data of memwatch's own goes to standard output: rows of the CSV or, at the end, a report. */
static bool writes_to_stdout(const struct options *o)
{
	for (size_t i = 0; i < o->report_count; i++)
		if (strcmp(o->reports[i], "-") == 0)
			return true;
	return o->output && strcmp(o->output, "-") == 0;
}

/* Without a relay COMMAND runs all the same: its output is then not looked at. */
static void start_relay(struct wrap_run *r, const struct options *o, bool stdout_taken)
{
	bool draws = writes_to_stdout(o) && isatty(STDOUT_FILENO);
	struct relay_conf conf = {.stdout_to_stderr = stdout_taken, .terminal = !draws};
	int err = o->relay_output ? relay_start(&r->relay, &conf) : relay_none(&r->relay);

	if (err)
		detail("cannot read along: %s", strerror(-err));
	if (stdout_taken && r->relay.child_fds[STDOUT_FILENO] < 0)
		r->relay.child_fds[STDOUT_FILENO] = STDERR_FILENO;
}

static int fork_command(struct wrap_run *r, const struct options *o)
{
	bool stdout_taken = o->output && strcmp(o->output, "-") == 0;
	struct wrap_plan plan = {.argv = o->argv, .world = &r->world, .fds = r->relay.child_fds};
	int err;

	wrap_enter(&r->world);
	err = sentry_start(&r->sentry);
	if (err)
		return err;
	start_relay(r, o, stdout_taken);
	err = relay_fork(&r->relay, &plan, &r->child);
	wrap_release_std_fds(writes_to_stdout(o));
	return err;
}

static void on_output(void *arg, int stream, const char *bytes, size_t n, int64_t time_ns)
{
	struct wrap_run *r = arg;

	(void)stream;
	(void)bytes;
	(void)time_ns;
	r->output_bytes += n;
}

static int start_command(struct wrap_run *r, const struct options *o)
{
	int status, err = fork_command(r, o);

	if (err) {
		warn("cannot start a process: %s", strerror(-err));
		return OWN_FAILURE;
	}
	status = watch_open(&r->watch, o, r->child.pid);
	if (status) {
		wrap_cancel(&r->child);
		return status;
	}
	if (forward_open(&r->forward, r->child.pid, &r->sentry, &r->relay) != 0 ||
	    loop_add(r->watch.loop, r->forward.fd, on_wrap_signal, r) != 0 ||
	    (r->relay.terminal && loop_add(r->watch.loop, r->relay.monitor.fd, on_monitor, r) != 0))
		die("cannot receive signals: %s", strerror(errno));
	err = relay_listen(&r->relay, r->watch.loop, on_output, r);
	if (err)
		detail("cannot read along: %s", strerror(-err));
	err = hold_tree(r);
	if (err)
		warn("cannot watch '%s': %s", o->argv[0], strerror(-err));
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

static bool interrupted(void *arg)
{
	struct wrap_run *r = arg;

	forward_ready(&r->forward);
	return r->forward.late;
}

/* What COMMAND wrote is passed on before memwatch says its last words. */
static void finish_output(struct wrap_run *r)
{
	relay_finish(&r->relay, r->forward.fd, interrupted, r);
	if (r->relay.pid > 0)
		detail("read %" PRIu64 " bytes of output along", r->output_bytes);
}

static void run_wrapped(struct wrap_run *r, const struct options *o, struct watch_end *end)
{
	char command[ATTACH_COMMAND_MAX], how[64];
	int err, status = start_command(r, o);

	if (status) {
		relay_finish(&r->relay, -1, NULL, NULL);
		sentry_stop(&r->sentry);
		end->status = status;
		return;
	}
	err = watch_start(&r->watch);
	if (err) /* COMMAND then runs unwatched: nothing that fails here may end it */
		warn("cannot watch '%s': %s", o->argv[0], strerror(-err));
	loop_run(r->watch.loop);
	finish_output(r);
	sentry_stop(&r->sentry);
	attach_command_text(o->argv, command);
	ending_text(r->forward.status, how, sizeof(how));
	close_run(&r->watch, command, r->child.pid, how);
	forward_close(&r->forward);
	if (WIFSIGNALED(r->forward.status))
		end->signo = WTERMSIG(r->forward.status);
	else
		end->status = WEXITSTATUS(r->forward.status);
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
		end->status = run_attached(&run, options);
	}
}
