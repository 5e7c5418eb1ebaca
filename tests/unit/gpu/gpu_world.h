/* SPDX-License-Identifier: MIT */
/* A made world for GPU tests: /proc, /dev and /sys trees and a scenario for the fake driver, all in one temporary folder. */
#ifndef GPU_WORLD_H
#define GPU_WORLD_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/devices.h"
#include "gpu/open_files.h"

#define INITIAL_NS "pid:[4026531836]"
#define INNER_NS   "pid:[4026532000]"

enum { WORLD_PATH_MAX = 512 };

struct world {
	char root[64], proc[80], dev[80], sys[80], nvml[256];
	struct gpu_notes notes;
};

static void world_fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	abort();
}

static void make_folders(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			world_fail(path);
		*p = '/';
	}
}

/* A place below the root, in folders that exist from now on. */
__attribute__((format(printf, 3, 0))) static inline void make_place(const struct world *w,
								    char path[WORLD_PATH_MAX],
								    const char *fmt, va_list ap)
{
	int n = snprintf(path, WORLD_PATH_MAX, "%s/", w->root);

	vsnprintf(path + n, WORLD_PATH_MAX - (size_t)n, fmt, ap);
	make_folders(path);
}

__attribute__((format(printf, 3, 4))) static inline void world_file(const struct world *w, const char *text,
								    const char *fmt, ...)
{
	char path[WORLD_PATH_MAX];
	va_list ap;
	int fd;

	va_start(ap, fmt);
	make_place(w, path, fmt, ap);
	va_end(ap);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		world_fail(path);
	close(fd);
}

__attribute__((format(printf, 3, 4))) static inline void world_link(const struct world *w, const char *target,
								    const char *fmt, ...)
{
	char path[WORLD_PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	make_place(w, path, fmt, ap);
	va_end(ap);
	unlink(path);
	if (symlink(target, path) < 0)
		world_fail(path);
}

static inline void world_open(struct world *w, const char *ns)
{
	memset(w, 0, sizeof(*w));
	strcpy(w->root, "/tmp/memwatch-gpu-XXXXXX");
	if (!mkdtemp(w->root))
		world_fail("mkdtemp");
	snprintf(w->proc, sizeof(w->proc), "%s/proc", w->root);
	snprintf(w->dev, sizeof(w->dev), "%s/dev", w->root);
	snprintf(w->sys, sizeof(w->sys), "%s/sys", w->root);
	world_link(w, ns, "proc/self/ns/pid");
	world_file(w, "4194304\n", "proc/sys/kernel/pid_max");
	world_file(w, "MemTotal:       16384000 kB\n", "proc/meminfo");
	world_file(w, "", "dev/null");
}

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void world_close(struct world *w)
{
	nftw(w->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* variant: "r550", or NULL for no library at all. */
static inline void world_driver(struct world *w, const char *variant, const char *scenario)
{
	char path[128];

	snprintf(w->nvml, sizeof(w->nvml), "build/fakenvml/%s/libnvidia-ml.so.1", variant ? variant : "none");
	world_file(w, scenario, "scenario");
	snprintf(path, sizeof(path), "%s/scenario", w->root);
	setenv("FAKENVML", path, 1);
}

static inline struct gpu_env world_env(struct world *w)
{
	return (struct gpu_env){.proc_root = w->proc,
				.dev_root = w->dev,
				.sys_root = w->sys,
				.nvml_file = w->nvml[0] ? w->nvml : NULL,
				.notes = &w->notes};
}

/* All notes so far, one per line. */
static inline const char *world_notes(struct world *w)
{
	static char all[8192];
	const char *line;
	size_t n = 0;

	all[0] = '\0';
	while ((line = gpu_note_take(&w->notes)))
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s\n", line);
	return all;
}

#endif
