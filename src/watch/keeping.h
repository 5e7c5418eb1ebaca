/* SPDX-License-Identifier: MIT */
/* The samples of a run on their way to the user's state folder. A folder that hangs, fails or is full holds nobody up:
 * rows go through a pipe to a thread that alone touches it, and what does not fit into the pipe is left out. */
#ifndef WATCH_KEEPING_H
#define WATCH_KEEPING_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/sample.h"

struct keeping; /* opaque */

enum {
	KEEPING_LEAST_MS = 2000, /* shorter runs are not kept: a loop of them would push out the long ones */
	KEEPING_MOST_BYTES = 32 << 20, /* of a run */
};

/* NULL: there is no folder or no pipe to be had; said with -v. All other functions take NULL. */
struct keeping *keeping_new(pid_t watched);
void keeping_columns(struct keeping *k, const struct channel *gpu, int count);
/* As a run gets longer, ever fewer rows are kept; those of an epoch's end and those with a reading of the heap always. */
void keeping_row(struct keeping *k, const struct sample *s);
/* So far all is well. */
bool keeping_works(const struct keeping *k);
/* False: the folder hangs, and a thread with it; memwatch must end by _exit(). */
bool keeping_close(struct keeping *k);

#endif
