/* SPDX-License-Identifier: MIT */
/* A tiny process beside memwatch, in the same process group, with every signal blocked. It answers what
 * nothing else can: was a signal sent to the whole group (then COMMAND has it already) or to memwatch alone
 * (then it is to be forwarded)? And it wakes a stopped memwatch when COMMAND goes on. */
#ifndef COMMAND_GROUP_WITNESS_H
#define COMMAND_GROUP_WITNESS_H

#include <stdbool.h>
#include <sys/types.h>

struct sentry {
	pid_t pid;
	int fd;
};

/* Forks the sentry; to be called before COMMAND is forked and with all signals blocked. 0 or -errno. */
int sentry_start(struct sentry *s);
/* Ends and reaps it. */
void sentry_stop(struct sentry *s);

/* Did the whole process group get this signal since it was last asked for? False when the sentry is gone. */
bool sentry_take_group_signal(struct sentry *s, int signo);

bool sentry_is_stopped(pid_t pid);

/* From now on: send memwatch a SIGCONT as soon as process pid is no longer stopped. */
void sentry_watch_stopped(struct sentry *s, pid_t pid);
void sentry_unwatch(struct sentry *s);

#endif
