/* SPDX-License-Identifier: MIT */
/* memwatch's end of the relay: starts the process that stands between COMMAND's output and where it goes, and
 * hears from it what COMMAND writes. Knows nothing of what the bytes mean. */
#ifndef COMMAND_RELAY_H
#define COMMAND_RELAY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "base/loop.h"
#include "command/output_copy.h"
#include "command/relay_plan.h"
#include "command/session_leader.h"

struct relay {
	pid_t pid;        /* 0: nothing is relayed */
	int fd;           /* control socket; -1: closed */
	unsigned asked;   /* number of the last question */
	int child_fds[3]; /* what COMMAND is to get as 0, 1 and 2; -1: as it is */
	bool terminal;    /* COMMAND runs in a session of its own on a pseudo-terminal */
	bool taken;       /* the user's terminal is set to pass everything on */
	bool hung_up;
	bool killed;          /* it did not end by itself: what COMMAND writes is lost */
	struct termios modes; /* the user's terminal before it was taken */
	bool modes_known;
	struct session_leader_place place;
	struct session_leader leader;
	pid_t command;
	struct output_copy_reader copy;
	struct loop *loop;
	int pause_fd;              /* timer: until it ends the copy is left alone */
	int64_t saved_ns, pass_ns; /* for reading the copy; when it was read last */
	output_copy_fn *fn;
	void *arg;
};

/* Looks at the standard descriptors and forks the relay when there is something to relay; to be called with
 * all signals blocked and before COMMAND is forked. 0, also when nothing is relayed, or -errno. */
int relay_start(struct relay *r, const struct relay_conf *conf);
/* Sets r up to relay nothing. */
void relay_none(struct relay *r);
/* Forks COMMAND, in front of the relay or behind the leader; its descriptors are then no longer memwatch's.
 * 0 or -errno, and then relay_give_up() is to be called. */
int relay_fork(struct relay *r, const struct launch_plan *plan, struct launch_child *out);

/* From now on fn gets what COMMAND writes. 0 or -errno. */
int relay_listen(struct relay *r, struct loop *loop, output_copy_fn *fn, void *arg);

/* Takes what the relay has to say; the loop calls it as long as that runs. */
void relay_ready(struct relay *r);

/* Shows a title on the user's terminal, between what COMMAND writes; conf.title must have been set. A title that the
 * relay does not take at once is left out. */
void relay_title(struct relay *r, const char *title);

/* From now on fn is not called any more. */
void relay_stop_listening(struct relay *r);

/* Only with r->terminal. Before memwatch stops: the user's terminal is given back. Afterwards: it is taken
 * again if the job is in the foreground, COMMAND is told to be in the same ground, and SIGCONT goes to `cont`
 * (as for kill(2), 0 for nobody). */
void relay_release_terminal(struct relay *r);
void relay_resume(struct relay *r, pid_t cont);

/* COMMAND has ended: waits until all it wrote has been passed on and hands the rest to fn. While it waits,
 * interrupted(ctx) is called whenever interrupt_fd is readable; true ends the waiting. The relay lives on
 * alone if somebody else still has COMMAND's output open. */
void relay_finish(struct relay *r, int interrupt_fd, bool (*interrupted)(void *ctx), void *ctx);

/* The relay's process has ended, with this status as from waitpid. */
void relay_ended(struct relay *r, int status);

/* COMMAND could not be forked: the relay ends and the terminal is as it was. r relays nothing then. */
void relay_give_up(struct relay *r);

#endif
