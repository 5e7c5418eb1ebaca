/* SPDX-License-Identifier: MIT */
/* A fork has the layout of its parent's memory, and an exec draws a new one: processes with the same layout have one
 * program and what was there when they were forked in common. Where layouts are not drawn (setarch -R) two that share
 * nothing may look so: to count the pages that nobody else maps is then right too, and only takes longer. */
#include "host/heap_targets.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* Among those kept, largest first; of more than there is room for the smallest goes. */
static void put(struct heap_targets *t, const struct host_process *p)
{
	size_t at = t->count;

	while (at > 0 && t->list[at - 1].mapped_bytes < p->mapped_bytes)
		at--;
	if (at == HEAP_TARGETS_MAX)
		return;
	t->count += t->count < HEAP_TARGETS_MAX;
	memmove(&t->list[at + 1], &t->list[at], (t->count - at - 1) * sizeof(t->list[0]));
	t->list[at] = (struct heap_target){.pid = p->pid, .ppid = p->ppid, .mapped_bytes = p->mapped_bytes};
}

void heap_targets_list(struct heap_targets *t, const struct host *host)
{
	struct host_process p;

	t->count = 0;
	for (size_t i = 0; i < host_count(host); i++) {
		host_process(host, i, &p);
		if (p.live && p.mapped_bytes > 0)
			put(t, &p);
	}
	for (size_t i = 0; i < t->count; i++)
		t->list[i].parent_alive = host_lives(host, t->list[i].ppid);
}

static void read_layout(struct heap_target *t)
{
	char path[PROC_PATH_MAX], buf[PROC_CHUNK];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)t->pid);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf));
	t->layout_known = n > 0 && proc_parse_layout(buf, (size_t)n, &t->layout) == 0;
}

static bool is_elder_kin(const struct heap_target *a, const struct heap_target *b)
{
	const struct proc_layout *x = &a->layout, *y = &b->layout;

	return a->layout_known && x->code == y->code && x->stack == y->stack && x->brk == y->brk &&
	       (x->start_ticks != y->start_ticks ? x->start_ticks < y->start_ticks : a->pid < b->pid);
}

/* Counted in full is the eldest, who need not be the parent: that one may have ended. Where the layout is not told, who
 * has a parent in the tree is taken for its fork. */
static bool is_fork(const struct heap_targets *t, const struct heap_target *one)
{
	if (!one->layout_known)
		return one->parent_alive;
	for (size_t i = 0; i < t->count; i++)
		if (is_elder_kin(&t->list[i], one))
			return true;
	return false;
}

void heap_targets_relate(struct heap_targets *t)
{
	for (size_t i = 0; i < t->count && t->count > 1; i++)
		read_layout(&t->list[i]);
	t->forks = false;
	for (size_t i = 0; i < t->count; i++) {
		t->list[i].own_pages = t->count > 1 && is_fork(t, &t->list[i]);
		t->forks = t->forks || t->list[i].own_pages;
	}
	if (t->count > 0)
		t->list[0].looked_at = !t->list[0].own_pages;
}
