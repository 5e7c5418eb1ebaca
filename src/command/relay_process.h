/* SPDX-License-Identifier: MIT */
/* The process between COMMAND and its output, as the one that forks it sees it. */
#ifndef COMMAND_RELAY_PROCESS_H
#define COMMAND_RELAY_PROCESS_H

#include <stdbool.h>

#include "command/output_copy.h"

enum { RELAY_PIPES_MAX = 2 };

struct relay_setup {
	int control;
	struct output_copy_writer copy;
	int tty, master; /* the user's terminal and COMMAND's; -1: none */
	bool title;      /* of the user's terminal: to be set from time to time */
	int life;        /* only kept open: tells the leader that the relay lives */
	int pipe_count;
	struct relay_ends {
		int in, out, stream;
	} pipes[RELAY_PIPES_MAX];
};

/* The relay's whole life, in a process just forked. */
_Noreturn void relay_process(const struct relay_setup *setup);

#endif
