/* SPDX-License-Identifier: MIT */
/* `memwatch compare --run`: both commands in turn, each time in a process of its own, recorded; then they are compared. */
#ifndef CMD_TRIAL_H
#define CMD_TRIAL_H

#include <stdint.h>

#include "cmd/compare.h"

enum { TRIAL_SIDES = 2 };

struct trial_request {
	const char *commands[TRIAL_SIDES]; /* for sh -c */
	int times;
	int64_t interval_ns;            /* between samples; 0: as memwatch does */
	const char *keep;               /* directory for the recordings; NULL: they are not kept */
	struct compare_request compare; /* how; its files are filled in here */
};

/* Says everything itself. The exit status: that of the first command that failed, else as of cmd_compare(); *signo: the
 * signal that ended it all, 0 none. */
int cmd_trial(const struct trial_request *q, int *signo);

#endif
