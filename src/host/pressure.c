/* SPDX-License-Identifier: MIT */
/* Pressure stall information (Documentation/accounting/psi.rst, Linux 4.20) by a descriptor that stays open, and major
 * faults from stat of each process. Knows nothing of what the figures mean. */
#include "host/pressure.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/procfile.h"
#include "base/xalloc.h"
#include "host/cgroup.h"

enum { ASKED_MAX = 64 }; /* processes whose stat is read in one look */

#define EVERY_NS (2 * NS_PER_S) /* waiting is told from two seconds of it on (verdict/shortage.c) */

struct faulting {
	pid_t pid;
	uint64_t faults; /* as it said last */
};

struct pressure {
	const char *proc_root;
	int proc_fd, psi_fd; /* -1: none */
	bool targeted;
	struct faulting asked[ASKED_MAX]; /* in the last look */
	size_t asked_count;
	bool begun;           /* there was a look */
	bool all_asked;       /* in the last one: who was not asked is new */
	int64_t major_faults; /* since the first look */
	int64_t due_ns;
};

struct pressure *pressure_new(const char *proc_root)
{
	struct pressure *p = xcalloc(1, sizeof(*p));

	p->proc_root = proc_root ? proc_root : "/proc";
	p->proc_fd = proc_open_at(-1, p->proc_root);
	p->psi_fd = -1;
	return p;
}

void pressure_free(struct pressure *p)
{
	if (!p)
		return;
	fds_close(&p->proc_fd);
	fds_close(&p->psi_fd);
	free(p);
}

/* Microseconds; -1 unknown: a kernel without it opens the file and refuses to read it. */
static int64_t read_psi(int fd)
{
	char text[PROC_CHUNK];
	ssize_t n = fd < 0 ? -1 : proc_pread(fd, text, sizeof(text), 0);
	uint64_t us;

	return n > 0 && proc_parse_pressure(text, (size_t)n, &us) == 0 && us <= INT64_MAX ? (int64_t)us : -1;
}

static int open_cgroup_psi(const char *proc_root, pid_t pid)
{
	struct cgroup cg;
	int fd = cgroup_open(&cg, proc_root);

	if (fd == 0)
		fd = cgroup_open_file(&cg, proc_root, pid, "memory.pressure");
	cgroup_close(&cg);
	return fd;
}

void pressure_add_target(struct pressure *p, pid_t pid)
{
	if (p->targeted)
		return;
	p->targeted = true;
	p->psi_fd = open_cgroup_psi(p->proc_root, pid);
	if (read_psi(p->psi_fd) >= 0)
		return;
	fds_close(&p->psi_fd);
	p->psi_fd = p->proc_fd < 0 ? -1 : proc_open_at(p->proc_fd, "pressure/memory");
}

static bool faults_of(const struct pressure *p, pid_t pid, uint64_t *out)
{
	char path[PROC_PATH_MAX], text[PROC_CHUNK];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/stat", (int)pid);
	n = p->proc_fd < 0 ? -1 : proc_read_at(p->proc_fd, path, text, sizeof(text));
	return n > 0 && proc_parse_major_faults(text, (size_t)n, out) == 0;
}

static const struct faulting *find(const struct pressure *p, pid_t pid)
{
	for (size_t i = 0; i < p->asked_count; i++)
		if (p->asked[i].pid == pid)
			return &p->asked[i];
	return NULL;
}

/* What the process had said at the look before; a number that is smaller now is another process's. All that a new one
 * says has come since; one for which there was no room may have said it before. */
static uint64_t faults_before(const struct pressure *p, pid_t pid, uint64_t now)
{
	const struct faulting *last = find(p, pid);

	if (last)
		return last->faults <= now ? last->faults : 0;
	return p->all_asked ? 0 : now;
}

/* One that cannot be read now is asked again from where it was. False: nothing is known of it. */
static bool ask(struct pressure *p, pid_t pid, struct faulting *out)
{
	const struct faulting *last;
	uint64_t now;

	if (faults_of(p, pid, &now)) {
		p->major_faults += (int64_t)(now - faults_before(p, pid, now));
		*out = (struct faulting){pid, now};
		return true;
	}
	last = find(p, pid);
	if (last)
		*out = *last;
	return last;
}

static void read_faults(struct pressure *p, const pid_t *pids, size_t count)
{
	struct faulting asked[ASKED_MAX];
	size_t n = 0, at = 0;

	for (; at < count && n < ASKED_MAX; at++)
		n += ask(p, pids[at], &asked[n]);
	for (size_t i = 0; i < n; i++)
		p->asked[i] = asked[i];
	p->asked_count = n;
	p->begun = p->begun || n > 0;
	p->all_asked = p->begun && at == count;
}

void pressure_read(struct pressure *p, const pid_t *pids, size_t count, int64_t now_ns, struct sample *out)
{
	out->pressure_us = out->major_faults = -1;
	if (now_ns < p->due_ns)
		return;
	p->due_ns = now_ns + EVERY_NS;
	read_faults(p, pids, count);
	out->pressure_us = read_psi(p->psi_fd);
	out->major_faults = p->begun ? p->major_faults : -1;
}
