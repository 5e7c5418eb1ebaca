/* SPDX-License-Identifier: MIT */
/* A tiny process in COMMAND's process group, with every signal blocked, for a COMMAND that runs in a session
 * of its own. What the whole group gets, by a key or by kill(2), the job that memwatch belongs to would have
 * got too. */
#ifndef COMMAND_SESSION_WITNESS_H
#define COMMAND_SESSION_WITNESS_H

#include <sys/types.h>

struct session_witness {
	pid_t pid;
	int fd;
	unsigned syncs; /* asked for so far */
};

/* Called for each signal that the group got and that its sender meant for the whole job. */
typedef void session_witness_fn(void *arg, int signo);

/* Forks it into the group; fn runs in the new process. `own` are senders whose signals the job knows already.
 * To be called with all signals blocked; keep_fd stays open in the new process. 0 or -errno. */
int session_witness_start(struct session_witness *m, pid_t group, const pid_t own[2], int keep_fd,
			  session_witness_fn *fn, void *arg);

/* Waits until fn has been called for every signal sent so far, or the witness is stopped or gone. */
void session_witness_sync(struct session_witness *m);

/* Ends it. */
void session_witness_stop(struct session_witness *m);

#endif
