/* SPDX-License-Identifier: MIT */
/* --on-growth: a command of the user's, started so that it cannot disturb what is watched. */
#ifndef WATCH_HOOK_H
#define WATCH_HOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "verdict/judge.h"

struct hook_facts {
	const char *command; /* what is watched; NULL unknown */
	int64_t pid;
	int64_t elapsed_ms, epoch; /* epoch -1: unknown */
};

/* Starts `sh -c command` in a session of its own: standard input is /dev/null, standard output is memwatch's
 * standard error, every other descriptor is closed, signals are as at login; MEMWATCH_* says what is known.
 * Does not wait. Its pid, or -errno. */
pid_t hook_start(const char *command, const struct hook_facts *facts, const struct series_verdict *s);

/* True for the hook and whatever it started: not part of the watched tree. */
bool hook_owns(pid_t hook, pid_t pid);

#endif
