/* SPDX-License-Identifier: MIT */
/* Which machine-learning libraries a process has mapped, by the names of its mapped files: Python imports them, and
 * nothing else of a program tells from outside. */
#ifndef HOST_FRAMEWORKS_H
#define HOST_FRAMEWORKS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/host.h"
#include "record/sample.h"

enum framework {
	FRAMEWORK_TORCH = 1 << 0,
	FRAMEWORK_TENSORFLOW = 1 << 1,
	FRAMEWORK_JAX = 1 << 2,
	FRAMEWORK_SKLEARN = 1 << 3,
	FRAMEWORK_PYTHON = 1 << 4, /* whatever it has imported */
	FRAMEWORK_NONE = 1 << 5,   /* the mappings are known, and Python is not among them */
	FRAMEWORK_BOOSTING = 1 << 6,
};

struct frameworks {
	bool known;          /* the mappings could be read */
	unsigned found;      /* of enum framework, or-ed */
	int64_t next_ms;     /* no look before */
	int64_t epoch;       /* at the last sample; -1 none */
	uint64_t file_bytes; /* of the tree at the last look: without more of them nothing was imported */
};

void frameworks_init(struct frameworks *f);

/* Of enum framework, or-ed; 0 while nothing is known. */
unsigned frameworks_found(const struct frameworks *f);

/* After each sample: reads the mappings of the largest process when the first epoch begins and ends and 2, 4, ... 64 s
 * after the start, if files were mapped since the last time. */
void frameworks_look(struct frameworks *f, const char *proc_root, const struct host *h,
		     const struct sample *s);

#endif
