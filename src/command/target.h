/* SPDX-License-Identifier: MIT */
/* The process that --pid names: its identity, its command line, its end. */
#ifndef COMMAND_TARGET_H
#define COMMAND_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

enum { TARGET_COMMAND_MAX = 128 };

struct target {
	pid_t pid;
	int pidfd; /* readable when the process has ended; -1: Linux before 5.3, valgrind and filters give none */
	char command[TARGET_COMMAND_MAX]; /* for people: control characters replaced, cut to fit */
};

enum target_refusal {
	TARGET_OK,
	TARGET_NO_SUCH_PROCESS,
	TARGET_HIDDEN, /* it exists, but /proc does not show it to us */
	TARGET_ZOMBIE,
	TARGET_THREAD,        /* pid is set to the process it belongs to */
	TARGET_KERNEL_THREAD, /* has no memory of its own */
};

/* Opens the identity of process pid. On TARGET_OK the caller ends it with target_close. */
enum target_refusal target_open(pid_t pid, struct target *out);
void target_close(struct target *a);
bool target_ended(const struct target *a); /* by its pidfd */

/* Copies a command line for people to out. */
void target_command_text(char *const *argv, char out[TARGET_COMMAND_MAX]);

#endif
