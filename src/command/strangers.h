/* SPDX-License-Identifier: MIT */
/* Processes that were memwatch's children before it ran anything, and what they start: a shell that makes way for
 * memwatch leaves it the helpers of a process substitution. They are no part of the run. */
#ifndef COMMAND_STRANGERS_H
#define COMMAND_STRANGERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { STRANGERS_MAX = 64 };

struct stranger {
	pid_t pid;
	uint64_t start_ticks; /* tells it from a later process of the same number */
};

struct strangers {
	struct stranger known[STRANGERS_MAX];
	size_t count;
};

/* Before memwatch forks: its children and theirs. */
void strangers_note(struct strangers *s);

/* Whether pid is one of them; its children are then noted too, as they come to memwatch when it ends. */
bool strangers_own(struct strangers *s, pid_t pid);

#endif
