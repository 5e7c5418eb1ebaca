/* SPDX-License-Identifier: MIT */
/* --explain: what becomes of the answers, and of the comparison that they belong to. */
#ifndef WATCH_NAMES_ANSWER_H
#define WATCH_NAMES_ANSWER_H

#include "watch/names.h"

enum {
	NAMES_ROUNDS = 2,
	NAMES_PER_ROUND = 3, /* snapshots: at most six in all */
};

/* Takes the answer that is awaited, if it is there; names that it brings are said. arg: the struct watch_names. */
void names_answer_hear(void *arg);
/* The comparison that has begun ends without one: it is begun again later. */
void names_answer_leave_round(struct watch_names *n, enum explain_left why);

#endif
