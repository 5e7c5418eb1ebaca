/* SPDX-License-Identifier: MIT */
/* --explain: the snapshots that are compared, in rounds, and what has come of them. Asks nobody. */
#ifndef WATCH_SNAPSHOTS_H
#define WATCH_SNAPSHOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "explain/budget.h"
#include "explain/explanation.h"
#include "verdict/judge.h"
#include "watch/asked_process.h"
#include "watch/epoch_ends.h"
#include "watch/question.h"

enum {
	SNAPSHOT_ROUNDS = 2,     /* comparisons */
	SNAPSHOTS_PER_ROUND = 3, /* at most six in all */
};

struct snapshots {
	struct judge *judge;           /* borrowed */
	const struct epoch_ends *ends; /* of the run so far; borrowed */
	struct explain_budget budget;
	pid_t counted;                /* whose objects are known in number, so that a round can be begun */
	int rounds;                   /* begun */
	int in_round;                 /* asked for in this one; 0: none is begun */
	struct epoch_end first, last; /* of it, when they were taken */
	int64_t clear_from;           /* ends of epochs seen when a snapshot's own memory is given back */
	bool told;                    /* the names have been said */
	struct explanation found;
};

void snapshots_init(struct snapshots *s, struct judge *judge, const struct epoch_ends *ends);

/* Where there is growth, another one is to be taken. */
bool snapshots_want_more(const struct snapshots *s);
/* False: it would take too much of a run that takes so long. */
bool snapshots_afford(const struct snapshots *s, int64_t whole_ms);

/* The next one has been asked for. */
void snapshots_asked(struct snapshots *s);
/* The round that has begun ends without a comparison: it is begun again later. */
void snapshots_leave_round(struct snapshots *s, enum explain_left why);
void snapshots_leave_for_cost(struct snapshots *s);

/* The answer to q, whose pid is not 0; text NULL: it could not be read. Names that it brings are said. Takes text to
 * pieces. */
void snapshots_take_answer(struct snapshots *s, const struct question *q, char *text, int64_t now_ns);

/* They take memory of the program's now: what it holds is not its own. */
bool snapshots_disturb(const struct snapshots *s);

/* What has been found, with what others know: whether there was growth to ask about (wanted), and whom. */
const struct explanation *snapshots_explain(struct snapshots *s, bool wanted, const struct asked_process *who,
					    const struct question *q);

#endif
