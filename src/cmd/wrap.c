/* SPDX-License-Identifier: MIT */
/* Running COMMAND and watching it: who stands beside it, when it is over and how it ended. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/msg.h"
#include "base/status.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "command/group_witness.h"
#include "command/launch.h"
#include "command/python.h"
#include "command/relay.h"
#include "command/signals.h"
#include "command/strangers.h"
#include "command/target.h"
#include "epochs/marks.h"
#include "watch/hook.h"
#include "watch/live.h"
#include "watch/output.h"
#include "watch/status.h"

struct wrap_run {
	struct watch watch;
	struct launch_world world;
	struct launch_child child;
	struct group_witness witness;
	struct strangers strangers;
	struct relay relay;
	struct signals signals;
	char command[TARGET_COMMAND_MAX];
	bool unbuffered; /* PYTHONUNBUFFERED=1 is set for COMMAND */
	bool relay_told; /* that it was killed */
	bool live;       /* there is to be a view */
	bool status;     /* or a title */
};

/* Whose COMMAND has been started: it outlives all that can go wrong with watching it. */
static struct wrap_run *kept;

static void tell_relay_killed(struct wrap_run *r)
{
	if (!r->relay.killed || r->relay_told)
		return;
	r->relay_told = true;
	warn("the process that passes on the command's output was killed: %s",
	     r->relay.terminal ? "its terminal is gone" : "nobody reads what it writes from here on");
}

static void on_wrap_signal(void *arg)
{
	struct wrap_run *r = arg;

	signals_ready(&r->signals);
	tell_relay_killed(r);
	if (r->signals.ended)
		loop_stop(r->watch.loop);
}

static void on_leader(void *arg)
{
	struct wrap_run *r = arg;

	signals_leader_ready(&r->signals);
	if (r->relay.leader.gone)
		loop_remove(r->watch.loop, r->relay.leader.fd);
	if (r->signals.ended)
		loop_stop(r->watch.loop);
}

static int say_cannot_start(int err)
{
	warn("cannot start a process: %s", strerror(err));
	return STATUS_OWN_FAILURE;
}

static int say_cannot_run(const struct options *o, int err)
{
	bool slip = err == ENOENT && !o->dashes; /* "memwatch help" */
	const char *meant = slip ? options_command_like(o->argv[0]) : NULL;

	if (meant)
		warn("cannot run '%s': %s (did you mean 'memwatch %s'?)", o->argv[0], strerror(err), meant);
	else
		warn("cannot run '%s': %s%s", o->argv[0], strerror(err),
		     slip ? " (see memwatch --help)" : "");
	return err == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

static bool is_helper(void *arg, pid_t pid)
{
	struct wrap_run *r = arg;

	return pid == r->witness.pid || pid == r->relay.pid || pid == r->relay.leader.pid ||
	       (r->watch.alerts && hook_owns(alerts_hook(r->watch.alerts), pid)) ||
	       strangers_own(&r->strangers, pid);
}

/* Held before the exec, so that even the shortest COMMAND is not missed. */
static int hold_tree(struct wrap_run *r)
{
	int err = watch_add(&r->watch, r->child.pid);

	if (!err && !r->watch.options->no_children)
		err = host_adopt_children_of(r->watch.host, getpid(), is_helper, r);
	return err;
}

/* COMMAND's standard output is then its standard error. */
static bool csv_to_stdout(const struct options *o)
{
	return o->output && strcmp(o->output, "-") == 0;
}

/* Data of memwatch's own goes to standard output: rows of the CSV or, at the end, a report. */
static bool writes_to_stdout(const struct options *o)
{
	for (size_t i = 0; i < o->report_count; i++)
		if (strcmp(o->reports[i], "-") == 0)
			return true;
	return csv_to_stdout(o);
}

/* COMMAND runs all the same: its output is then not looked at. */
static void say_not_read(int err)
{
	note("the command's output cannot be read along (%s): epochs are not found in it", strerror(-err));
}

static void start_relay(struct wrap_run *r, const struct options *o, bool stdout_taken)
{
	bool draws = writes_to_stdout(o) && isatty(STDOUT_FILENO);
	struct relay_conf conf = {.stdout_to_stderr = stdout_taken, .terminal = !draws, .title = r->status};
	int err = o->epochs == EPOCHS_AUTO ? relay_start(&r->relay, &conf) : 0;

	if (err)
		say_not_read(err);
}

static int fork_with_relay(struct wrap_run *r, const struct launch_plan *plan, bool stdout_taken)
{
	if (stdout_taken && r->relay.child_fds[STDOUT_FILENO] < 0)
		r->relay.child_fds[STDOUT_FILENO] = STDERR_FILENO;
	return relay_fork(&r->relay, plan, &r->child);
}

/* What the relay takes, processes and descriptors, may be what COMMAND lacks. */
static int fork_command(struct wrap_run *r, const struct options *o)
{
	bool stdout_taken = csv_to_stdout(o);
	struct launch_plan plan = {
	    .argv = o->argv,
	    .world = &r->world,
	    .fds = r->relay.child_fds,
	    .marks_path = r->watch.epochs.marks_path,
	    .python_path = watch_names_python_path(&r->watch.names),
	    .unbuffered = r->unbuffered,
	};
	int err = group_witness_start(&r->witness);

	if (err)
		return err;
	start_relay(r, o, stdout_taken);
	err = fork_with_relay(r, &plan, stdout_taken);
	if (err && r->relay.pid > 0) {
		relay_give_up(&r->relay);
		say_not_read(err);
		err = fork_with_relay(r, &plan, stdout_taken);
	}
	launch_release_std_fds(writes_to_stdout(o));
	return err;
}

static void on_output(void *arg, int stream, const char *bytes, size_t n, int64_t time_ns)
{
	struct wrap_run *r = arg;

	if (r->relay.terminal)
		msg_saw_output(bytes, n);
	watch_epochs_bytes(&r->watch.epochs, stream, bytes, n, time_ns);
}

/* What the user has set is left alone, also where it is empty; always overrules that, as nothing is unbuffered by it. */
static bool sets_unbuffered(const struct options *o, const char *writes_to)
{
	const char *own = getenv(PYTHON_UNBUFFERED);

	if (o->unbuffered == UNBUFFERED_ALWAYS)
		return !own || !*own;
	return o->unbuffered == UNBUFFERED_AUTO && !own && writes_to &&
	       (o->epochs == EPOCHS_AUTO || o->epochs == EPOCHS_LOG) && python_runs(o->argv);
}

/* Whether COMMAND's lines come in time, and where they are read. */
static void open_epochs(struct wrap_run *r, const struct options *o)
{
	struct stat st;
	bool known = fstat(csv_to_stdout(o) ? STDERR_FILENO : STDOUT_FILENO, &st) == 0;
	const char *own = getenv(PYTHON_UNBUFFERED), *writes_to = known ? watch_epochs_blocks(&st) : NULL;

	r->unbuffered = sets_unbuffered(o, writes_to);
	r->watch.unbuffered = r->unbuffered && o->unbuffered == UNBUFFERED_AUTO;
	if (o->epochs == EPOCHS_AUTO)
		watch_epochs_follow_own(&r->watch.epochs, r->unbuffered || (own && *own) ? NULL : writes_to);
}

/* Before COMMAND is forked: what fails here prevents the start. */
static int open_run(struct wrap_run *r, const struct options *o)
{
	int status;

	relay_none(&r->relay);
	r->live = live_wanted(o, &status);
	if (status)
		return status;
	r->status = status_wanted(o);
	strangers_note(&r->strangers);
	launch_enter(&r->world);
	status = watch_open(&r->watch, o);
	if (status == 0)
		open_epochs(r, o);
	return status;
}

static void on_stop(bool stopping)
{
	(stopping ? live_pause : live_resume)();
}

/* A row waits for its reader: signals are passed on meanwhile, and those that come after COMMAND's end give it up. */
static bool row_interrupted(void *arg)
{
	struct wrap_run *r = arg;

	if (r->relay.terminal && !r->relay.leader.gone)
		on_leader(r);
	on_wrap_signal(r);
	return r->signals.late;
}

static int listen_to_command(struct wrap_run *r)
{
	struct loop *loop = r->watch.loop;
	int err = signals_open(&r->signals, r->child.pid, &r->witness, &r->relay);

	r->signals.on_stop = on_stop;
	if (!err)
		err = loop_add(loop, r->signals.queue.fd, on_wrap_signal, r);
	if (!err && r->relay.terminal)
		err = loop_add(loop, r->relay.leader.fd, on_leader, r);
	if (err) {
		warn("cannot receive signals: %s", strerror(-err));
		return err;
	}
	if (r->watch.csv)
		csv_writer_interruptible(r->watch.csv, r->signals.queue.fd, row_interrupted, r);
	err = relay_listen(&r->relay, loop, on_output, r);
	if (err)
		say_not_read(err);
	return 0;
}

static int start_command(struct wrap_run *r, const struct options *o)
{
	int status, err = fork_command(r, o);

	if (err)
		return say_cannot_start(-err);
	status = watch_output_open(&r->watch, r->child.pid);
	if (status == 0 && listen_to_command(r) != 0)
		status = STATUS_OWN_FAILURE;
	if (status) {
		launch_cancel(&r->child);
		return status;
	}
	err = hold_tree(r);
	if (err)
		warn("cannot watch '%s': %s", o->argv[0], strerror(-err));
	target_command_text(o->argv, r->command);
	r->watch.command = r->command;
	switch (launch_exec(&r->child, &err)) {
	case LAUNCH_NOT_STARTED:
		return say_cannot_start(err);
	case LAUNCH_NOT_RUNNABLE:
		return say_cannot_run(o, err);
	default:
		return 0;
	}
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
	return WEXITSTATUS(status) == STATUS_SIGNAL + SIGKILL;
}

static bool interrupted(void *arg)
{
	struct wrap_run *r = arg;

	signals_ready(&r->signals);
	return r->signals.late;
}

/* What COMMAND wrote is passed on before memwatch says its last words. */
static void finish_output(struct wrap_run *r)
{
	relay_finish(&r->relay, r->signals.queue.fd, interrupted, r);
	tell_relay_killed(r);
}

/* Allocates nothing. */
static void pass_on_signals(struct wrap_run *r)
{
	struct pollfd fds[] = {{.fd = r->signals.queue.fd, .events = POLLIN},
			       {.fd = r->relay.leader.gone ? -1 : r->relay.leader.fd, .events = POLLIN},
			       {.fd = r->relay.fd, .events = POLLIN}};

	fds_poll(fds, sizeof(fds) / sizeof(fds[0]), -1);
	if (fds[0].revents)
		signals_ready(&r->signals);
	if (fds[1].revents)
		signals_leader_ready(&r->signals);
	if (fds[2].revents)
		relay_ready(&r->relay);
	tell_relay_killed(r);
}

static _Noreturn void end_as_command(int status)
{
	if (WIFSIGNALED(status))
		signals_die_by(WTERMSIG(status));
	_exit(WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status));
}

/* Watching cannot go on, wherever that was noticed: COMMAND does, with its signals and its output, and its status is
 * memwatch's. The GPU thread only goes to sleep, as if in its driver. */
static _Noreturn void leave_to_command(struct wrap_run *r, const char *why)
{
	while (gettid() != getpid())
		pause();
	kept = NULL;
	live_close();
	status_close();
	if (r->signals.ended)
		warn("%s: the report of '%s' is not complete", why, r->watch.options->argv[0]);
	else
		warn("%s: watching ends here, without a report; '%s' runs on", why,
		     r->watch.options->argv[0]);
	relay_stop_listening(&r->relay);
	while (!r->signals.ended)
		pass_on_signals(r);
	finish_output(r);
	group_witness_stop(&r->witness);
	if (r->watch.epochs.marks_path)
		marks_remove(r->watch.epochs.marks_path);
	if (r->watch.names.folder)
		explain_folder_remove(explain_folder_path(r->watch.names.folder));
	end_as_command(r->signals.status);
}

static void on_no_memory(void)
{
	if (kept)
		leave_to_command(kept, "out of memory");
}

/* A library that lacks something may end the process it is in. */
static void on_exit_within(void)
{
	if (kept)
		leave_to_command(kept, "ended by a library");
}

static void keep_command(struct wrap_run *r)
{
	kept = r;
	xalloc_on_failure(on_no_memory);
	atexit(on_exit_within);
}

/* COMMAND's own end is memwatch's, unless --fail-on has something to say of a success. */
static void close_run(struct wrap_run *r, struct watch_end *end)
{
	int status = r->signals.status;
	char how[64];

	ending_text(status, how, sizeof(how));
	watch_count_left(&r->watch);
	if (r->watch.left > 0)
		watch_epochs_outlived(&r->watch.epochs);
	r->watch.tree_gone = true;
	watch_epochs_finish(&r->watch.epochs, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	watch_end_run(&r->watch, how, was_killed(status) ? FATE_KILLED : FATE_EXITED, end);
	signals_close(&r->signals);
	if (WIFSIGNALED(status))
		end->signo = WTERMSIG(status);
	else if (WEXITSTATUS(status) != 0 || end->status != STATUS_FAIL_ON)
		end->status = WEXITSTATUS(status);
}

void cmd_wrap(const struct options *o, struct watch_end *end)
{
	static struct wrap_run run;
	int err;

	*end = (struct watch_end){0};
	end->status = open_run(&run, o);
	if (end->status)
		return;
	end->status = start_command(&run, o);
	if (end->status) {
		relay_finish(&run.relay, -1, NULL, NULL);
		group_witness_stop(&run.witness);
		watch_close(&run.watch);
		return;
	}
	keep_command(&run);
	launch_await_image(&run.child);
	err = watch_start(&run.watch);
	if (err) /* COMMAND then runs unwatched: nothing that fails here may end it */
		warn("cannot watch '%s': %s", o->argv[0], strerror(-err));
	else if (run.live)
		live_open(&run.watch);
	if (!err && run.status)
		status_open(&run.watch, &run.relay);
	loop_run(run.watch.loop);
	live_close();
	status_close();
	finish_output(&run);
	group_witness_stop(&run.witness);
	close_run(&run, end);
	kept = NULL;
}
