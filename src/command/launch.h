/* SPDX-License-Identifier: MIT */
/* Running COMMAND so that it sees and shows exactly what it would without memwatch. */
#ifndef COMMAND_LAUNCH_H
#define COMMAND_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What memwatch changes of itself and COMMAND must not inherit. */
struct launch_world {
	sigset_t mask;
	struct sigaction sigchld;
	struct rlimit nofile;
};

/* First thing in main(): a descriptor among 0, 1 and 2 that is closed is held closed-on-exec, so that nothing
 * memwatch opens lands there and COMMAND still finds it closed. */
void launch_reserve_std_fds(void);
bool launch_std_fd_was_closed(int fd);

/* Saves the world, blocks signals, raises memwatch's own limit of descriptors and makes it the subreaper. */
void launch_enter(struct launch_world *w);

struct launch_child {
	pid_t pid;
	int go_fd;     /* the child waits here before it becomes COMMAND */
	int report_fd; /* what failed comes here; closed by a successful exec */
};

/* COMMAND finds in it the name of the file that epochs are marked in, see epochs/marks.h. */
#define MARKS_VARIABLE "MEMWATCH_MARKS"

struct launch_plan {
	char **argv;
	const struct launch_world *world;
	const char *marks_path;  /* the value of MARKS_VARIABLE; NULL without */
	const char *python_path; /* the value of PYTHONPATH; NULL as it is */
	bool unbuffered;         /* PYTHONUNBUFFERED=1 */
	const int *fds; /* three descriptors that become COMMAND's 0, 1 and 2; -1: as memwatch has it */
};

/* What the process that will become COMMAND waits for, and what it says when it cannot. */
struct launch_gate {
	int go[2], report[2];
};

/* The steps of launch_fork, for a fork that is not memwatch's own: open, in the child become, in memwatch keep.
 * 0 or -errno. */
int launch_gate_open(struct launch_gate *gate);
void launch_gate_close(struct launch_gate *gate);
void launch_gate_keep(struct launch_gate *gate, struct launch_child *out); /* all but out->pid */
_Noreturn void launch_become(const struct launch_plan *plan, struct launch_gate *gate);

/* Forks the process that will become COMMAND; it waits for launch_exec. 0 or -errno. */
int launch_fork(const struct launch_plan *plan, struct launch_child *out);
/* Lets it go on. LAUNCH_RUNS, or what failed with its errno in *err: the child is then gone and reaped. */
enum launch_outcome { LAUNCH_RUNS, LAUNCH_NOT_STARTED, LAUNCH_NOT_RUNNABLE };
enum launch_outcome launch_exec(struct launch_child *c, int *err);
/* After launch_exec: exec() tells of its success before the program's own pages are there, and a sample taken then would
 * show a few KiB of arguments. Waits for the first of them, or COMMAND's end, and for a short time only. */
void launch_await_image(const struct launch_child *c);
/* After the fork: memwatch lets go of the standard input and output that are COMMAND's, so that whoever is at
 * their other end sees COMMAND close them. With keep_stdout memwatch's own data goes there. */
void launch_release_std_fds(bool keep_stdout);

/* Gives it up before it became COMMAND. */
void launch_cancel(struct launch_child *c);

#endif
