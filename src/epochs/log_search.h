/* SPDX-License-Identifier: MIT */
/* Finds the files that the processes of a tree write their output to: "sh -c 'python fit.py >log'". */
#ifndef EPOCHS_LOG_SEARCH_H
#define EPOCHS_LOG_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "epochs/feed.h"

struct log_search {
	struct epoch_feed *feed; /* borrowed */
	int64_t born_ns;         /* since 1970: a file made later is of this run */
	int64_t due_ms;          /* of the run: when to look next */
	size_t turn;             /* whose turn it is then, where there are too many for one look */
};

/* Before COMMAND starts. */
void log_search_init(struct log_search *s, struct epoch_feed *feed);

/* To be called in every tick with the processes alive: looks twice a second at 32 of them at most, and at none
 * once epochs are known. */
void log_search_look(struct log_search *s, const pid_t *pids, size_t count, int64_t elapsed_ms);

#endif
