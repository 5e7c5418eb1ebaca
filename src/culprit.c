/* SPDX-License-Identifier: MIT */
/* A running least-squares slope for each process of the tree, from its own figures as the host source last
 * read them. Says who; that there is growth at all is the detector's word. */
#include "culprit.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "runline.h"
#include "xalloc.h"

enum { BLIND_STEP_MS = 5000, LOOKS_LEAST = 4, SETTLE_LOOKS = 1 };

struct entry {
	bool used;
	struct host_process now;
	int looks;
	struct runline line;
};

struct culprit {
	int64_t epoch, next_ms;
	struct entry entries[CULPRIT_PROCESSES];
};

struct culprit *culprit_new(void)
{
	struct culprit *c = xcalloc(1, sizeof(*c));

	c->epoch = -1;
	c->next_ms = BLIND_STEP_MS;
	return c;
}

void culprit_free(struct culprit *c)
{
	free(c);
}

static bool due(struct culprit *c, const struct sample *s)
{
	bool blind = s->epoch < 0;

	if (blind ? s->elapsed_ms < c->next_ms : s->epoch == c->epoch)
		return false;
	if (!blind && c->epoch < 0)
		memset(c->entries, 0, sizeof(c->entries)); /* set-up is over, and so is its time scale */
	c->epoch = s->epoch;
	c->next_ms = s->elapsed_ms + BLIND_STEP_MS;
	return true;
}

static struct entry *entry_of(struct culprit *c, const struct host_process *p)
{
	for (struct entry *e = c->entries; e < c->entries + CULPRIT_PROCESSES; e++)
		if (e->used && e->now.pid == p->pid && e->now.seen_ticks <= p->seen_ticks)
			return e;
	return NULL;
}

/* A free entry, or that of a process that is gone; NULL when there is none. */
static struct entry *entry_claim(struct culprit *c)
{
	struct entry *spare = NULL;

	for (struct entry *e = c->entries; e < c->entries + CULPRIT_PROCESSES; e++)
		if (!e->used || (!spare && !e->now.live))
			spare = e;
	if (spare)
		*spare = (struct entry){.used = true};
	return spare;
}

/* The first look may have caught the process while it still came up. */
static void add(struct entry *e, double x, double y)
{
	if (++e->looks > SETTLE_LOOKS)
		runline_add(&e->line, x, y);
}

static void look_at(struct culprit *c, const struct host *h, bool known, double x)
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
		add(e, x, (double)p.mapped_bytes);
	}
}

void culprit_look(struct culprit *c, const struct host *h, const struct sample *s)
{
	double x = s->epoch >= 0 ? (double)s->epoch : (double)s->elapsed_ms / MS_PER_S;

	if (!due(c, s))
		return;
	for (struct entry *e = c->entries; e < c->entries + CULPRIT_PROCESSES; e++)
		e->now.live = false;
	look_at(c, h, true, x);
	look_at(c, h, false, x); /* after the others: a newcomer takes the place of none that lives */
}

static double slope_of(const struct entry *e)
{
	return e->looks >= LOOKS_LEAST ? runline_slope(&e->line) : 0;
}

static void insert(struct culprit_process *out, int *n, int max, const struct entry *e, double slope)
{
	int at = *n;

	while (at > 0 && out[at - 1].slope < slope)
		at--;
	if (at == max)
		return;
	if (*n < max)
		(*n)++;
	memmove(out + at + 1, out + at, (size_t)(*n - at - 1) * sizeof(*out));
	out[at] = (struct culprit_process){.pid = e->now.pid,
					   .root = e->now.root,
					   .live = e->now.live,
					   .held_bytes = e->now.held_bytes,
					   .looks = e->looks,
					   .slope = slope};
	memcpy(out[at].name, e->now.name, sizeof(out[at].name));
}

int culprit_top(const struct culprit *c, double whole, struct culprit_process *out, int max)
{
	double all = 0;
	int n = 0;

	for (const struct entry *e = c->entries; e < c->entries + CULPRIT_PROCESSES; e++) {
		double slope = e->used ? slope_of(e) : 0;

		if (slope <= 0)
			continue;
		all += slope;
		insert(out, &n, max, e, slope);
	}
	for (int i = 0; i < n; i++)
		out[i].share = out[i].slope / (whole > all ? whole : all);
	return n;
}
