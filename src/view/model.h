/* SPDX-License-Identifier: MIT */
/* What the live view shows, taken from the run at one moment: a paused view keeps it. */
#ifndef VIEW_MODEL_H
#define VIEW_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "series/history.h"
#include "verdict/growing_processes.h"
#include "verdict/run_verdict.h"

struct view_process {
	pid_t pid;
	char name[16];
	uint64_t bytes; /* held */
	bool grows;     /* by */
	double slope;   /* bytes per epoch or per second, as model.per_epoch says */
};

struct view_series {
	struct series_verdict verdict;
	struct reading now;
	const char *device; /* "NVIDIA A100"; borrowed; NULL for the host, or unknown */
};

enum { VIEW_MESSAGE_MAX = 512 };

struct view_model {
	const char *command; /* borrowed */
	pid_t pid;
	bool attached; /* leaving the view ends the watching */
	int64_t elapsed_ms;
	int64_t epochs, planned; /* finished, and told by the program; -1 unknown */
	const struct history *history;
	int64_t until_ms;           /* where the history ends, in its own time */
	struct view_series *series; /* host first; the owner's */
	int n_series;
	struct reading heap_used, heap_free;
	bool per_epoch;
	struct view_process processes[GROWING_PROCESSES_MAX]; /* what grows first, then by size */
	int n_processes;
	int64_t procs;                  /* of the tree, more than the above perhaps */
	char message[VIEW_MESSAGE_MAX]; /* for the last row; "" none */
};

#endif
