/* SPDX-License-Identifier: MIT */
/* What to look at next, from a table keyed by what was seen and where. A run that needs no advice gets
 * none. */
#ifndef VERDICT_ADVICE_H
#define VERDICT_ADVICE_H

#include "verdict/judge.h"

enum { ADVICE_MAX = 4 };

/* Lines for series i of the run, the most telling first; static strings. Returns how many. */
int advice_lines(const struct run_verdict *run, int i, const char *out[ADVICE_MAX]);

/* Those of them that no later series of the same kind has: of eight GPUs that leak alike, the last gets them. */
int advice_last_lines(const struct run_verdict *run, int i, const char *out[ADVICE_MAX]);

#endif
