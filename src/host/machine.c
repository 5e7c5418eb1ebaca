/* SPDX-License-Identifier: MIT */
/* MemAvailable by libproc2; the limit is host/limit.c's. */
#include "host/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <libproc2/meminfo.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "host/limit.h"

/* A look by libproc2 parses all of meminfo: too much for each tick. */
#define MEMORY_EVERY_NS (2 * NS_PER_S)

struct machine {
	struct meminfo_info *meminfo;
	struct limit *limit;
	struct reading available;
	uint64_t total_bytes; /* physical memory */
	int64_t memory_due_ns;
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

	s->limit = limit_new(proc_root ? proc_root : "/proc");
	return s;
}

void machine_free(struct machine *s)
{
	if (!s)
		return;
	if (s->meminfo)
		procps_meminfo_unref(&s->meminfo);
	limit_free(s->limit);
	free(s);
}

void machine_add_target(struct machine *s, pid_t pid)
{
	limit_add_target(s->limit, pid);
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

int machine_read(struct machine *s, int64_t now_ns, struct sample *out)
{
	if (now_ns >= s->memory_due_ns) {
		read_memory(s);
		s->memory_due_ns = now_ns + MEMORY_EVERY_NS;
	}
	out->v[CH_AVAILABLE] = s->available;
	out->v[CH_LIMIT] = limit_read(s->limit, s->total_bytes, now_ns);
	return s->available.ok ? 0 : -ENODATA;
}
