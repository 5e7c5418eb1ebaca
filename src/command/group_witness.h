/* SPDX-License-Identifier: MIT */
/* A tiny process beside memwatch, in the same process group, with every signal blocked. It answers what
 * nothing else can: was a signal sent to the whole group (then COMMAND has it already) or to memwatch alone
 * (then it is to be forwarded)? And it wakes a stopped memwatch when COMMAND goes on. */
#ifndef COMMAND_GROUP_WITNESS_H
#define COMMAND_GROUP_WITNESS_H

#include <stdbool.h>
#include <sys/types.h>

struct group_witness {
	pid_t pid;
	int fd;
	unsigned asked; /* number of the last question */
};

/* Forks the witness; to be called before COMMAND is forked and with all signals blocked. 0 or -errno. */
int group_witness_start(struct group_witness *s);
/* Ends and reaps it. */
void group_witness_stop(struct group_witness *s);

/* Did the whole process group get this signal since it was last asked for? False when the witness is gone. */
bool group_witness_take_group_signal(struct group_witness *s, int signo);

bool group_witness_is_stopped(pid_t pid);

/* From now on: send memwatch a SIGCONT as soon as process pid is no longer stopped. */
void group_witness_watch_stopped(struct group_witness *s, pid_t pid);
void group_witness_unwatch(struct group_witness *s);

#endif
