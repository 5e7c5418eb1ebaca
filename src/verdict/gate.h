/* SPDX-License-Identifier: MIT */
/* --fail-on: which verdicts make the exit status 3. */
#ifndef VERDICT_GATE_H
#define VERDICT_GATE_H

#include <stdbool.h>

#include "verdict/run_verdict.h"

enum fail_on {
	FAIL_ON_GROWTH = 1 << 0,
	FAIL_ON_LIMIT =
	    1
	    << 1, /* growth that exceeds it by the planned end, else that is nearly there; a host within 5 % of it; a kill */
	FAIL_ON_RETAINED = 1 << 2, /* GPU memory still held after the end; known live only */
};

/* Did a series end as one of fail_on (or-ed)? */
bool gate_fails(const struct run_verdict *run, unsigned fail_on);

#endif
