/* SPDX-License-Identifier: MIT */
/* The process that --pid names: its identity, its command line, its end. */
#ifndef COMMAND_TARGET_H
#define COMMAND_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

enum { ATTACH_COMMAND_MAX = 128 };

struct attach {
	pid_t pid;
	int pidfd; /* readable when the process has ended; -1: Linux before 5.3 and valgrind have none */
	char command[ATTACH_COMMAND_MAX]; /* for people: control characters replaced, cut to fit */
};

enum attach_refusal {
	ATTACH_OK,
	ATTACH_NO_SUCH_PROCESS,
	ATTACH_HIDDEN, /* it exists, but /proc does not show it to us */
	ATTACH_ZOMBIE,
	ATTACH_THREAD,        /* pid is set to the process it belongs to */
	ATTACH_KERNEL_THREAD, /* has no memory of its own */
	ATTACH_FAILED,        /* errno says why */
};

/* Opens the identity of process pid. On ATTACH_OK the caller ends it with attach_close. */
enum attach_refusal attach_open(pid_t pid, struct attach *out);
void attach_close(struct attach *a);
bool attach_ended(const struct attach *a); /* by its pidfd */

/* Copies a command line for people to out. */
void attach_command_text(char *const *argv, char out[ATTACH_COMMAND_MAX]);

#endif
