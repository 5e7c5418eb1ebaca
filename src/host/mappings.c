/* SPDX-License-Identifier: MIT */
/* Reads smaps, which walks all page tables under the lock of the process's mappings: for the two or three readings
 * that name a growth (each knows its cost_ns), never for a tick. Knows no verdicts. */
#include "host/mappings.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/scan.h"
#include "base/units.h"

/* The name of the mapping in its first line: what stands behind five fields, if anything. */
static const char *name_of(char *line)
{
	char *p = line;

	p[strcspn(p, "\n")] = '\0';
	for (int field = 0; field < 5; field++) {
		p += strcspn(p, " ");
		p += strspn(p, " ");
	}
	return *p ? p : "anonymous";
}

static bool is_shared_memory(const char *name)
{
	return scan_begins(name, "/dev/shm/") || scan_begins(name, "/memfd:") || scan_begins(name, "/SYSV") ||
	       scan_begins(name, "/dev/zero");
}

static struct mapping *place_for(struct mappings *m, const char *name)
{
	size_t len = strlen(name);

	if (len >= MAPPING_NAME_MAX)
		name += len - MAPPING_NAME_MAX + 1;
	for (int i = 0; i < m->n; i++)
		if (strcmp(m->m[i].name, name) == 0)
			return &m->m[i];
	if (m->n >= MAPPINGS_MAX) {
		m->n = MAPPINGS_MAX + 1;
		name = "other";
		memcpy(m->m[MAPPINGS_MAX].name, name, strlen(name) + 1);
		return &m->m[MAPPINGS_MAX];
	}
	memcpy(m->m[m->n].name, name, strlen(name) + 1);
	return &m->m[m->n++];
}

/* The mapping that is being read. */
struct entry {
	struct mapping *at; /* NULL: none yet */
	bool shared;
	uint64_t end;   /* its last address, behind it */
	uint64_t bytes; /* what it has added there */
};

/* One that grows while it is read is listed once more, in its new size: its first entry does not count. */
static void begin_entry(struct mappings *out, struct entry *e, char *line)
{
	char *dash;
	uint64_t begin = strtoull(line, &dash, 16), end = *dash ? strtoull(dash + 1, NULL, 16) : begin;
	const char *name = name_of(line);
	struct mapping *at = place_for(out, name);

	if (e->at && at == e->at && begin < e->end)
		at->bytes -= e->bytes;
	*e = (struct entry){at, is_shared_memory(name), end, 0};
}

static void add_figure(struct entry *e, const char *line)
{
	uint64_t bytes;

	if (!e->at || !(scan_begins(line, "Swap:") || scan_begins(line, e->shared ? "Rss:" : "Anonymous:")))
		return;
	bytes = strtoull(strchr(line, ':') + 1, NULL, 10) * KIB;
	e->at->bytes += bytes;
	e->bytes += bytes;
}

static void parse(struct mappings *out, FILE *smaps)
{
	char line[PROC_LINE_MAX];
	struct entry entry = {0};

	memset(out, 0, sizeof(*out));
	while (fgets(line, sizeof(line), smaps)) {
		if (isdigit((unsigned char)line[0]) || islower((unsigned char)line[0]))
			begin_entry(out, &entry, line);
		else
			add_figure(&entry, line);
	}
}

int mappings_read(struct mappings *out, const char *proc_root, pid_t pid)
{
	int64_t began = clock_mono_ns();
	FILE *f = proc_open_lines(proc_root, pid, "smaps");

	if (!f)
		return -errno;
	parse(out, f);
	fclose(f);
	out->pid = pid;
	out->cost_ns = clock_mono_ns() - began;
	return out->n > 0 ? 0 : -ESRCH;
}

static uint64_t bytes_of(const struct mappings *m, const char *name)
{
	for (int i = 0; i < m->n; i++)
		if (strcmp(m->m[i].name, name) == 0)
			return m->m[i].bytes;
	return 0;
}

int mappings_compare(const struct mappings *before, const struct mappings *after, struct mapping_growth *out,
		     int max)
{
	int64_t all = 0;
	int n = 0;

	for (int i = 0; i < after->n; i++) {
		const struct mapping *m = &after->m[i];
		int64_t change = (int64_t)(m->bytes - bytes_of(before, m->name));
		int at = n < max ? n : max;

		if (change <= 0)
			continue;
		all += change;
		while (at > 0 && out[at - 1].change < change)
			at--;
		if (at == max)
			continue;
		n += n < max;
		memmove(out + at + 1, out + at, (size_t)(n - at - 1) * sizeof(*out));
		out[at] = (struct mapping_growth){.name = m->name, .bytes = m->bytes, .change = change};
	}
	while (n > 0 && out[n - 1].change * 20 < all)
		n--;
	return n;
}
