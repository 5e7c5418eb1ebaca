/* SPDX-License-Identifier: MIT */
/* The live view of a watched run: when it is shown, its keys, and what is said meanwhile. */
#ifndef WATCH_LIVE_H
#define WATCH_LIVE_H

#include <stdbool.h>

#include "watch/watch.h"

/* Is there to be a view, asked for or by itself? *status: 0, or 125 with the message said where --live cannot be
 * obeyed. Before COMMAND is started. */
bool live_wanted(const struct options *o, int *status);

/* Shows it, once the run has begun; there is one at a time. Where it cannot be shown after all, that is said if it was
 * asked for. */
void live_open(struct watch *w);

/* All of these do nothing while there is none. */

/* The terminal is as it was, and what was said meanwhile is said again. */
void live_close(void);
/* Around memwatch's being stopped, as by Ctrl-Z. */
void live_pause(void);
void live_resume(void);
/* The terminal has another size. */
void live_resized(void);

#endif
