/* SPDX-License-Identifier: MIT */
/* Fork, restore what memwatch changed, exec: never through a shell. The child forks early and waits, so
 * that its process number can be part of file names while a file that cannot be opened still prevents the
 * start. */
#include "command/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/procfile.h"
#include "base/sigfd.h"
#include "base/status.h"
#include "command/helper.h"
#include "command/python.h"

enum { LOOK_MS = 200 };

static bool std_fd_closed[STDERR_FILENO + 1];

/* Data for a closed standard output must be missed: EBADF, as a write to it would have given. Nobody misses words. */
void launch_reserve_std_fds(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		int access = fd == STDOUT_FILENO ? O_RDONLY : O_RDWR;

		std_fd_closed[fd] = fcntl(fd, F_GETFD) < 0 && errno == EBADF;
		if (std_fd_closed[fd] && open("/dev/null", access | O_CLOEXEC) < 0)
			return;
	}
}

bool launch_std_fd_was_closed(int fd)
{
	return std_fd_closed[fd];
}

/* All of them: a fault of memwatch itself ends it although its signal is blocked (the kernel forces it), and
 * one that somebody sends is COMMAND's. */
static void block_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

static void raise_nofile(const struct rlimit *now)
{
	struct rlimit raised = {.rlim_cur = now->rlim_max, .rlim_max = now->rlim_max};

	setrlimit(RLIMIT_NOFILE, &raised);
}

void launch_enter(struct launch_world *w)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL};

	getrlimit(RLIMIT_NOFILE, &w->nofile);
	raise_nofile(&w->nofile);
	sigprocmask(SIG_SETMASK, NULL, &w->mask);
	block_signals();
	/* Workers that outlive their parent come to memwatch and stay part of the tree. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* An ignored SIGCHLD would make wait() fail: the status of COMMAND would be lost. */
	sigaction(SIGCHLD, &dfl, &w->sigchld);
}

/* In the child: what launch_enter() did is undone. */
static void leave(const struct launch_world *w)
{
	setrlimit(RLIMIT_NOFILE, &w->nofile);
	sigaction(SIGCHLD, &w->sigchld, NULL);
	sigprocmask(SIG_SETMASK, &w->mask, NULL);
}

/* 0 or an errno. */
static int take_std_fds(const int fds[STDERR_FILENO + 1])
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fds[fd] >= 0 && dup2(fds[fd], fd) < 0)
			return errno;
	return 0;
}

struct report {
	enum launch_outcome outcome;
	int err;
};

/* 0 or an errno; ends the child when memwatch has given it up. */
static int wait_at(struct launch_gate *gate)
{
	char go;
	ssize_t n;

	close(gate->go[1]);
	do
		n = read(gate->go[0], &go, 1);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		_exit(STATUS_OWN_FAILURE);
	return n < 0 ? errno : 0;
}

static _Noreturn void tell_failure(const struct launch_gate *gate, enum launch_outcome outcome, int err)
{
	struct report report = {.outcome = outcome, .err = err};

	if (write(gate->report[1], &report, sizeof(report)) < 0)
		_exit(STATUS_CANNOT_RUN);
	_exit(STATUS_OWN_FAILURE);
}

/* _exit and not return: the parent's buffers must not be flushed twice. */
void launch_become(const struct launch_plan *plan, struct launch_gate *gate)
{
	int err = wait_at(gate);

	if (plan->marks_path)
		setenv(MARKS_VARIABLE, plan->marks_path, 1);
	if (plan->python_path)
		setenv(PYTHON_PATH, plan->python_path, 1);
	if (plan->unbuffered)
		setenv(PYTHON_UNBUFFERED, "1", 1);
	if (!err)
		err = take_std_fds(plan->fds);
	if (err)
		tell_failure(gate, LAUNCH_NOT_STARTED, err);
	leave(plan->world);
	execvp(plan->argv[0], plan->argv);
	tell_failure(gate, LAUNCH_NOT_RUNNABLE, errno);
}

static void close_pair(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

int launch_gate_open(struct launch_gate *gate)
{
	int err;

	if (pipe2(gate->go, O_CLOEXEC) != 0)
		return -errno;
	if (pipe2(gate->report, O_CLOEXEC) == 0)
		return 0;
	err = -errno;
	close_pair(gate->go);
	return err;
}

void launch_gate_close(struct launch_gate *gate)
{
	close_pair(gate->go);
	close_pair(gate->report);
}

void launch_gate_keep(struct launch_gate *gate, struct launch_child *out)
{
	close(gate->go[0]);
	close(gate->report[1]);
	out->go_fd = gate->go[1];
	out->report_fd = gate->report[0];
}

int launch_fork(const struct launch_plan *plan, struct launch_child *out)
{
	struct launch_gate gate;
	int err = launch_gate_open(&gate);

	if (err)
		return err;
	out->pid = fork();
	if (out->pid == 0)
		launch_become(plan, &gate);
	if (out->pid < 0) {
		err = -errno;
		launch_gate_close(&gate);
		return err;
	}
	launch_gate_keep(&gate, out);
	return 0;
}

/* /dev/null and not closed: nothing opened later may land there. */
void launch_release_std_fds(bool keep_stdout)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	if (!keep_stdout)
		dup2(fd, STDOUT_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* Between gate and exec the child can be stopped, and memwatch be continued alone. */
static ssize_t await_report(const struct launch_child *c, struct report *report)
{
	struct pollfd p = {.fd = c->report_fd, .events = POLLIN};
	ssize_t n;

	for (;;) {
		if (fds_poll(&p, 1, LOOK_MS) == 0) {
			if (sigfd_take_pending(SIGCONT, NULL))
				kill(c->pid, SIGCONT);
			continue;
		}
		n = read(c->report_fd, report, sizeof(*report));
		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
	}
}

/* A child that has left its gate already says why; the broken pipe is only how that shows. */
static int why_not_at_gate(const struct launch_child *c, int write_err)
{
	struct report report;

	if (write_err == EPIPE && await_report(c, &report) == (ssize_t)sizeof(report))
		return report.err;
	return write_err;
}

enum launch_outcome launch_exec(struct launch_child *c, int *err)
{
	struct report report = {.outcome = LAUNCH_NOT_STARTED};
	int status;

	if (write(c->go_fd, "g", 1) != 1) {
		*err = why_not_at_gate(c, errno);
		launch_cancel(c);
		return LAUNCH_NOT_STARTED;
	}
	close(c->go_fd);
	if (await_report(c, &report) != (ssize_t)sizeof(report))
		report.outcome = LAUNCH_RUNS;
	else
		helper_await_end(c->pid, &status);
	close(c->report_fd);
	*err = report.err;
	return report.outcome;
}

/* Not of the arguments and the stack, which are anonymous; a program in a tmpfs has its pages counted as shared memory.
 * Unknown is taken for there. */
static bool has_image(pid_t pid)
{
	char path[PROC_PATH_MAX];
	struct proc_status now;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (proc_status_at(AT_FDCWD, path, &now) != 0)
		return true;
	return !now.split || now.file + now.shmem > 0;
}

void launch_await_image(const struct launch_child *c)
{
	enum { TRIES = 500 };
	static const struct timespec pause = {.tv_nsec = NS_PER_MS / 10};

	for (int i = 0; i < TRIES && !has_image(c->pid); i++)
		nanosleep(&pause, NULL);
}

void launch_cancel(struct launch_child *c)
{
	close(c->go_fd);
	close(c->report_fd);
	helper_end(c->pid);
}
