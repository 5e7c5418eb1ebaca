/* SPDX-License-Identifier: MIT */
/* Running COMMAND so that it sees and shows exactly what it would without memwatch. */
#ifndef COMMAND_LAUNCH_H
#define COMMAND_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What memwatch changes of itself and COMMAND must not inherit. */
struct wrap_world {
	sigset_t mask;
	struct sigaction sigchld;
	struct rlimit nofile;
};

/* First thing in main(): a descriptor among 0, 1 and 2 that is closed is held closed-on-exec, so that nothing
 * memwatch opens lands there and COMMAND still finds it closed. */
void wrap_reserve_std_fds(void);
bool wrap_std_fd_was_closed(int fd);

/* Saves the world, blocks signals, raises memwatch's own limit of descriptors and makes it the subreaper. */
void wrap_enter(struct wrap_world *w);
/* Undoes it in the child. */
void wrap_leave(const struct wrap_world *w);

struct wrap_child {
	pid_t pid;
	int go_fd;     /* the child waits here before it becomes COMMAND */
	int report_fd; /* errno of a failed exec comes here; closed by a successful one */
};

/* COMMAND finds in it the name of the file that epochs are marked in, see epochs/marks.h. */
#define MARKS_VARIABLE "MEMWATCH_MARKS"

struct wrap_plan {
	char **argv;
	const struct wrap_world *world;
	const char *marks_path; /* the value of MARKS_VARIABLE; NULL without */
	bool unbuffered;        /* PYTHONUNBUFFERED=1 */
	const int *fds; /* three descriptors that become COMMAND's 0, 1 and 2; -1: as memwatch has it */
};

/* What the process that will become COMMAND waits for, and what it says when it cannot. */
struct wrap_gate {
	int go[2], report[2];
};

/* The steps of wrap_fork, for a fork that is not memwatch's own: open, in the child become, in memwatch keep.
 * 0 or -errno. */
int wrap_gate_open(struct wrap_gate *gate);
void wrap_gate_close(struct wrap_gate *gate);
void wrap_gate_keep(struct wrap_gate *gate, struct wrap_child *out); /* all but out->pid */
_Noreturn void wrap_become(const struct wrap_plan *plan, struct wrap_gate *gate);

/* Forks the process that will become COMMAND; it waits for wrap_exec. 0 or -errno. */
int wrap_fork(const struct wrap_plan *plan, struct wrap_child *out);
/* Lets it go on. 0 once COMMAND runs, or -errno of the failed exec (the child is then gone and reaped). */
int wrap_exec(struct wrap_child *c);
/* After the fork: memwatch lets go of the standard input and output that are COMMAND's, so that whoever is at
 * their other end sees COMMAND close them. With keep_stdout memwatch's own data goes there. */
void wrap_release_std_fds(bool keep_stdout);

/* Gives it up before it became COMMAND. */
void wrap_cancel(struct wrap_child *c);

#endif
