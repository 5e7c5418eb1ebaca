/* SPDX-License-Identifier: MIT */
/* The process that leads the session of a pseudo-terminal and is COMMAND's parent in it. COMMAND cannot lead
 * it: its process group would be an orphaned one, in which the kernel discards Ctrl-Z, and its end would hang
 * up the terminal of what it leaves behind. */
#ifndef COMMAND_SESSION_LEADER_H
#define COMMAND_SESSION_LEADER_H

#include <stdbool.h>
#include <sys/types.h>

#include "command/launch.h"

struct monitor {
	pid_t pid; /* 0: there is none */
	int fd;    /* readable when there is news; -1: closed */
	int order_fd;
	bool gone; /* it has ended before its time: COMMAND, if alive, is memwatch's own child now */
};

struct monitor_place {
	int tty;         /* the pseudo-terminal COMMAND gets */
	int life;        /* reads as closed once the relay has ended */
	bool foreground; /* memwatch's own job is */
};

/* As wrap_fork, with the monitor in between. COMMAND leads a process group of its own. 0 or -errno. */
int monitor_fork(struct monitor *m, const struct monitor_place *place, const struct wrap_plan *plan,
		 struct wrap_child *out);

/* COMMAND's group becomes the terminal's foreground or background; then SIGCONT goes to `cont`, which is as
 * for kill(2), 0 for nobody. Returns when that is done: a SIGTSTP that memwatch sends next must not come
 * before. */
void monitor_order(struct monitor *m, bool foreground, pid_t cont);

enum monitor_news {
	MONITOR_NOTHING, /* for now */
	MONITOR_STARTED, /* COMMAND's process number */
	MONITOR_STATUS,  /* COMMAND's new state, as from waitpid */
	MONITOR_SIGNAL,  /* a signal that all of COMMAND's process group got */
};

/* The next thing the monitor has seen. */
enum monitor_news monitor_next(struct monitor *m, int *value);

void monitor_close(struct monitor *m);

#endif
