/* SPDX-License-Identifier: MIT */
/* What a run says while it goes on: growth that is established, growth that settled after all, memory that is
 * nearly full; --on-growth and --until-verdict. */
#ifndef WATCH_ALERTS_H
#define WATCH_ALERTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "verdict/judge.h"

struct alerts; /* opaque */

struct alerts_conf {
	const char *on_growth; /* borrowed; NULL for none */
	const char *command;   /* what is watched, borrowed; NULL unknown */
	pid_t pid;
};

struct alerts *alerts_new(const struct alerts_conf *conf);
void alerts_free(struct alerts *a);

/* After each sample; judges when there is something new and the budget allows, else returns at once. */
void alerts_look(struct alerts *a, struct judge *j, const struct sample *s);

/* Every series has had the same firm verdict at two looks in a row. */
bool alerts_all_firm(const struct alerts *a);

/* Looks in a row, the last one included, at which the host grew, firm or not; *per_epoch: by epochs. */
int alerts_growing(const struct alerts *a, bool *per_epoch);

/* Growth of some series has been said, and not taken back. */
bool alerts_said_growth(const struct alerts *a);

/* The process of --on-growth; 0 while there is none. See hook_owns(). */
pid_t alerts_hook(const struct alerts *a);

#endif
