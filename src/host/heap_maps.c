/* SPDX-License-Identifier: MIT */
/* Reads lines of maps for the few that matter. Knows no process. */
#include "host/heap_maps.h"

#include <stdio.h>
#include <string.h>

#include "base/scan.h"

/* How the file name of a library begins, and whose it is. */
static const struct {
	const char *prefix, *name;
} allocators[] = {
    {"libjemalloc", "jemalloc"}, {"libtcmalloc", "tcmalloc"},
    {"libmimalloc", "mimalloc"}, {"libsnmalloc", "snmalloc"},
    {"libhoard", "Hoard"},       {"librpmalloc", "rpmalloc"},
    {"libscudo", "Scudo"},       {"libtbbmalloc_proxy", "tbbmalloc"},
    {"ld-musl-", "musl"},        {"libc.musl-", "musl"},
};

static void note_allocator(struct heap_maps *m, const char *file)
{
	for (size_t i = 0; !m->allocator[0] && i < sizeof(allocators) / sizeof(allocators[0]); i++)
		if (scan_begins(file, allocators[i].prefix))
			snprintf(m->allocator, sizeof(m->allocator), "%s", allocators[i].name);
}

/* "libc.so.6" or "libc-2.31.so". */
static bool is_libc(const char *file)
{
	return scan_begins(file, "libc.so.6") || scan_begins(file, "libc-2.");
}

static void add(struct heap_range *list, int *count, struct heap_range range)
{
	if (*count < HEAP_DATA_MAX)
		list[(*count)++] = range;
}

static void take_heap(struct heap_maps *m, struct heap_range range)
{
	if (!m->brk.start)
		m->brk.start = range.start;
	m->brk.end = range.end;
}

static void take_file(struct heap_maps *m, const char *path, const char *perms, struct heap_range range)
{
	const char *file = strrchr(path, '/') + 1;

	note_allocator(m, file);
	if (!m->path[0])
		snprintf(m->path, sizeof(m->path), "%s", path);
	if (!scan_begins(perms, "rw-p"))
		return;
	if (is_libc(file))
		add(m->libc, &m->libc_count, range);
	else if (scan_begins(path, m->path))
		add(m->program, &m->program_count, range);
}

void heap_maps_line(struct heap_maps *m, const char *line)
{
	unsigned long start, end;
	char perms[5];
	int at = 0;

	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &start, &end, perms, &at) != 3 || at == 0)
		return;
	if (strcmp(line + at, "[heap]") == 0)
		take_heap(m, (struct heap_range){start, end});
	else if (line[at] == '/')
		take_file(m, line + at, perms, (struct heap_range){start, end});
}
