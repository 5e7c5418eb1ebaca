/* SPDX-License-Identifier: MIT */
/* Puts the devices of all backends under one numbering, picks those asked for, and sums a tree's rows on
 * each. Knows backends only through their interface. */
#include "gpu/devices.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static const struct gpu_backend *const backends[GPU_BACKENDS] = {&gpu_nvml, &gpu_drm, &gpu_kfd};

struct gpu_row *gpu_rows_add(struct gpu_rows *rows, int device, pid_t pid, uint64_t bytes)
{
	if (rows->n == rows->cap) {
		rows->cap = rows->cap ? 2 * rows->cap : 64;
		rows->row = xrealloc(rows->row, rows->cap, sizeof(rows->row[0]));
	}
	rows->row[rows->n] =
	    (struct gpu_row){.device = device, .pid = pid, .state = GPU_PID_VALUE, .bytes = bytes};
	return &rows->row[rows->n++];
}

void gpu_fact(struct gpu_facts *f, const char *key, const char *fmt, ...)
{
	va_list ap;

	if (f->n == GPU_FACTS_MAX)
		return;
	f->fact[f->n].key = key;
	va_start(ap, fmt);
	vsnprintf(f->fact[f->n].text, GPU_FACT_TEXT_MAX, fmt, ap);
	va_end(ap);
	f->n++;
}

/* Two backends may tell of one card (amdgpu's own files and the compute driver's): same address, same
 * device. */
static int find_same(const struct gpu_devices *set, const struct gpu_device_info *d)
{
	for (int i = 0; i < set->n; i++)
		if (d->pci[0] && d->mig < 0 && strcmp(set->device[i].pci, d->pci) == 0)
			return i;
	return -1;
}

static int next_index(const struct gpu_devices *set)
{
	int next = 0;

	for (int i = 0; i < set->n; i++)
		if (set->device[i].index >= next)
			next = set->device[i].index + 1;
	return next;
}

static void add_devices(struct gpu_devices *set, struct gpu_part *p, const struct gpu_device_info *found,
			bool first)
{
	p->map = xcalloc((size_t)p->n, sizeof(p->map[0]));
	p->want = xcalloc((size_t)p->n, sizeof(p->want[0]));
	p->answer = xcalloc((size_t)p->n, sizeof(p->answer[0]));
	for (int i = 0; i < p->n; i++) {
		int at = first ? -1 : find_same(set, &found[i]);

		set->merged |= at >= 0;
		p->map[i] = at;
		if (at >= 0 && !set->device[at].total_bytes)
			set->device[at].total_bytes = found[i].total_bytes;
		if (at >= 0 || set->n == GPU_MAX)
			continue;
		at = first ? found[i].index : next_index(set);
		set->device[set->n] = found[i];
		set->device[set->n].index = at;
		p->map[i] = set->n++;
	}
}

bool gpu_devices_possible(const struct gpu_env *env)
{
	for (int b = 0; b < GPU_BACKENDS; b++)
		if (backends[b]->possible(env))
			return true;
	return false;
}

static void open_parts(struct gpu_devices *set)
{
	struct gpu_device_info *found = xcalloc(GPU_MAX, sizeof(*found));

	for (int b = 0; b < GPU_BACKENDS; b++) {
		struct gpu_part *p = &set->part[b];

		p->backend = backends[b];
		p->state = p->backend->probe(&set->env, p->why, sizeof(p->why));
		if (!p->state)
			continue;
		p->n = p->backend->devices(p->state, found, GPU_MAX);
		if (p->n > GPU_MAX)
			p->n = GPU_MAX;
		if (p->n == 0 && !p->why[0])
			snprintf(p->why, sizeof(p->why), "the driver runs, but no GPU can be read");
		add_devices(set, p, found, b == 0);
	}
	free(found);
}

static bool names_device(const struct gpu_device_info *d, const char *word, size_t len)
{
	char *end;
	long index = strtol(word, &end, 10);

	if (word[0] >= '0' && word[0] <= '9' && end == word + len)
		return d->index == index;
	return len >= 4 && strncasecmp(d->uuid, word, len) == 0;
}

static void no_such(const struct gpu_devices *set, const char *word, size_t len, char *why, size_t size)
{
	int last = next_index(set) - 1;

	if (set->n == 0)
		snprintf(why, size, "%s", set->part[0].why);
	else if (last == 0)
		snprintf(why, size, "no GPU %.*s here, only 0", (int)len, word);
	else
		snprintf(why, size, "no GPU %.*s here, only 0 to %d", (int)len, word, last);
}

/* Marks what the list names; -ENODEV at the first word that names nothing. */
static int mark_listed(const struct gpu_devices *set, const char *which, bool *keep, char *why, size_t size)
{
	while (*which) {
		size_t len = strcspn(which, ",");
		bool any = false;

		for (int i = 0; i < set->n; i++)
			if (names_device(&set->device[i], which, len))
				any = keep[i] = true;
		if (!any) {
			no_such(set, which, len, why, size);
			return -ENODEV;
		}
		which += len + (which[len] == ',');
	}
	return 0;
}

static void drop_unmarked(struct gpu_devices *set, const bool *keep)
{
	int *now = xcalloc((size_t)set->n, sizeof(now[0])), n = 0;

	for (int i = 0; i < set->n; i++) {
		now[i] = keep[i] ? n : -1;
		if (keep[i])
			set->device[n++] = set->device[i];
	}
	set->n = n;
	for (int b = 0; b < GPU_BACKENDS; b++)
		for (int i = 0; i < set->part[b].n; i++) {
			struct gpu_part *p = &set->part[b];

			p->map[i] = p->map[i] < 0 ? -1 : now[p->map[i]];
			p->want[i] = p->map[i] >= 0;
		}
	free(now);
}

int gpu_devices_open(struct gpu_devices *set, const struct gpu_env *env, const char *which, char *why,
		     size_t why_size)
{
	bool *keep;
	int err = 0;

	memset(set, 0, sizeof(*set));
	set->env = *env;
	set->device = xcalloc(GPU_MAX, sizeof(set->device[0]));
	open_parts(set);
	keep = xcalloc((size_t)set->n, sizeof(keep[0]));
	if (strcmp(which, "auto") == 0)
		for (int i = 0; i < set->n; i++)
			keep[i] = !set->device[i].integrated;
	else
		err = mark_listed(set, which, keep, why, why_size);
	if (!err)
		drop_unmarked(set, keep);
	free(keep);
	if (!err && set->n == 0)
		snprintf(why, why_size, "%s", set->part[0].why);
	set->device = xrealloc(set->device, (size_t)set->n, sizeof(set->device[0]));
	set->sum = xcalloc((size_t)set->n, sizeof(set->sum[0]));
	set->known = xcalloc((size_t)set->n, sizeof(set->known[0]));
	return err;
}

void gpu_devices_close(struct gpu_devices *set)
{
	for (int b = 0; b < GPU_BACKENDS; b++) {
		struct gpu_part *p = &set->part[b];

		if (p->state)
			p->backend->close(p->state);
		free(p->map);
		free(p->want);
		free(p->answer);
	}
	free(set->device);
	free(set->rows.row);
	free(set->part_rows.row);
	free(set->sum);
	free(set->known);
	memset(set, 0, sizeof(*set));
}

static void take_answer(struct gpu_devices *set, int at, const struct gpu_answer *a, struct gpu_cell *c)
{
	if (a->state == GPU_ANSWER_OK && set->known[at] == 0)
		set->known[at] = 1;
	if (a->state == GPU_ANSWER_WHOLE) {
		set->known[at] = 1;
		set->sum[at] = a->tree_bytes;
	}
	c->basis = a->basis;
	c->total = (struct reading){.bytes = set->device[at].total_bytes,
				    .ok = set->device[at].total_bytes && !a->gone};
	if (a->used_bytes != UINT64_MAX)
		c->used = (struct reading){.bytes = a->used_bytes, .ok = true};
	if (a->listed >= 0)
		c->listed = a->listed;
}

static void sample_part(struct gpu_devices *set, struct gpu_part *p, const struct gpu_ask *ask,
			struct gpu_cell *cell)
{
	struct gpu_ask mine = *ask;

	if (!p->state || p->n == 0)
		return;
	mine.want = p->want;
	set->part_rows.n = 0;
	p->backend->sample(p->state, &mine, p->answer, &set->part_rows);
	for (int i = 0; i < p->n; i++)
		if (p->map[i] >= 0)
			take_answer(set, p->map[i], &p->answer[i], &cell[p->map[i]]);
	for (size_t i = 0; i < set->part_rows.n; i++) {
		const struct gpu_row *r = &set->part_rows.row[i];

		if (p->map[r->device] >= 0)
			gpu_rows_add(&set->rows, p->map[r->device], r->pid, r->bytes)->state = r->state;
	}
}

static int by_device_and_pid(const void *va, const void *vb)
{
	const struct gpu_row *a = va, *b = vb;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Two counters of the same memory: the larger, not the sum. */
static void join_rows(struct gpu_rows *rows)
{
	size_t n = 0;

	qsort(rows->row, rows->n, sizeof(rows->row[0]), by_device_and_pid);
	for (size_t i = 0; i < rows->n; i++) {
		struct gpu_row *last = n ? &rows->row[n - 1] : NULL, *r = &rows->row[i];

		if (!last || by_device_and_pid(last, r) != 0)
			rows->row[n++] = *r;
		else if (last->state != GPU_PID_VALUE ||
			 (r->state == GPU_PID_VALUE && r->bytes > last->bytes))
			*last = *r;
	}
	rows->n = n;
}

void gpu_devices_sample(struct gpu_devices *set, const struct gpu_ask *ask, struct gpu_cell *cell)
{
	set->rows.n = 0;
	memset(set->sum, 0, (size_t)set->n * sizeof(set->sum[0]));
	memset(set->known, 0, (size_t)set->n * sizeof(set->known[0]));
	for (int i = 0; i < set->n; i++)
		cell[i] = (struct gpu_cell){.basis = GPU_BASIS_NONE, .listed = -1};
	for (int b = 0; b < GPU_BACKENDS; b++)
		sample_part(set, &set->part[b], ask, cell);
	if (set->merged && set->rows.n > 1)
		join_rows(&set->rows);
	for (size_t i = 0; i < set->rows.n; i++) {
		const struct gpu_row *r = &set->rows.row[i];

		set->sum[r->device] += r->bytes;
		if (r->state != GPU_PID_VALUE)
			set->known[r->device] = -1;
	}
	for (int i = 0; i < set->n; i++)
		if (set->known[i] == 1)
			cell[i].tree = (struct reading){.bytes = set->sum[i], .ok = true};
}
