/* SPDX-License-Identifier: MIT */
/* Which GPU device files a tree has open: read from the links in /proc/PID/fd. A look at one process reads
 * a link for each descriptor, so it is taken when the process is new, when inotify saw a GPU's file being
 * opened by anybody, and otherwise ever more rarely. Knows the names of device files, nothing of drivers. */
#include "gpu/open_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"

enum { PATH_MAX_BYTES = 512, LINK_MAX_BYTES = 64 };

/* A process opens its GPU soon or never: each look is half as likely to be news as the one before. */
#define GAP_FIRST_NS (4 * NS_PER_S)
#define GAP_MAX_NS   (30 * NS_PER_S)

struct gpu_open_files {
	const char *proc_root, *dev_root;
	int inotify;               /* -1: no node to watch, or no watch to be had */
	bool opened;               /* by somebody, since the last update */
	bool node[GPU_FDS_MINORS]; /* /dev/nvidiaN exists, so that its use shows as an open descriptor */
	struct gpu_fd_pid *pid;    /* ascending */
	size_t n, cap;
	struct gpu_fd_pid *spare; /* the next generation is put together here */
	size_t spare_cap;
};

/* "nvidia12" -> 12; -1 for nvidiactl, nvidia-uvm and all else. */
static int minor_of(const char *name)
{
	char *end;
	unsigned long v;

	if (strncmp(name, "nvidia", 6) != 0 || name[6] < '0' || name[6] > '9')
		return -1;
	v = strtoul(name + 6, &end, 10);
	return *end || v >= GPU_FDS_MINORS ? -1 : (int)v;
}

static void watch_folder(struct gpu_open_files *f, const char *folder, const char *prefix)
{
	char path[PATH_MAX_BYTES];
	DIR *dir = opendir(folder);
	struct dirent *e;
	int minor;

	while (dir && (e = readdir(dir))) {
		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
			continue;
		minor = minor_of(e->d_name);
		if (minor >= 0)
			f->node[minor] = true;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (f->inotify >= 0)
			inotify_add_watch(f->inotify, path, IN_OPEN);
	}
	if (dir)
		closedir(dir);
}

struct gpu_open_files *gpu_open_files_new(const char *proc_root, const char *dev_root)
{
	struct gpu_open_files *f = xcalloc(1, sizeof(*f));
	char dri[PATH_MAX_BYTES];

	f->proc_root = proc_root;
	f->dev_root = dev_root;
	f->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	watch_folder(f, dev_root, "nvidia");
	watch_folder(f, dev_root, "kfd");
	snprintf(dri, sizeof(dri), "%s/dri", dev_root);
	watch_folder(f, dri, "render");
	watch_folder(f, dri, "card");
	return f;
}

void gpu_open_files_free(struct gpu_open_files *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		free(f->pid[i].drm);
	if (f->inotify >= 0)
		close(f->inotify);
	free(f->pid);
	free(f->spare);
	free(f);
}

static void add_drm(struct gpu_fd_pid *p, int fd)
{
	if (p->n_drm == p->cap_drm) {
		p->cap_drm = p->cap_drm ? 2 * p->cap_drm : 4;
		p->drm = xrealloc(p->drm, (size_t)p->cap_drm, sizeof(p->drm[0]));
	}
	p->drm[p->n_drm++] = fd;
}

static void note_link(struct gpu_fd_pid *p, int fd, const char *target)
{
	int minor;

	if (strncmp(target, "/dev/", 5) != 0)
		return;
	target += 5;
	minor = minor_of(target);
	if (strncmp(target, "nvidia", 6) == 0)
		p->nvidia = true;
	if (minor >= 0) {
		p->nvidia_gpu = true;
		p->minors[minor / 64] |= UINT64_C(1) << (minor % 64);
	} else if (strncmp(target, "dri/", 4) == 0) {
		add_drm(p, fd);
	} else if (strcmp(target, "kfd") == 0) {
		p->kfd = true;
	}
}

static void look(const struct gpu_open_files *f, struct gpu_fd_pid *p)
{
	char path[PATH_MAX_BYTES], target[LINK_MAX_BYTES];
	struct dirent *e;
	ssize_t len;
	DIR *dir;

	p->unreadable = p->nvidia = p->kfd = p->nvidia_gpu = false;
	p->n_drm = 0;
	memset(p->minors, 0, sizeof(p->minors));
	snprintf(path, sizeof(path), "%s/%d/fd", f->proc_root, (int)p->pid);
	dir = opendir(path);
	if (!dir) {
		p->unreadable = errno == EACCES || errno == EPERM;
		return;
	}
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		len = readlinkat(dirfd(dir), e->d_name, target, sizeof(target) - 1);
		p->unreadable |= len < 0 && (errno == EACCES || errno == EPERM);
		target[len < 0 ? 0 : len] = '\0';
		note_link(p, atoi(e->d_name), target);
	}
	closedir(dir);
}

/* The same processes in the same order is the ordinary case and costs one pass over the numbers. */
static bool same_pids(const struct gpu_open_files *f, const pid_t *pids, size_t n)
{
	if (f->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (f->pid[i].pid != pids[i])
			return false;
	return true;
}

static void take_over(struct gpu_open_files *f, const pid_t *pids, size_t n)
{
	struct gpu_fd_pid *old = f->pid;
	size_t old_cap = f->cap, at = 0;

	if (f->spare_cap < n) {
		f->spare_cap = n + n / 2;
		f->spare = xrealloc(f->spare, f->spare_cap, sizeof(f->spare[0]));
	}
	for (size_t i = 0; i < n; i++) {
		for (; at < f->n && old[at].pid < pids[i]; at++)
			free(old[at].drm);
		if (at < f->n && old[at].pid == pids[i])
			f->spare[i] = old[at++];
		else
			f->spare[i] = (struct gpu_fd_pid){.pid = pids[i], .gap_ns = GAP_FIRST_NS};
	}
	for (; at < f->n; at++)
		free(old[at].drm);
	f->pid = f->spare;
	f->cap = f->spare_cap;
	f->n = n;
	f->spare = old;
	f->spare_cap = old_cap;
}

int gpu_open_files_watch(const struct gpu_open_files *f)
{
	return f->inotify;
}

void gpu_open_files_opened(struct gpu_open_files *f)
{
	char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));

	while (f->inotify >= 0 && read(f->inotify, events, sizeof(events)) > 0)
		;
	f->opened = true;
}

void gpu_open_files_update(struct gpu_open_files *f, const pid_t *pids, size_t n, int64_t now_ns)
{
	if (!same_pids(f, pids, n))
		take_over(f, pids, n);
	for (size_t i = 0; i < n; i++) {
		struct gpu_fd_pid *p = &f->pid[i];

		if (!f->opened && p->due_ns > now_ns)
			continue;
		look(f, p);
		p->due_ns = now_ns + p->gap_ns;
		p->gap_ns = p->gap_ns * 2 < GAP_MAX_NS ? p->gap_ns * 2 : GAP_MAX_NS;
	}
	f->opened = false;
}

size_t gpu_open_files_count(const struct gpu_open_files *f)
{
	return f->n;
}

const struct gpu_fd_pid *gpu_open_files_at(const struct gpu_open_files *f, size_t i)
{
	return &f->pid[i];
}

static bool has_minor(const struct gpu_fd_pid *p, unsigned minor)
{
	return minor < GPU_FDS_MINORS && (p->minors[minor / 64] >> (minor % 64) & 1);
}

bool gpu_open_files_uses(const struct gpu_open_files *f, unsigned minor)
{
	for (size_t i = 0; i < f->n; i++)
		if (has_minor(&f->pid[i], minor))
			return true;
	return false;
}

/* Without a node (WSL2, Jetson) nothing can be seen. A process with nvidiactl but no nvidiaN may be a client
 * of MPS. */
bool gpu_open_files_may_use(const struct gpu_open_files *f, unsigned minor)
{
	if (minor >= GPU_FDS_MINORS || !f->node[minor])
		return true;
	for (size_t i = 0; i < f->n; i++) {
		const struct gpu_fd_pid *p = &f->pid[i];

		if (p->unreadable || has_minor(p, minor) || (p->nvidia && !p->nvidia_gpu))
			return true;
	}
	return false;
}

static bool in_tree(const struct gpu_open_files *f, pid_t pid)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->pid[i].pid == pid)
			return true;
	return false;
}

int gpu_open_files_others(const struct gpu_open_files *f, unsigned minor)
{
	DIR *dir = opendir(f->proc_root);
	struct dirent *e;
	int found = 0;

	while (dir && (e = readdir(dir))) {
		struct gpu_fd_pid p = {.pid = (pid_t)atoi(e->d_name)};

		if (p.pid <= 0 || p.pid == getpid() || in_tree(f, p.pid))
			continue;
		look(f, &p);
		found += has_minor(&p, minor);
		free(p.drm);
	}
	if (dir)
		closedir(dir);
	return found;
}
