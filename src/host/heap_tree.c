/* SPDX-License-Identifier: MIT */
/* Sums up processes. How one is walked is heap_process.c's, when is heap.c's. */
#include "host/heap_tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/shared_once.h"

#define LOOK_MAX_NS (4 * NS_PER_MS)         /* what takes longer is no quick look */
#define TURN_NS     (HEAP_TURN_NS * 7 / 10) /* before the turn is over: then it is taken away at any place */

struct visit { /* of one process */
	const _Atomic bool *quit;
	const struct heap_target *target;
	int dir_fd;
	struct heap_figures *out;
};

static bool quits(void *ctx)
{
	const struct visit *v = ctx;

	return atomic_load(v->quit);
}

/* By how much a process has grown since the tick, so that what is held is of the same moment as the walk. */
static int64_t grown_since(int dir_fd, const struct heap_target *t)
{
	struct proc_status now;

	if (proc_status_at(dir_fd, "status", &now) != 0 || !now.mm)
		return 0;
	return (int64_t)shared_once_mapped(&now) - (int64_t)t->mapped_bytes;
}

static void note_held(void *ctx)
{
	struct visit *v = ctx;
	int64_t held = (int64_t)v->out->held_bytes;

	if (!v->target->own_pages)
		held += grown_since(v->dir_fd, v->target);
	v->out->held_bytes = held > 0 ? (uint64_t)held : 0;
}

static void add_sizes(const struct heap_target *t, const struct heap_sizes *s, struct heap_figures *out)
{
	out->used_bytes += s->used_bytes;
	out->kept_bytes += s->kept_bytes;
	if (!t->looked_at)
		return;
	out->passing = (struct reading){s->passing_bytes, s->passing_known};
	out->untouched = (struct reading){s->untouched_bytes, s->passing_known};
}

static enum heap_state walk_one(struct heap_reader *reader, const struct heap_target *t, int64_t limit_ns,
				const _Atomic bool *quit, struct heap_figures *out)
{
	struct visit visit = {quit, t, -1, out};
	struct heap_limits limits = {.cpu_ns = limit_ns,
				     .turn_ns = TURN_NS,
				     .quick = out->end.quick,
				     .looks = t->looked_at,
				     .stop = quits,
				     .counted = note_held,
				     .ctx = &visit};
	char path[PROC_PATH_MAX];
	struct heap_sizes sizes;
	struct heap_cost cost;
	enum heap_state state;

	snprintf(path, sizeof(path), "/proc/%d", (int)t->pid);
	visit.dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (visit.dir_fd < 0)
		return HEAP_GONE;
	state = heap_process_walk(reader, visit.dir_fd, t->pid, t->own_pages, &limits, &sizes, &cost);
	close(visit.dir_fd);
	out->end.cpu_ns += cost.cpu_ns;
	if (!state)
		add_sizes(t, &sizes, out);
	return state;
}

static void relate(struct heap_targets *targets, struct heap_outcome *end)
{
	int64_t began_ns = clock_thread_cpu_ns();

	heap_targets_relate(targets);
	end->quick_next = !targets->forks && targets->count <= HEAP_PROCESSES_MAX;
	end->cpu_ns += clock_thread_cpu_ns() - began_ns;
}

/* Where a process that matters cannot be read, or ended since the tick, nothing is known of the tree: what was held
 * counts it. A small one counts as outside. */
void heap_tree_walk(struct heap_reader *reader, struct heap_targets *targets, int64_t limit_ns,
		    const _Atomic bool *quit, struct heap_figures *out)
{
	uint64_t all = 0;

	relate(targets, &out->end);
	for (size_t i = 0; i < targets->count; i++)
		all += targets->list[i].mapped_bytes;
	for (size_t i = 0; i < targets->count && !out->end.state; i++) {
		const struct heap_target *t = &targets->list[i];
		enum heap_state state = walk_one(reader, t, limit_ns - out->end.cpu_ns, quit, out);

		if (state == HEAP_OVER_BUDGET || (state && t->mapped_bytes >= all / 16))
			out->end.state = state;
		if (state == HEAP_ALLOCATOR)
			memcpy(out->allocator, heap_reader_allocator(reader), sizeof(out->allocator));
	}
}

bool heap_tree_look(struct heap_reader *reader, const struct heap_target *largest, const _Atomic bool *quit,
		    int64_t *cpu_ns)
{
	struct visit visit = {.quit = quit, .target = largest};
	struct heap_limits limits = {.cpu_ns = LOOK_MAX_NS, .turn_ns = TURN_NS, .stop = quits, .ctx = &visit};
	struct heap_cost cost = {0};
	enum heap_state state = HEAP_GONE;

	if (largest->looked_at)
		state = heap_process_look(reader, largest->pid, &limits, &cost);
	*cpu_ns = cost.cpu_ns;
	return state != HEAP_GONE;
}
