/* SPDX-License-Identifier: MIT */
/* The process that leads the session of a pseudo-terminal and is COMMAND's parent in it. COMMAND cannot lead
 * it: its process group would be an orphaned one, in which the kernel discards Ctrl-Z, and its end would hang
 * up the terminal of what it leaves behind. */
#ifndef COMMAND_SESSION_LEADER_H
#define COMMAND_SESSION_LEADER_H

#include <stdbool.h>
#include <sys/types.h>

#include "command/launch.h"

struct session_leader {
	pid_t pid; /* 0: there is none */
	int fd;    /* readable when there is news; -1: closed */
	int order_fd;
	unsigned orders; /* given so far */
	bool gone;       /* it has ended before its time: COMMAND, if alive, is memwatch's own child now */
};

struct session_leader_place {
	int tty;         /* the pseudo-terminal COMMAND gets */
	int life;        /* reads as closed once the relay has ended */
	bool foreground; /* memwatch's own job is */
};

/* As launch_fork, with the leader in between. COMMAND leads a process group of its own. 0, or -errno and there is
 * neither. */
int session_leader_fork(struct session_leader *m, const struct session_leader_place *place,
			const struct launch_plan *plan, struct launch_child *out);

/* COMMAND's group becomes the terminal's foreground or background; then SIGCONT goes to `cont`, which is as
 * for kill(2), 0 for nobody. Returns when that is done: a SIGTSTP that memwatch sends next must not come
 * before. */
void session_leader_order(struct session_leader *m, bool foreground, pid_t cont);

enum session_leader_news {
	SESSION_LEADER_NOTHING, /* for now */
	SESSION_LEADER_STARTED, /* COMMAND's process number */
	SESSION_LEADER_FAILED,  /* errno: there is no COMMAND */
	SESSION_LEADER_STATUS,  /* COMMAND's new state, as from waitpid */
	SESSION_LEADER_SIGNAL,  /* a signal that all of COMMAND's process group got */
};

/* The next thing the leader has seen. */
enum session_leader_news session_leader_next(struct session_leader *m, int *value);

void session_leader_close(struct session_leader *m);

#endif
