/* SPDX-License-Identifier: MIT */
/* Windows on their way into a view. Nobody but the files that build one includes this. */
#ifndef SERIES_SPANS_H
#define SERIES_SPANS_H

#include "series/windows.h"

struct spans {
	int n;
	struct span w[VIEW_MAX];
};

/* Joins windows of equal time to one per period of the memory itself; false, and nothing done, when there is
 * none. setup: windows that are left out of it, 0 unknown. */
bool period_group(struct spans *a, int setup);

/* The window where the set-up of a process watched from its launch on ends; 0: not seen. start: its first
 * rows, bytes; setup_ms: as in the series. */
int launch_end(const struct spans *a, double start, int64_t setup_ms);

#endif
