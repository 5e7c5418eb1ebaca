/* SPDX-License-Identifier: MIT */
/* A run is another memwatch that wraps the command, so that terminal, signals and output are as they are there; this one
 * waits for it, and ends all when one is interrupted. The comparison is the data: what the commands write to standard
 * output goes to standard error. */
#include "cmd/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/status.h"
#include "base/xalloc.h"

struct trial {
	const struct trial_request *q;
	char *dir;
	char **files; /* those of the first side, then those of the other */
	char **runs;  /* "base, run 1 of 3", likewise */
	sigset_t waited, before;
	struct sigaction pipe_before;
	int signo;        /* what interrupted it; 0 nothing */
	bool alone;       /* and that was sent to this process alone */
	int first_status; /* of the first command that failed */
	int failed[TRIAL_SIDES];
};

static char *make_dir(const char *keep)
{
	const char *tmp = getenv("TMPDIR");
	struct stat is;
	char *dir;

	if (!keep) {
		dir = xasprintf("%s/memwatch-compare-XXXXXX", tmp && *tmp ? tmp : "/tmp");
		if (mkdtemp(dir))
			return dir;
		warn("cannot make a directory for the recordings, '%s': %s", dir, strerror(errno));
		free(dir);
		return NULL;
	}
	if (mkdir(keep, 0777) == 0 || (errno == EEXIST && stat(keep, &is) == 0 && S_ISDIR(is.st_mode)))
		return xstrdup(keep);
	warn("--output: cannot make the directory '%s': %s", keep, strerror(errno));
	return NULL;
}

static int index_of(const struct trial *t, int side, int time)
{
	return side * t->q->times + time;
}

static const char *side_name(int side)
{
	return side ? "new" : "base";
}

static void name_files(struct trial *t)
{
	t->files = xcalloc((size_t)(TRIAL_SIDES * t->q->times), sizeof(*t->files));
	t->runs = xcalloc((size_t)(TRIAL_SIDES * t->q->times), sizeof(*t->runs));
	for (int side = 0; side < TRIAL_SIDES; side++)
		for (int time = 0; time < t->q->times; time++) {
			int i = index_of(t, side, time);

			t->files[i] = xasprintf("%s/%s-%d.csv", t->dir, side_name(side), time + 1);
			t->runs[i] = xasprintf("%s, run %d of %d", side_name(side), time + 1, t->q->times);
		}
}

/* Only what was made here goes. */
static void clean_up(struct trial *t)
{
	for (int i = 0; i < TRIAL_SIDES * t->q->times; i++) {
		if (!t->q->keep)
			unlink(t->files[i]);
		free(t->files[i]);
		free(t->runs[i]);
	}
	if (!t->q->keep)
		rmdir(t->dir);
	free(t->files);
	free(t->runs);
	free(t->dir);
}

static void block_signals(struct trial *t)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
	const struct sigaction ignored = {.sa_handler = SIG_IGN};

	signal(SIGCHLD, SIG_DFL); /* ignored, children would vanish */
	sigaction(SIGPIPE, &ignored,
		  &t->pipe_before); /* nobody reads: the recordings are removed all the same */
	sigemptyset(&t->waited);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&t->waited, signals[i]);
	sigprocmask(SIG_BLOCK, &t->waited, &t->before);
}

/* A shell that is ended by a signal leaves what it has started, which would go on with nobody to wait for it: it becomes
 * a child. What an earlier run left has gone its own way. */
static void pass_on(pid_t child, int signo)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	kill(child, signo);
}

static void end_orphans(const struct trial *t)
{
	FILE *children = fopen("/proc/thread-self/children", "re");
	int pid;

	while (children && fscanf(children, "%d", &pid) == 1)
		kill(pid, t->signo);
	if (children)
		fclose(children);
}

static _Noreturn void become_memwatch(const struct trial *t, int side, const char *file)
{
	char interval[32];
	char *argv[] = {"memwatch",   "-q", "-i", interval, "-o",
			(char *)file, "--", "sh", "-c",     (char *)t->q->commands[side],
			NULL};

	snprintf(interval, sizeof(interval), "%" PRId64 "ns", t->q->interval_ns);
	sigprocmask(SIG_SETMASK, &t->before, NULL);
	sigaction(SIGPIPE, &t->pipe_before, NULL);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execv("/proc/self/exe", argv);
	warn("cannot run memwatch itself: %s", strerror(errno));
	_exit(STATUS_OWN_FAILURE);
}

/* The shell must see this job stop when the command is stopped. */
static void stop_too(pid_t child)
{
	raise(SIGSTOP);
	kill(child, SIGCONT);
}

/* Waits for the end of the run; passes on what was sent to this process alone. The status as of waitpid(). */
static int await_end(struct trial *t, pid_t child)
{
	int status;
	siginfo_t info;

	for (;;) {
		if (waitpid(child, &status, WUNTRACED | WNOHANG) == child) {
			if (!WIFSTOPPED(status))
				return status;
			stop_too(child);
		}
		if (sigwaitinfo(&t->waited, &info) < 0 || info.si_signo == SIGCHLD)
			continue;
		t->signo = info.si_signo;
		t->alone = info.si_code <= 0; /* what the terminal sends has reached the command, too */
		if (t->alone)
			pass_on(child, info.si_signo);
	}
}

static void tell_end(struct trial *t, const char *which, int status)
{
	if (WIFSIGNALED(status)) {
		warn("%s: ended by signal %d (%s)", which, WTERMSIG(status), strsignal(WTERMSIG(status)));
		if (!t->first_status)
			t->first_status = STATUS_SIGNAL + WTERMSIG(status);
	} else if (WEXITSTATUS(status) != 0) {
		warn("%s: failed with exit status %d", which, WEXITSTATUS(status));
		if (!t->first_status)
			t->first_status = WEXITSTATUS(status);
	} else {
		note("%s: exit status 0", which);
	}
}

static bool ends_all(int status)
{
	int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	return by == SIGINT || by == SIGTERM || by == SIGHUP || by == SIGQUIT;
}

/* False: no run is to follow. */
static bool run_once(struct trial *t, int side, int time)
{
	const char *file = t->files[index_of(t, side, time)], *which = t->runs[index_of(t, side, time)];
	int status;
	pid_t child;

	note("%s: %s", which, t->q->commands[side]);
	fflush(NULL);
	child = fork();
	if (child < 0) {
		warn("%s: cannot start a process: %s", which, strerror(errno));
		t->first_status = STATUS_OWN_FAILURE;
		return false;
	}
	if (child == 0)
		become_memwatch(t, side, file);
	status = await_end(t, child);
	tell_end(t, which, status);
	t->failed[side] += status != 0;
	if (!t->signo && ends_all(status))
		t->signo = WTERMSIG(status);
	return !t->signo;
}

/* In turn, so that what the machine does meanwhile touches both sides alike. */
static bool run_all(struct trial *t)
{
	for (int time = 0; time < t->q->times; time++)
		for (int side = 0; side < TRIAL_SIDES; side++)
			if (!run_once(t, side, time))
				return false;
	return true;
}

static int compare_files(const struct trial *t)
{
	struct compare_request q = t->q->compare;

	q.files = (const char *const *)t->files;
	q.file_count = (size_t)(TRIAL_SIDES * t->q->times);
	q.base_count = (size_t)t->q->times;
	q.called = (const char *const *)t->runs;
	q.names = t->q->commands;
	return cmd_compare(&q);
}

/* What failed may hold less than it would have: the sentence must not be believed unseen. */
static void tell_failures(const struct trial *t)
{
	for (int side = 0; side < TRIAL_SIDES; side++)
		if (t->failed[side] > 0)
			warn("%s failed in %d of %d run%s: its figures are those of runs that failed",
			     side_name(side), t->failed[side], t->q->times, t->q->times == 1 ? "" : "s");
}

int cmd_trial(const struct trial_request *q, int *signo)
{
	struct trial t = {.q = q};
	int status = STATUS_OWN_FAILURE;

	*signo = 0;
	if (!cmd_compare_can_write(&q->compare) || !(t.dir = make_dir(q->keep)))
		return STATUS_OWN_FAILURE;
	name_files(&t);
	block_signals(&t);
	if (run_all(&t)) {
		status = compare_files(&t);
		if (status != STATUS_OWN_FAILURE)
			tell_failures(&t);
	} else if (t.signo) {
		if (t.alone)
			end_orphans(&t);
		warn("interrupted: nothing is compared");
	}
	clean_up(&t);
	sigaction(SIGPIPE, &t.pipe_before, NULL);
	sigprocmask(SIG_SETMASK, &t.before, NULL);
	*signo = t.signo;
	return t.first_status ? t.first_status : status;
}
