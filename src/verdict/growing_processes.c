/* SPDX-License-Identifier: MIT */
/* A running least-squares slope for each process of the tree, from its own figures as the host source last
 * read them. Says who; that there is growth at all is the detector's word. */
#include "verdict/growing_processes.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/regression.h"
#include "base/xalloc.h"

enum { BLIND_STEP_MS = 5000, LOOKS_LEAST = 4, SETTLE_LOOKS = 1 };

struct pace {
	int looks;
	struct regression line;
};

struct entry {
	bool used;
	struct host_process now;
	struct pace by_epoch, by_time;
};

struct growing_processes {
	int64_t epoch, next_ms;
	struct entry entries[GROWING_PROCESSES_MAX];
};

struct growing_processes *growing_processes_new(void)
{
	struct growing_processes *c = xcalloc(1, sizeof(*c));

	c->epoch = -1;
	c->next_ms = BLIND_STEP_MS;
	return c;
}

void growing_processes_free(struct growing_processes *c)
{
	free(c);
}

static struct entry *entry_of(struct growing_processes *c, const struct host_process *p)
{
	for (struct entry *e = c->entries; e < c->entries + GROWING_PROCESSES_MAX; e++)
		if (e->used && e->now.pid == p->pid && e->now.seen_ticks <= p->seen_ticks)
			return e;
	return NULL;
}

/* A free entry, or that of a process that is gone; NULL when there is none. */
static struct entry *entry_claim(struct growing_processes *c)
{
	struct entry *spare = NULL;

	for (struct entry *e = c->entries; e < c->entries + GROWING_PROCESSES_MAX; e++)
		if (!e->used || (!spare && !e->now.live))
			spare = e;
	if (spare)
		*spare = (struct entry){.used = true};
	return spare;
}

/* The first look may have caught the process while it still came up. */
static void add(struct pace *p, double x, double y)
{
	if (++p->looks > SETTLE_LOOKS)
		regression_add(&p->line, x, y);
}

/* What a look is for. */
struct look {
	const struct sample *now;
	bool by_epoch, by_time;
};

static void look_at(struct growing_processes *c, const struct host *h, bool known, const struct look *look)
{
	for (size_t i = 0; i < host_count(h); i++) {
		struct host_process p;
		struct entry *e;

		host_process(h, i, &p);
		e = entry_of(c, &p);
		if (!p.live || (e != NULL) != known)
			continue;
		e = known ? e : entry_claim(c);
		if (!e)
			continue;
		e->now = p;
		/* Its part of shared pages changes whenever another process comes or goes. */
		if (look->by_epoch)
			add(&e->by_epoch, (double)look->now->epoch, (double)p.mapped_bytes);
		if (look->by_time)
			add(&e->by_time, (double)look->now->elapsed_ms / MS_PER_S, (double)p.mapped_bytes);
	}
}

void growing_processes_look(struct growing_processes *c, const struct host *h, const struct sample *s)
{
	struct look look = {.now = s,
			    .by_epoch = s->epoch >= 0 && s->epoch != c->epoch,
			    .by_time = s->elapsed_ms >= c->next_ms};

	if (!look.by_epoch && !look.by_time)
		return;
	if (look.by_epoch && c->epoch < 0)
		memset(c->entries, 0, sizeof(c->entries)); /* set-up is over */
	c->epoch = s->epoch;
	if (look.by_time)
		c->next_ms = s->elapsed_ms + BLIND_STEP_MS;
	for (struct entry *e = c->entries; e < c->entries + GROWING_PROCESSES_MAX; e++)
		e->now.live = false;
	look_at(c, h, true, &look);
	look_at(c, h, false, &look); /* after the others: a newcomer takes the place of none that lives */
}

static double slope_of(const struct pace *p)
{
	return p->looks >= LOOKS_LEAST ? regression_slope(&p->line) : 0;
}

static void insert(struct growing_process *out, int *n, int max, const struct entry *e, const struct pace *p)
{
	double slope = slope_of(p);
	int at = *n;

	while (at > 0 && out[at - 1].slope < slope)
		at--;
	if (at == max)
		return;
	if (*n < max)
		(*n)++;
	memmove(out + at + 1, out + at, (size_t)(*n - at - 1) * sizeof(*out));
	out[at] = (struct growing_process){.pid = e->now.pid,
					   .root = e->now.root,
					   .live = e->now.live,
					   .held_bytes = e->now.held_bytes,
					   .looks = p->looks,
					   .slope = slope};
	memcpy(out[at].name, e->now.name, sizeof(out[at].name));
}

int growing_processes_top(const struct growing_processes *c, bool per_epoch, double whole,
			  struct growing_process *out, int max)
{
	double all = 0;
	int n = 0;

	for (const struct entry *e = c->entries; e < c->entries + GROWING_PROCESSES_MAX; e++) {
		const struct pace *p = per_epoch ? &e->by_epoch : &e->by_time;

		if (slope_of(p) <= 0)
			continue;
		all += slope_of(p);
		insert(out, &n, max, e, p);
	}
	for (int i = 0; i < n; i++)
		out[i].share = out[i].slope / (whole > all ? whole : all);
	return n;
}
