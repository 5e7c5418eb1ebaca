/* SPDX-License-Identifier: MIT */
/* A made /proc below a temporary directory. Numbers lie above any the kernel gives out. */
#ifndef FAKEPROC_H
#define FAKEPROC_H

#include <ftw.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fake_root[64];

enum { FAKE = 5000000 }; /* pid_max is at most 4194304 */

static __attribute__((unused)) void fake_new(void)
{
	strcpy(fake_root, "/tmp/memwatch-proc-XXXXXX");
	if (!mkdtemp(fake_root))
		abort();
}

static int fake_unlink(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static __attribute__((unused)) void fake_remove(const char *below)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", fake_root, below);
	nftw(path, fake_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes text to a file below the root; directories come into being on the way. */
static __attribute__((unused, format(printf, 2, 3))) void fake_write(const char *below, const char *fmt, ...)
{
	char path[512];
	va_list ap;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", fake_root, below);
	for (char *p = path + strlen(fake_root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	f = fopen(path, "w");
	if (!f)
		abort();
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
}

struct fake_process {
	int pid, ppid, threads;
	char state;
	unsigned long long anon_kib, file_kib, shmem_kib, swap_kib, start;
	const char *name;
};

/* status and stat of one process; a zombie has no memory lines. */
static __attribute__((unused)) void fake_status(const struct fake_process *p)
{
	char path[64], memory[512] = "";
	const char *name = p->name ? p->name : "fake";

	if (p->state != 'Z')
		snprintf(memory, sizeof(memory),
			 "VmHWM:\t%8llu kB\nVmRSS:\t%8llu kB\nRssAnon:\t%8llu kB\nRssFile:\t%8llu kB\n"
			 "RssShmem:\t%8llu kB\nVmData:\t       1 kB\nVmSwap:\t%8llu kB\nHugetlbPages:\t      "
			 " 0 kB\n",
			 p->anon_kib, p->anon_kib + p->file_kib + p->shmem_kib, p->anon_kib, p->file_kib,
			 p->shmem_kib, p->swap_kib);
	snprintf(path, sizeof(path), "%d/status", p->pid);
	fake_write(path,
		   "Name:\t%s\nUmask:\t0022\nState:\t%c (made)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nGroups:\t "
		   "\n%sThreads:\t%d\n",
		   name, p->state, p->pid, p->pid, p->ppid, memory, p->threads);
	snprintf(path, sizeof(path), "%d/stat", p->pid);
	fake_write(path, "%d (%s) %c %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %llu 0 0\n", p->pid, name,
		   p->state, p->ppid, p->start);
}

static __attribute__((unused)) void fake_children(int pid, const char *list)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/task/%d/children", pid, pid);
	fake_write(path, "%s", list);
}

/* A living process with a single thread and anon_kib of memory. */
static __attribute__((unused)) void fake_live(int pid, int ppid, unsigned long long anon_kib,
					      const char *children)
{
	fake_status(&(struct fake_process){
	    .pid = pid, .ppid = ppid, .threads = 1, .state = 'S', .anon_kib = anon_kib, .start = 100});
	fake_children(pid, children);
}

/* Gone: the kept descriptor reads nothing any more and the path is free. */
static __attribute__((unused)) void fake_gone(int pid)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%d/status", fake_root, pid);
	if (truncate(path, 0))
		abort();
	snprintf(path, sizeof(path), "%d", pid);
	fake_remove(path);
}

#endif
