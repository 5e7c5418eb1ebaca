/* SPDX-License-Identifier: MIT */
/* Counters of the out-of-memory killer. The cgroup's counts its members and, in version 2, those of its children
 * (cgroup-v2.rst, memory.events); the machine's is in vmstat since Linux 4.13. The files are kept open, since a
 * cgroup may be gone when its last process is. */
#include "host/oom.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fds.h"

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

void oom_open(struct oom *o, const char *proc_root)
{
	*o = (struct oom){.vmstat_fd = open_text(proc_root, "", "", "vmstat")};
	o->machine_kills = read_kills(o->vmstat_fd);
}

void oom_add(struct oom *o, const char *proc_root, const char *cgroup_root, pid_t pid)
{
	int fd = find_events(proc_root, cgroup_root, pid);
	int64_t kills = read_kills(fd);
	bool known = kills >= 0;

	for (int i = 0; i < o->groups && known; i++)
		if (fds_same_file(fd, o->cgroup_fds[i])) {
			fds_close(&fd);
			return;
		}
	if (known && o->groups < OOM_GROUPS) {
		o->cgroup_fds[o->groups++] = fd;
		o->cgroup_kills += kills;
		return;
	}
	o->partly = true;
	fds_close(&fd);
}

void oom_close(struct oom *o)
{
	while (o->groups > 0)
		fds_close(&o->cgroup_fds[--o->groups]);
	fds_close(&o->vmstat_fd);
}

/* A kill that is known counts, whatever is not known of other groups; only all of them together can tell of none. */
static int64_t cgroup_kills(const struct oom *o)
{
	int64_t sum = 0;
	bool all = o->groups > 0 && !o->partly;

	for (int i = 0; i < o->groups; i++) {
		int64_t now = read_kills(o->cgroup_fds[i]);

		all = all && now >= 0;
		sum += now > 0 ? now : 0;
	}
	sum -= o->cgroup_kills;
	return all || sum > 0 ? sum : -1;
}

void oom_since(const struct oom *o, struct oom_kills *out)
{
	int64_t machine = read_kills(o->vmstat_fd);

	out->cgroup = cgroup_kills(o);
	out->machine = o->machine_kills < 0 || machine < 0 ? -1 : machine - o->machine_kills;
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
