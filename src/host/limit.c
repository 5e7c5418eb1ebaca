/* SPDX-License-Identifier: MIT */
/* Takes the least of all limits, and looks again from time to time, since they can be changed. */
#include "host/limit.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/xalloc.h"
#include "host/cgroup.h"

#define EVERY_NS (10 * NS_PER_S) /* limits seldom change, and each level of cgroups is a file to read */

struct target {
	pid_t pid;
	uint64_t cgroup_bytes, as_bytes; /* last known, UINT64_MAX none */
};

struct limit {
	const char *proc_root;
	struct cgroup cgroup;
	struct target *targets;
	size_t count;
	struct reading least;
	int64_t due_ns;
};

struct limit *limit_new(const char *proc_root)
{
	struct limit *l = xcalloc(1, sizeof(*l));

	l->proc_root = proc_root;
	cgroup_open(&l->cgroup, proc_root);
	return l;
}

void limit_free(struct limit *l)
{
	if (!l)
		return;
	cgroup_close(&l->cgroup);
	free(l->targets);
	free(l);
}

void limit_add_target(struct limit *l, pid_t pid)
{
	l->targets = xrealloc(l->targets, l->count + 1, sizeof(*l->targets));
	l->targets[l->count++] =
	    (struct target){.pid = pid, .cgroup_bytes = UINT64_MAX, .as_bytes = UINT64_MAX};
	l->due_ns = 0;
}

static void read_target(const struct limit *l, struct target *t)
{
	char buf[PROC_CHUNK];
	char *path = xasprintf("%s/%d/limits", l->proc_root, (int)t->pid);
	ssize_t n = proc_read_at(-1, path, buf, sizeof(buf));
	uint64_t v;

	free(path);
	if (n > 0 && proc_parse_limit_as(buf, (size_t)n, &v) == 0)
		t->as_bytes = v;
	if (cgroup_limit(&l->cgroup, l->proc_root, t->pid, &v) == 0)
		t->cgroup_bytes = v;
}

static void lower(struct reading *least, uint64_t bytes)
{
	if (!least->ok || bytes < least->bytes)
		*least = (struct reading){.bytes = bytes, .ok = true};
}

/* Version 1 says "unlimited" by a number near 2^63: larger than any physical memory, so it never wins. */
static void read_all(struct limit *l, uint64_t physical_bytes)
{
	l->least = (struct reading){0};
	if (physical_bytes)
		lower(&l->least, physical_bytes);
	for (size_t i = 0; i < l->count; i++) {
		struct target *t = &l->targets[i];

		read_target(l, t);
		if (t->cgroup_bytes < UINT64_MAX)
			lower(&l->least, t->cgroup_bytes);
		if (t->as_bytes < UINT64_MAX)
			lower(&l->least, t->as_bytes);
	}
}

struct reading limit_read(struct limit *l, uint64_t physical_bytes, int64_t now_ns)
{
	if (now_ns >= l->due_ns) {
		read_all(l, physical_bytes);
		l->due_ns = now_ns + EVERY_NS;
	}
	return l->least;
}
