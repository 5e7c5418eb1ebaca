/* SPDX-License-Identifier: MIT */
#ifndef CMD_WATCH_H
#define CMD_WATCH_H

#include "options.h"

struct watch_end {
	int status; /* exit status for main() to give */
	bool driver_hangs; /* a thread sits in the GPU driver: only _exit() ends memwatch */
	int signo;  /* not 0: COMMAND was ended by this signal, and so should memwatch be */
};

/* Attach or wrap, as the options say, until the end. */
void cmd_watch(const struct options *options, struct watch_end *end);

#endif
