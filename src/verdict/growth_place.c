/* SPDX-License-Identifier: MIT */
/* When to read the mappings of which process. Both readings must be of the same process, or they say
 * nothing. */
#include "verdict/growth_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"

enum { COST_FACTOR = 100 }; /* reading the mappings takes a hundredth of the time */
/* The kernel walks every page of it: above this, samples would be missed while the mappings are read. */
#define READ_MOST_BYTES (8 * GIB)

struct growth_place {
	const char *proc_root; /* borrowed */
	struct growing_processes *culprit;
	struct mappings *before, *after; /* NULL: not read; made at the first growth, kept to the end */
	int64_t before_ms, after_ms;     /* elapsed time of those readings */
	int read_at;                     /* looks at the newest reading; 0: none */
	int64_t next_ms;                 /* no reading before */
};

struct growth_place *growth_place_new(const char *proc_root)
{
	struct growth_place *w = xcalloc(1, sizeof(*w));

	w->proc_root = proc_root;
	w->culprit = growing_processes_new();
	return w;
}

void growth_place_free(struct growth_place *w)
{
	if (!w)
		return;
	growing_processes_free(w->culprit);
	free(w->before);
	free(w->after);
	free(w);
}

/* The process that grows most, else the one that was given; 0 when it is too large to be read. */
static pid_t suspect(const struct growth_place *w, const struct host *h, bool per_epoch)
{
	struct growing_process top;

	if (growing_processes_top(w->culprit, per_epoch, 0, &top, 1) > 0 && top.live)
		return top.held_bytes <= READ_MOST_BYTES ? top.pid : 0;
	for (size_t i = 0; i < host_count(h); i++) {
		struct host_process p;

		host_process(h, i, &p);
		if (p.root && p.live)
			return p.held_bytes <= READ_MOST_BYTES ? p.pid : 0;
	}
	return 0;
}

static bool due(const struct growth_place *w, const struct sample *s, int growing)
{
	return growing > 0 && growing >= 2 * w->read_at && growing != w->read_at &&
	       s->elapsed_ms >= w->next_ms;
}

static void read_mappings(struct growth_place *w, pid_t pid, const struct sample *s)
{
	struct mappings *into;

	if (!w->before) {
		w->before = xcalloc(1, sizeof(*w->before));
		w->after = xcalloc(1, sizeof(*w->after));
	}
	into = w->before->pid == pid ? w->after : w->before;
	if (pid == 0 || mappings_read(into, w->proc_root, pid) != 0)
		return;
	if (into == w->before)
		w->after->pid = 0;
	*(into == w->before ? &w->before_ms : &w->after_ms) = s->elapsed_ms;
	w->next_ms = s->elapsed_ms + COST_FACTOR * into->cost_ns / NS_PER_MS;
}

void growth_place_look(struct growth_place *w, const struct host *h, const struct sample *s, int growing,
		       bool per_epoch)
{
	growing_processes_look(w->culprit, h, s);
	if (growing < w->read_at)
		w->read_at = 0;
	if (!due(w, s, growing))
		return;
	read_mappings(w, suspect(w, h, per_epoch), s);
	w->read_at = growing;
}

int growth_place_processes(const struct growth_place *w, bool per_epoch, struct growing_process *out, int max)
{
	return growing_processes_top(w->culprit, per_epoch, 0, out, max);
}

static double growth_of(const struct verdict *v)
{
	if (!v->slope_known)
		return 0;
	return v->per_epoch ? v->slope_bytes_per_epoch : v->slope_bytes_per_s;
}

/* A process that is level has some pages more or less at every look: beside what the tree grows by that is
 * nothing, but all there is where it is new processes that make it grow. */
static void find_processes(const struct growth_place *w, const struct series_verdict *host,
			   struct growth_place_findings *out)
{
	double whole = growth_of(&host->v);
	int n = growing_processes_top(w->culprit, out->per_epoch, host->crowded ? whole : 0, out->processes,
				      GROWTH_PLACE_PROCESSES);

	while (n > 0 && (out->processes[n - 1].share < 0.05 || out->processes[n - 1].slope < 0.05 * whole))
		n--;
	out->n_processes = n;
}

void growth_place_find(const struct growth_place *w, const struct series_verdict *host,
		       struct growth_place_findings *out)
{
	memset(out, 0, sizeof(*out));
	out->per_epoch = host && host->v.per_epoch;
	if (!host || host->v.shape != SHAPE_GROWTH)
		return;
	find_processes(w, host, out);
	if (host->crowded && out->n_processes == 0)
		return;
	if (!w->after || w->after->pid == 0 || w->after->pid != w->before->pid)
		return;
	out->mappings_pid = w->after->pid;
	out->mappings_from_ms = w->before_ms;
	out->mappings_to_ms = w->after_ms;
	out->n_mappings = mappings_compare(w->before, w->after, out->mappings, GROWTH_PLACE_MAPPINGS);
}
