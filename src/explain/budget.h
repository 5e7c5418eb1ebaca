/* SPDX-License-Identifier: MIT */
/* How much of a run's time snapshots may take. Pure. */
#ifndef EXPLAIN_BUDGET_H
#define EXPLAIN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct explain_budget {
	int64_t spent_ms;    /* by all snapshots so far */
	int64_t expected_ms; /* of the next one */
};

/* A moment at which a snapshot could be taken. */
struct explain_moment {
	int round; /* 0: the first comparison of this run, which may take a greater share */
	int taken; /* snapshots of the round so far: one that has begun may take more than was expected */
	int of;    /* snapshots in a round */
	int64_t whole_ms; /* how long the run takes, as far as is known */
};

/* The next one may be taken, as far as is known. */
bool explain_budget_allows(const struct explain_budget *b, const struct explain_moment *m);

#endif
