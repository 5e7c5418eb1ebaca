/* SPDX-License-Identifier: MIT */
/* Reads memory limits from the cgroup file systems. Knows nothing of other limits. */
#include "host/cgroup.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/procfile.h"
#include "base/xalloc.h"

enum { V1, V2 };

static const char *const limit_file[CGROUP_VERSIONS] = {"memory.limit_in_bytes", "memory.max"};

/* Whether a comma-separated list has word. */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; *p; p += *p == ',') {
		size_t n = strcspn(p, ",\n");

		if (n == len && memcmp(p, word, len) == 0)
			return true;
		p += n;
		if (*p == '\n')
			break;
	}
	return false;
}

/* mountinfo writes blanks and backslashes as \ooo. */
static void unescape(char *s)
{
	char *out = s;

	while (*s) {
		if (s[0] == '\\' && strspn(s + 1, "01234567") >= 3) {
			*out++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 4;
		} else {
			*out++ = *s++;
		}
	}
	*out = '\0';
}

/* "ID PARENT MAJ:MIN ROOT POINT OPTIONS [FIELDS] - TYPE SOURCE SUPER" */
static void take_mount(void *ctx, char *line)
{
	struct cgroup *cg = ctx;
	char *root = NULL, *point = NULL, *rest = strstr(line, " - ");
	char type[32], super[512];
	struct cgroup_mount *m;
	int version;

	if (!rest || sscanf(rest, " - %31s %*s %511s", type, super) != 2)
		return;
	version = strcmp(type, "cgroup2") == 0 ? V2 : V1;
	if (version == V1 && (strcmp(type, "cgroup") != 0 || !has_word(super, "memory")))
		return;
	m = &cg->mount[version];
	if (!m->point && sscanf(line, "%*s %*s %*s %ms %ms", &root, &point) == 2) {
		unescape(root);
		unescape(point);
		*m = (struct cgroup_mount){.point = point, .root = root};
		return;
	}
	free(root);
	free(point);
}

/* Calls take() with each line of a file. Frees path. 0 or -errno. */
static int each_line(char *path, void (*take)(void *ctx, char *line), void *ctx)
{
	FILE *f = fopen(path, "re");
	int err = f ? 0 : -errno;
	char *line = NULL;
	size_t cap = 0;

	free(path);
	while (f && getline(&line, &cap, f) > 0)
		take(ctx, line);
	free(line);
	if (f)
		fclose(f);
	return err;
}

int cgroup_open(struct cgroup *cg, const char *proc_root)
{
	*cg = (struct cgroup){0};
	return each_line(xasprintf("%s/self/mountinfo", proc_root), take_mount, cg);
}

void cgroup_close(struct cgroup *cg)
{
	for (int v = 0; v < CGROUP_VERSIONS; v++) {
		free(cg->mount[v].point);
		free(cg->mount[v].root);
	}
	*cg = (struct cgroup){0};
}

/* The number in dir's limit file, UINT64_MAX when there is none: absent, unreadable or "max". */
static uint64_t read_limit(const char *dir, int version)
{
	char *path = xasprintf("%s/%s", dir, limit_file[version]);
	FILE *f = fopen(path, "re");
	unsigned long long v;
	bool ok = false;

	free(path);
	if (f) {
		ok = fscanf(f, "%llu", &v) == 1;
		fclose(f);
	}
	return ok ? v : UINT64_MAX;
}

/* group as seen from the mount: without the part the mount's root stands for. NULL when it lies outside. */
static const char *below(const char *root, const char *group)
{
	size_t n = strcmp(root, "/") == 0 ? 0 : strlen(root);

	if (strncmp(group, root, n) != 0 || (group[n] != '/' && group[n] != '\0') || strstr(group, "/.."))
		return NULL;
	return group + n;
}

static uint64_t smallest_up(const struct cgroup_mount *m, const char *group, int version)
{
	const char *sub = m->point ? below(m->root, group) : NULL;
	uint64_t least = UINT64_MAX;
	char *dir, *slash;
	size_t top;

	if (!sub)
		return least;
	dir = xasprintf("%s%s", m->point, sub);
	top = strlen(m->point);
	for (;;) {
		uint64_t v = read_limit(dir, version);

		least = v < least ? v : least;
		slash = strrchr(dir, '/');
		if (!slash || strlen(dir) <= top)
			break;
		*slash = '\0';
	}
	free(dir);
	return least;
}

/* "0::GROUP" is version 2, "N:CONTROLLERS:GROUP" version 1. */
static uint64_t line_limit(const struct cgroup *cg, char *line)
{
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!group)
		return UINT64_MAX;
	line[strcspn(line, "\n")] = '\0';
	*group++ = '\0';
	controllers++;
	if (*controllers == '\0')
		return smallest_up(&cg->mount[V2], group, V2);
	if (has_word(controllers, "memory"))
		return smallest_up(&cg->mount[V1], group, V1);
	return UINT64_MAX;
}

struct tightest {
	const struct cgroup *cg;
	uint64_t bytes;
};

static void take_group(void *ctx, char *line)
{
	struct tightest *t = ctx;
	uint64_t bytes = line_limit(t->cg, line);

	t->bytes = bytes < t->bytes ? bytes : t->bytes;
}

int cgroup_limit(const struct cgroup *cg, const char *proc_root, pid_t pid, uint64_t *out_bytes)
{
	struct tightest t = {.cg = cg, .bytes = UINT64_MAX};
	int err = each_line(xasprintf("%s/%d/cgroup", proc_root, (int)pid), take_group, &t);

	*out_bytes = t.bytes;
	return err;
}

struct wanted {
	const struct cgroup_mount *mount;
	const char *file;
	int fd;
};

static void open_in_group(void *ctx, char *line)
{
	struct wanted *w = ctx;
	const char *sub;
	char *path;

	if (strncmp(line, "0::", 3) != 0 || !w->mount->point || w->fd >= 0)
		return;
	line[strcspn(line, "\n")] = '\0';
	sub = below(w->mount->root, line + 3);
	if (!sub)
		return;
	path = xasprintf("%s%s/%s", w->mount->point, sub, w->file);
	w->fd = proc_open_at(-1, path);
	free(path);
}

int cgroup_open_file(const struct cgroup *cg, const char *proc_root, pid_t pid, const char *file)
{
	struct wanted w = {.mount = &cg->mount[V2], .file = file, .fd = -ENOENT};
	int err = each_line(xasprintf("%s/%d/cgroup", proc_root, (int)pid), open_in_group, &w);

	return err ? err : w.fd;
}
