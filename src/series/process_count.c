/* SPDX-License-Identifier: MIT */
/* The least number of processes in each epoch, and how straight it rises. Workers that live for a part of each
 * epoch are in no least number. */
#include "series/process_count.h"

enum { LOOKS_LEAST = 4, RISE_LEAST = 3 };
/* A single step up in the middle of a run is less straight, one more process in every fifth epoch is more so. */
#define STRAIGHT 0.95

void process_count_init(struct process_count *c)
{
	*c = (struct process_count){.epoch = -1};
}

static void add(struct process_count *c, double x, int64_t procs)
{
	if (c->line.n == 0)
		c->from = procs;
	c->to = procs;
	regression_add(&c->line, x, (double)procs);
}

void process_count_push(struct process_count *c, int64_t elapsed_ms, int64_t epoch, int64_t procs)
{
	if (procs < 0)
		return;
	if (epoch < 0) {
		add(c, (double)elapsed_ms, procs);
		return;
	}
	if (c->epoch < 0)
		*c = (struct process_count){.epoch = epoch, .least = procs}; /* set-up is over */
	if (epoch != c->epoch) {
		add(c, (double)c->epoch, c->least);
		c->epoch = epoch;
		c->least = procs;
	}
	if (procs < c->least)
		c->least = procs;
}

bool process_count_rises(const struct process_count *c, int64_t *from, int64_t *to)
{
	*from = c->from;
	*to = c->to;
	return c->line.n >= LOOKS_LEAST && c->to - c->from >= RISE_LEAST &&
	       regression_straightness(&c->line) >= STRAIGHT * STRAIGHT;
}
