/* SPDX-License-Identifier: MIT */
/* Does the number of processes rise from epoch to epoch, as when workers are started and never joined? Pure;
 * constant memory. */
#ifndef SERIES_PROCESS_COUNT_H
#define SERIES_PROCESS_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/regression.h"

struct process_count {
	int64_t epoch; /* that runs; -1 before the first sign of one */
	int64_t least; /* processes in it, at the least */
	int64_t from, to;
	struct regression line; /* of the number over epochs */
};

void process_count_init(struct process_count *c);

/* One row: epochs finished so far, or -1; processes in the tree, or -1 when that is not known. */
void process_count_push(struct process_count *c, int64_t elapsed_ms, int64_t epoch, int64_t procs);

/* True when it rises to the end: from so many processes to so many, the running epoch left out. */
bool process_count_rises(const struct process_count *c, int64_t *from, int64_t *to);

#endif
