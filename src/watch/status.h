/* SPDX-License-Identifier: MIT */
/* --status: value, slope and verdict so far in the title of the terminal, while others write to it. */
#ifndef WATCH_STATUS_H
#define WATCH_STATUS_H

#include <stdbool.h>

#include "command/relay.h"
#include "watch/watch.h"

/* Asked for, and this terminal is known to have a title; what is amiss is said. */
bool status_wanted(const struct options *o);

/* Once the run has begun. The relay, which knows where there is room between what COMMAND writes, shows the title where
 * it has the terminal; NULL for none. It must outlive the status. */
void status_open(struct watch *w, struct relay *relay);
/* The title is as it was, where the terminal can. Nothing where there is none. */
void status_close(void);

#endif
