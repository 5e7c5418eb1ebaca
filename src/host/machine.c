/* SPDX-License-Identifier: MIT */
/* MemAvailable by libproc2, and the tightest of cgroup, RLIMIT_AS and physical memory. */
#include "host/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <libproc2/meminfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/xalloc.h"
#include "host/cgroup.h"

/* A look by libproc2 parses all of meminfo: too much for each tick. */
#define MEMORY_EVERY_NS (2 * NS_PER_S)
#define LIMIT_EVERY_NS  (10 * NS_PER_S)

struct target {
	pid_t pid;
	uint64_t cgroup_bytes, as_bytes; /* last known, UINT64_MAX none */
};

struct machine {
	const char *proc_root;
	struct meminfo_info *meminfo;
	struct cgroup cgroup;
	struct target *targets;
	size_t count;
	struct reading available, limit;
	uint64_t total_bytes; /* physical memory */
	int64_t memory_due_ns, limit_due_ns;
};

/* libproc2 4.0.2 keeps /proc/meminfo open without close-on-exec, and no command must inherit it. It takes the
 * lowest free number, the one that probe had. */
static struct meminfo_info *open_meminfo(void)
{
	int probe = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
	struct meminfo_info *info = NULL;

	if (probe >= 0)
		close(probe);
	if (procps_meminfo_new(&info) < 0)
		return NULL;
	if (probe >= 0)
		fcntl(probe, F_SETFD, FD_CLOEXEC);
	return info;
}

struct machine *machine_new(const char *proc_root)
{
	struct machine *s = xcalloc(1, sizeof(*s));

	s->proc_root = proc_root ? proc_root : "/proc";
	cgroup_open(&s->cgroup, s->proc_root);
	return s;
}

void machine_free(struct machine *s)
{
	if (!s)
		return;
	if (s->meminfo)
		procps_meminfo_unref(&s->meminfo);
	cgroup_close(&s->cgroup);
	free(s->targets);
	free(s);
}

void machine_add_target(struct machine *s, pid_t pid)
{
	s->targets = xrealloc(s->targets, s->count + 1, sizeof(*s->targets));
	s->targets[s->count++] =
	    (struct target){.pid = pid, .cgroup_bytes = UINT64_MAX, .as_bytes = UINT64_MAX};
	s->limit_due_ns = 0;
}

/* Opened at the first reading and not before, when COMMAND has started. */
static struct meminfo_stack *select_memory(struct machine *s)
{
	enum meminfo_item items[] = {MEMINFO_MEM_AVAILABLE, MEMINFO_MEM_TOTAL};

	if (!s->meminfo)
		s->meminfo = open_meminfo();
	return !s->meminfo ? NULL : procps_meminfo_select(s->meminfo, items, 2);
}

static void read_memory(struct machine *s)
{
	struct meminfo_stack *m = select_memory(s);

	s->available = (struct reading){0};
	if (!m)
		return;
	s->available = (struct reading){.bytes = (uint64_t)m->head[0].result.ul_int * 1024, .ok = true};
	s->total_bytes = (uint64_t)m->head[1].result.ul_int * 1024;
}

static void read_target(const struct machine *s, struct target *t)
{
	char buf[4096];
	char *path = xasprintf("%s/%d/limits", s->proc_root, (int)t->pid);
	ssize_t n = proc_read_at(-1, path, buf, sizeof(buf));
	uint64_t v;

	free(path);
	if (n > 0 && proc_parse_limit_as(buf, (size_t)n, &v) == 0)
		t->as_bytes = v;
	if (cgroup_limit(&s->cgroup, s->proc_root, t->pid, &v) == 0)
		t->cgroup_bytes = v;
}

static void lower(struct reading *limit, uint64_t bytes)
{
	if (!limit->ok || bytes < limit->bytes)
		*limit = (struct reading){.bytes = bytes, .ok = true};
}

/* Version 1 says "unlimited" by a number near 2^63: larger than any physical memory, so it never wins. */
static void read_limits(struct machine *s)
{
	s->limit = (struct reading){0};
	if (s->total_bytes)
		lower(&s->limit, s->total_bytes);
	for (size_t i = 0; i < s->count; i++) {
		struct target *t = &s->targets[i];

		read_target(s, t);
		if (t->cgroup_bytes < UINT64_MAX)
			lower(&s->limit, t->cgroup_bytes);
		if (t->as_bytes < UINT64_MAX)
			lower(&s->limit, t->as_bytes);
	}
}

int machine_read(struct machine *s, int64_t now_ns, struct sample *out)
{
	if (now_ns >= s->memory_due_ns) {
		read_memory(s);
		s->memory_due_ns = now_ns + MEMORY_EVERY_NS;
	}
	if (now_ns >= s->limit_due_ns) {
		read_limits(s);
		s->limit_due_ns = now_ns + LIMIT_EVERY_NS;
	}
	out->v[CH_AVAILABLE] = s->available;
	out->v[CH_LIMIT] = s->limit;
	return s->available.ok ? 0 : -ENODATA;
}
