/* SPDX-License-Identifier: MIT */
/* Keeps the set of processes: who is in, who has gone, who is new. */
#include "host/tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"

enum { RESYNC_S = 10, RESYNC_MAX_S = 300, RELIST_MIN_S = 1, RELIST_MAX_S = 8, FORKS_WORTH = 2 };
enum { RESYNC_COST = 20000, LIST_COST = 100 }; /* pause after a look at all, in times of what it took */

int tree_init(struct tree *t, const char *proc_root, bool children, size_t fds_max, tree_list_fn *list)
{
	int err;

	memset(t, 0, sizeof(*t));
	t->children = children;
	t->foster_fd = -1;
	t->list = list;
	err = procfs_open(&t->fs, proc_root, children, fds_max);
	if (!err)
		forks_open(&t->forks, t->fs.root_fd);
	return err;
}

void tree_free(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		process_close(&t->fs, &t->members[i]);
	for (size_t i = 0; i < t->cap; i++)
		free(t->members[i].threads);
	if (t->foster_fd >= 0)
		close(t->foster_fd);
	free(t->members);
	free(t->links);
	free(t->found);
	pidmap_free(&t->map);
	forks_close(&t->forks);
	procfs_close(&t->fs);
}

/* A place after the last member, its array of threads left from an earlier one. */
static struct process *spare(struct tree *t)
{
	if (t->count == t->cap) {
		size_t cap = t->cap ? t->cap * 2 : 4;

		t->members = xrealloc(t->members, cap, sizeof(*t->members));
		memset(t->members + t->cap, 0, (cap - t->cap) * sizeof(*t->members));
		t->cap = cap;
	}
	return &t->members[t->count];
}

/* m is the spare place, filled. */
static void take_in(struct tree *t, const struct process *m)
{
	pidmap_set(&t->map, m->pid, t->count);
	t->count++;
	t->seen++;
	t->changes++;
}

const struct process *tree_find(const struct tree *t, pid_t pid)
{
	size_t i = pidmap_get(&t->map, pid);

	return i == PIDMAP_NONE ? NULL : &t->members[i];
}

int tree_add_root(struct tree *t, pid_t pid)
{
	const struct process *known;
	struct process *m;
	int err;

	if (pid <= 0)
		return -EINVAL;
	m = spare(t);
	err = process_open(&t->fs, m, pid);
	if (err == -ENODEV)
		err = process_open(&t->fs, m, m->pid);
	if (err)
		return err;
	known = tree_find(t, m->pid);
	if (known || !m->live) {
		process_close(&t->fs, m);
		if (known)
			t->members[known - t->members].root = true;
		return known ? known->pid : -ENODATA;
	}
	m->root = true;
	t->files = 0;
	take_in(t, m);
	return m->pid;
}

int tree_adopt(struct tree *t, pid_t pid, bool (*ignore)(void *ctx, pid_t pid), void *ctx)
{
	char path[PROC_PATH_MAX];

	/* Orphans go to the first living thread of a subreaper (kernel/exit.c), which is the main one. */
	snprintf(path, sizeof(path), "%d/task/%d/children", (int)pid, (int)pid);
	t->foster_fd = proc_open_at(t->fs.root_fd, path);
	t->foster = pid;
	t->files = 0;
	t->ignore = ignore;
	t->ignore_ctx = ctx;
	return t->foster_fd < 0 ? t->foster_fd : 0;
}

void tree_refresh(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		process_refresh(&t->fs, &t->members[i]);
}

void tree_sweep(struct tree *t)
{
	for (size_t i = 0; i < t->count;) {
		struct process *m = &t->members[i];
		struct process last;

		if (!m->gone) {
			i++;
			continue;
		}
		process_close(&t->fs, m);
		pidmap_remove(&t->map, m->pid);
		t->changes++;
		t->count--;
		if (i == t->count)
			break;
		last = t->members[t->count];
		t->members[t->count] = *m;
		*m = last;
		pidmap_set(&t->map, last.pid, i);
	}
}

/* Notes a listed child that is not known yet; joining it at once could move the member that is being read. */
static void note_child(void *ctx, pid_t pid)
{
	struct tree *t = ctx;

	if (pidmap_get(&t->map, pid) != PIDMAP_NONE)
		return;
	if (t->found_count == t->found_cap) {
		t->found_cap = t->found_cap ? t->found_cap * 2 : 64;
		t->found = xrealloc(t->found, t->found_cap, sizeof(*t->found));
	}
	t->found[t->found_count++] = pid;
}

/* Between the listing and here a child may have ended and its number gone to somebody else: then its parent
 * is another one, unless the parent itself has just ended and left an orphan. */
static bool is_child(struct tree *t, const struct process *m, pid_t parent)
{
	size_t i;

	if (m->ppid == parent)
		return true;
	i = pidmap_get(&t->map, parent);
	return i != PIDMAP_NONE && process_has_ended(&t->fs, &t->members[i]);
}

static void join(struct tree *t, pid_t pid, pid_t parent)
{
	struct process *m;

	if (pidmap_get(&t->map, pid) != PIDMAP_NONE || pid == t->foster)
		return;
	if (parent == t->foster && t->ignore && t->ignore(t->ignore_ctx, pid))
		return;
	m = spare(t);
	if (process_open(&t->fs, m, pid) != 0)
		return;
	if (!is_child(t, m, parent)) {
		process_close(&t->fs, m);
		return;
	}
	m->ppid = parent;
	take_in(t, m);
}

static void join_found(struct tree *t, pid_t parent)
{
	for (size_t i = 0; i < t->found_count; i++)
		join(t, t->found[i], parent);
	t->found_count = 0;
}

/* Joins every listed process whose parent is a member, until no more is found. */
static void resync(struct tree *t)
{
	ssize_t n = t->list ? t->list(&t->links, &t->links_cap) : 0;
	size_t before;

	do {
		before = t->count;
		for (ssize_t i = 0; i < n; i++) {
			pid_t parent = t->links[i].ppid;

			if (parent && (parent == t->foster || pidmap_get(&t->map, parent) != PIDMAP_NONE))
				join(t, t->links[i].pid, parent);
		}
	} while (t->count != before);
}

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

static bool any_threads(const struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->members[i].live && t->members[i].thread_count > 1)
			return true;
	return false;
}

/* Children files miss a child that a thread forked which took a dead thread's place unseen. A look at all
 * processes finds those that have a member as parent. It costs as much as many ticks, so it is left
 * out while nothing was forked or nobody has threads, and the pause behind it is RESYNC_COST times what it took; where
 * there is nothing else to find children by, LIST_COST times. */
static void resync_when_due(struct tree *t, int64_t now_ns)
{
	bool only = t->fs.no_children;
	uint64_t last_pid;
	int64_t begun, cost;

	if (t->resync_ns == 0)
		t->resync_ns = only ? now_ns : now_ns + RESYNC_S * NS_PER_S;
	if (now_ns < t->resync_ns || !t->list)
		return;
	t->resync_ns = now_ns + RESYNC_S * NS_PER_S;
	if (!only && !any_threads(t))
		return;
	last_pid = forks_last_pid(&t->forks);
	if (!only && last_pid && last_pid == t->resync_pid)
		return;
	t->resync_pid = last_pid;
	begun = clock_mono_ns();
	resync(t);
	cost = clock_mono_ns() - begun;
	t->resync_ns =
	    now_ns + (only ? cost * LIST_COST
			   : clamp(cost * RESYNC_COST, RESYNC_S * NS_PER_S, RESYNC_MAX_S * NS_PER_S));
}

/* A thread that took a dead one's place between two ticks leaves the number of threads as it was, and the
 * dead one's children file reads as empty (Linux 6.18): list them anew now and then, more seldom when in
 * vain. */
static void relist_when_due(struct tree *t, int64_t now_ns)
{
	if (now_ns < t->relist_ns)
		return;
	t->relist_pause_ns *= 2;
	if (t->relist_pause_ns > RELIST_MAX_S * NS_PER_S)
		t->relist_pause_ns = RELIST_MAX_S * NS_PER_S;
	if (t->fs.replaced || t->relist_pause_ns == 0)
		t->relist_pause_ns = RELIST_MIN_S * NS_PER_S;
	t->fs.replaced = 0;
	for (size_t i = 0; i < t->count && t->relist_ns; i++)
		t->members[i].relist = t->members[i].thread_count > 1;
	t->relist_ns = now_ns + t->relist_pause_ns;
}

static void scan(struct tree *t)
{
	t->files = 0;
	if (t->foster_fd >= 0) {
		procfs_children(&t->fs, t->foster_fd, NULL, note_child, t);
		join_found(t, t->foster);
		t->files++;
	}
	for (size_t i = 0; i < t->count; i++) { /* members found on the way are looked at in turn */
		if (!t->members[i].live)
			continue;
		process_children(&t->fs, &t->members[i], note_child, t);
		t->files += t->members[i].thread_count;
		join_found(t, t->members[i].pid);
	}
}

void tree_discover(struct tree *t, int64_t now_ns)
{
	if (!t->children)
		return;
	if (t->files < FORKS_WORTH || forks_possible(&t->forks, now_ns)) {
		relist_when_due(t, now_ns);
		scan(t);
	}
	resync_when_due(t, now_ns);
}
