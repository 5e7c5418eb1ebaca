/* SPDX-License-Identifier: MIT */
/* The least number of processes in each epoch, and how straight it rises. Workers that live for a part of each
 * epoch are in no least number. */
#include "series/process_count.h"

enum { LOOKS_LEAST = 4, RISE_LEAST = 3 };
/* Of a single step up in the middle of a run it is 0.87, of one more process in every fifth epoch 0.98. */
#define STRAIGHT 0.95

void crowd_init(struct crowd *c)
{
	*c = (struct crowd){.epoch = -1};
}

static void add(struct crowd *c, double x, int64_t procs)
{
	if (c->line.n == 0)
		c->from = procs;
	c->to = procs;
	runline_add(&c->line, x, (double)procs);
}

void crowd_push(struct crowd *c, int64_t elapsed_ms, int64_t epoch, int64_t procs)
{
	if (procs < 0)
		return;
	if (epoch < 0) {
		add(c, (double)elapsed_ms, procs);
		return;
	}
	if (c->epoch < 0)
		*c = (struct crowd){.epoch = epoch, .least = procs}; /* set-up is over */
	if (epoch != c->epoch) {
		add(c, (double)c->epoch, c->least);
		c->epoch = epoch;
		c->least = procs;
	}
	if (procs < c->least)
		c->least = procs;
}

bool crowd_rises(const struct crowd *c, int64_t *from, int64_t *to)
{
	*from = c->from;
	*to = c->to;
	return c->line.n >= LOOKS_LEAST && c->to - c->from >= RISE_LEAST &&
	       runline_straightness(&c->line) >= STRAIGHT * STRAIGHT;
}
