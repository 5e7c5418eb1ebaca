/* SPDX-License-Identifier: MIT */
/* Counters of the out-of-memory killer. The cgroup's counts its members and those of its children
 * (cgroup-v2.rst, memory.events); the machine's is in vmstat since Linux 4.13. Both files are kept open,
 * since a cgroup may be gone when its last process is. */
#include "oom.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fds.h"

enum { TEXT_MAX = 16384, PATH_BYTES = 4096 };

/* Value of the line "oom_kill N"; -1 when there is none. */
static int64_t read_kills(int fd)
{
	char text[TEXT_MAX];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);
	const char *at;

	if (n <= 0)
		return -1;
	text[n] = '\0';
	for (at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, "oom_kill ", 9) == 0)
			return strtoll(at + 9, NULL, 10);
	}
	return -1;
}

static int open_text(const char *root, const char *below, const char *path, const char *file)
{
	char name[PATH_BYTES];

	if (snprintf(name, sizeof(name), "%s%s%s/%s", root, below, path, file) >= (int)sizeof(name))
		return -1;
	return open(name, O_RDONLY | O_CLOEXEC);
}

/* Inside a container the path may be the outer world's, while the mount shows the container's own cgroup. */
static int open_counter(const char *root, const char *below, const char *path, const char *file)
{
	int fd = open_text(root, below, path, file);

	return fd >= 0 ? fd : open_text(root, below, "", file);
}

/* A line of /proc/PID/cgroup: "0::/path" (v2) or "5:memory:/path" (v1). */
static int open_events(char *line, const char *cgroup_root)
{
	char *controllers = strchr(line, ':'), *path;

	path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path)
		return -1;
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	if (strcmp(controllers, ":") == 0)
		return open_counter(cgroup_root, "", path, "memory.events");
	if (strcmp(controllers, ":memory") == 0)
		return open_counter(cgroup_root, "/memory", path, "memory.oom_control");
	return -1;
}

static int find_events(const char *proc_root, const char *cgroup_root, pid_t pid)
{
	char name[PATH_BYTES], line[PATH_BYTES];
	int fd = -1;
	FILE *f;

	snprintf(name, sizeof(name), "%s/%d/cgroup", proc_root, (int)pid);
	f = fopen(name, "re");
	while (f && fd < 0 && fgets(line, sizeof(line), f))
		fd = open_events(line, cgroup_root);
	if (f)
		fclose(f);
	return fd;
}

void oom_none(struct oom *o)
{
	*o = (struct oom){.cgroup_fd = -1, .vmstat_fd = -1, .cgroup_kills = -1, .machine_kills = -1};
}

void oom_open(struct oom *o, const char *proc_root, const char *cgroup_root, pid_t pid)
{
	o->cgroup_fd = find_events(proc_root, cgroup_root, pid);
	o->vmstat_fd = open_text(proc_root, "", "", "vmstat");
	o->cgroup_kills = read_kills(o->cgroup_fd);
	o->machine_kills = read_kills(o->vmstat_fd);
}

void oom_close(struct oom *o)
{
	fds_close(&o->cgroup_fd);
	fds_close(&o->vmstat_fd);
}

/* Unknown when either end is. */
static int64_t more_than(int64_t before, int fd)
{
	int64_t now = read_kills(fd);

	return before < 0 || now < 0 ? -1 : now - before;
}

void oom_since(const struct oom *o, struct oom_kills *out)
{
	out->cgroup = more_than(o->cgroup_kills, o->cgroup_fd);
	out->machine = more_than(o->machine_kills, o->vmstat_fd);
}

enum oom_answer oom_answer(const struct oom_kills *k)
{
	if (k->cgroup > 0)
		return OOM_CGROUP;
	if (k->machine > 0)
		return OOM_MACHINE;
	return k->machine < 0 ? OOM_UNKNOWN : OOM_NO;
}

int64_t oom_count(const struct oom_kills *k)
{
	return k->cgroup < 0 && k->machine == 0 ? 0 : k->cgroup;
}
