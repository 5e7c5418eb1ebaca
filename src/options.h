/* SPDX-License-Identifier: MIT */
/* The command line: one row per option, from which parsing, --help and the completions come. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "msg.h"

enum command { COMMAND_WATCH, COMMAND_HELP, COMMAND_VERSION };

enum { PIDS_MAX = 256 };

struct options {
	enum command command;
	pid_t pids[PIDS_MAX]; /* attach: what to watch */
	size_t pid_count;
	char **
	    argv; /* wrap: COMMAND and its arguments, NULL-terminated, borrowed from main(); NULL for attach */
	int64_t interval_ns;
	int64_t duration_ns; /* 0: no end */
	const char *output;  /* CSV file, "-" for standard output, NULL for none; % expansions not yet done */
	bool force;
	bool no_children;
	enum msg_level level;
	enum msg_colour colour;
};

/* Parses or ends memwatch with a message and status 125. The strings of argv are borrowed. */
void options_parse(int argc, char **argv, struct options *out);

void options_help(void); /* to standard output */

#endif
