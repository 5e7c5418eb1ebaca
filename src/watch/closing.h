/* SPDX-License-Identifier: MIT */
/* The end of a watched run: what is said, what is written, what status follows. */
#ifndef WATCH_CLOSING_H
#define WATCH_CLOSING_H

#include <stdbool.h>

#include "watch/ending.h"
#include "watch/watch.h"

struct watch_end {
	int status;        /* exit status for main() to give */
	bool driver_hangs; /* a thread sits in the GPU driver: only _exit() ends memwatch */
	int signo;         /* not 0: COMMAND was ended by this signal, and so should memwatch be */
};

/* Says what was seen, writes the reports and closes w. how: "exit status 0". Sets end->status to 0, 3
 * (--fail-on) or, attached, 125 (a report or a row could not be written). */
void watch_end_run(struct watch *w, const char *how, enum ending_fate fate, struct watch_end *out);

/* The report as of now into a file, by its suffix. 0, or -errno with the message said. */
int watch_save_report(struct watch *w, const char *name);

#endif
