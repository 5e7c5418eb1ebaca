/* SPDX-License-Identifier: MIT */
/* What earlier watching of the same process saw, from the runs that were kept: after a lost connection the view goes on
 * where it was. */
#ifndef WATCH_EARLIER_H
#define WATCH_EARLIER_H

#include <stdint.h>
#include <sys/types.h>

#include "series/history.h"

struct earlier {
	struct history *history; /* time begins with the first row kept */
	int64_t began_ms;        /* since 1970: that row */
};

/* Reads in a thread of its own, as the folder may hang. Readable once there is an answer; the caller closes it. -1: none
 * is to be had. */
int earlier_start(pid_t pid);
/* The answer; history NULL: nothing was kept. The history is the caller's. */
struct earlier earlier_take(int fd);

#endif
