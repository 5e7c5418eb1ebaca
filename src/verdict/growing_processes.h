/* SPDX-License-Identifier: MIT */
/* Which process of the tree grows, by epochs and by time. Known live only. */
#ifndef VERDICT_GROWING_PROCESSES_H
#define VERDICT_GROWING_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/host.h"
#include "record/sample.h"

struct growing_processes; /* opaque; constant memory */

enum { GROWING_PROCESSES_MAX = 64 }; /* followed at a time: the rest of a larger tree is not looked at */

struct growing_process {
	pid_t pid;
	char name[16];
	bool root, live;
	uint64_t held_bytes; /* at the last look */
	int looks;
	double slope; /* bytes per epoch or per second, as asked for */
	double share; /* of all that grows, 0 to 1; see growing_processes_top() */
};

struct growing_processes *growing_processes_new(void);
void growing_processes_free(struct growing_processes *c);

/* After each sample; returns at once but at the end of an epoch and every 5 s. No allocation. */
void growing_processes_look(struct growing_processes *c, const struct host *h, const struct sample *s);

/* Those that grow, fastest first: at most max, and none seen fewer than four times. Shares are of all they grow
 * by or, if that is more, of whole: growth in which others have a part. Returns how many. */
int growing_processes_top(const struct growing_processes *c, bool per_epoch, double whole,
			  struct growing_process *out, int max);

#endif
