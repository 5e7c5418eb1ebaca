/* SPDX-License-Identifier: MIT */
/* The columns of a memwatch CSV by name, and the careful reading of one row: quotes, decimals, damage with
 * its reason. The quick way for plain rows is in record/csv_reader.c; both must agree. */
#include "record/csv_columns.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"

enum { COLUMNS_MAX = 4096, SHOWN_MAX = 24, DEVICE_MAX = 14 }; /* "gpu123_mig123" */

#define FIGURE(member) .channel = -1, .figure = offsetof(struct sample, member)

const struct csv_field csv_fields[CSV_FIELDS] = {
    [CSV_ELAPSED] = {"elapsed_s", CSV_MILLI, FIGURE(elapsed_ms)},
    [CSV_TIME] = {"time", CSV_MILLI, FIGURE(wall_ms)},
    {"epoch", CSV_WHOLE, FIGURE(epoch)},
    {"procs", CSV_WHOLE, FIGURE(procs)},
    {"rss_bytes", CSV_WHOLE, .channel = CH_RSS, .judged = true},
    {"anon_bytes", CSV_WHOLE, .channel = CH_ANON, .judged = true},
    {"file_bytes", CSV_WHOLE, .channel = CH_FILE},
    {"shmem_bytes", CSV_WHOLE, .channel = CH_SHMEM},
    {"swap_bytes", CSV_WHOLE, .channel = CH_SWAP},
    {"pss_bytes", CSV_WHOLE, .channel = CH_PSS},
    {"held_bytes", CSV_WHOLE, .channel = CH_HELD, .judged = true},
    {"available_bytes", CSV_WHOLE, .channel = CH_AVAILABLE},
    {"limit_bytes", CSV_WHOLE, .channel = CH_LIMIT},
    {"heap_used_bytes", CSV_WHOLE, .channel = CH_HEAP_USED, .behind_gpus = true},
    {"heap_free_bytes", CSV_WHOLE, .channel = CH_HEAP_FREE, .behind_gpus = true},
    {"pressure_us", CSV_WHOLE, FIGURE(pressure_us), .behind_gpus = true},
    {"major_faults", CSV_WHOLE, FIGURE(major_faults), .behind_gpus = true},
    {"heap_passing_bytes", CSV_WHOLE, .channel = CH_HEAP_PASSING, .behind_gpus = true},
    {"heap_untouched_bytes", CSV_WHOLE, .channel = CH_HEAP_UNTOUCHED, .behind_gpus = true},
};

struct reading csv_field_reading(const struct csv_field *f, const struct sample *s)
{
	int64_t figure;

	if (f->channel >= 0)
		return s->v[f->channel];
	memcpy(&figure, (const char *)s + f->figure, sizeof(figure));
	return (struct reading){(uint64_t)figure, figure >= 0};
}

void csv_table_figures(struct csv_table *t)
{
	for (int i = CSV_TIME; i < CSV_FIELDS; i++) {
		int64_t figure = t->figures[i].ok ? (int64_t)t->figures[i].bytes : -1;

		if (csv_fields[i].channel < 0)
			memcpy((char *)&t->row + csv_fields[i].figure, &figure, sizeof(figure));
	}
}

size_t csv_row_length(const char *text, size_t n)
{
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"')
			quoted = !quoted;
		else if (text[i] == '\n' && !quoted)
			return i;
	}
	return n;
}

/* One quoted field, the opening quote behind p; writes at out, returns past the closing quote or NULL. */
static char *unquote(char *p, char *end, char **out)
{
	for (; p < end; p++) {
		if (*p == '"' && (p + 1 == end || p[1] != '"'))
			return p + 1;
		if (*p == '"')
			p++;
		*(*out)++ = *p;
	}
	return NULL;
}

/* Cuts a row of n bytes (no line end) into fields, unquoting in place (RFC 4180); each gets its NUL, so
 * text[n] must be writable. Fields beyond max are counted, not kept. The number of fields, or -EINVAL: bad
 * quotes. */
static int split(char *text, size_t n, char **fields, int max)
{
	char *p = text, *end = text + n;
	int count = 0;

	for (;; p++) {
		char *start = p, *out = p;

		if (p < end && *p == '"') {
			p = unquote(p + 1, end, &out);
			if (!p || (p < end && *p != ','))
				return -EINVAL;
		} else {
			while (p < end && *p != ',')
				p++;
			out = p;
		}
		if (count < max)
			fields[count] = start;
		count++;
		if (p >= end) {
			*out = '\0';
			return count;
		}
		*out = '\0';
	}
}

/* Index of the cell pair of device "gpu0" or "gpu0_mig1", taken when new; -1 when there are too many. */
static int gpu_slot(struct csv_table *t, const char *device)
{
	char used[CHANNEL_NAME_MAX];
	int i;

	snprintf(used, sizeof(used), "%.*s_bytes", DEVICE_MAX, device);
	for (i = CH_HOST_COUNT; i < t->row.n; i += 2)
		if (strcmp(t->channels[i].name, used) == 0)
			return i;
	if (i + 2 > CH_MAX)
		return -1;
	memcpy(t->channels[i].name, used, sizeof(used));
	snprintf(t->channels[i + 1].name, CHANNEL_NAME_MAX, "%.*s_total_bytes", DEVICE_MAX, device);
	t->row.n = i + 2;
	return i;
}

/* Length of "gpuN" or "gpuN_migM" at the start of name, 0 when it is neither. */
static size_t gpu_device_length(const char *name)
{
	int n = 0, m = 0;

	if (sscanf(name, "gpu%*3[0-9]%n", &n) != 0 || n == 0)
		return 0;
	if (sscanf(name + n, "_mig%*3[0-9]%n", &m) != 0)
		m = 0;
	return (size_t)(n + m);
}

static struct reading *gpu_cell(struct csv_table *t, const char *name)
{
	char device[DEVICE_MAX + 1];
	size_t n = gpu_device_length(name);
	bool total = n && strcmp(name + n, "_total_bytes") == 0;
	int slot;

	if (n == 0 || n >= sizeof(device) || (!total && strcmp(name + n, "_bytes") != 0))
		return NULL;
	memcpy(device, name, n);
	device[n] = '\0';
	slot = gpu_slot(t, device);
	if (slot < 0)
		return NULL;
	if (!total)
		t->has_memory = true;
	return &t->row.v[slot + total];
}

static struct reading *field_cell(struct csv_table *t, const char *name, enum csv_kind *kind)
{
	for (int i = 0; i < CSV_FIELDS; i++) {
		const struct csv_field *f = &csv_fields[i];

		if (strcmp(name, f->name) != 0)
			continue;
		*kind = f->kind;
		t->given[i] = true;
		t->has_memory |= f->judged;
		return f->channel < 0 ? &t->figures[i] : &t->row.v[f->channel];
	}
	return NULL;
}

static bool cell_taken(const struct csv_table *t, const struct reading *cell)
{
	for (int i = 0; i < t->n; i++)
		if (t->columns[i].cell == cell)
			return true;
	return false;
}

static void add_column(struct csv_table *t, const char *name)
{
	struct csv_column *c = &t->columns[t->n];

	c->name = xstrdup(name);
	c->kind = CSV_WHOLE;
	c->cell = field_cell(t, name, &c->kind);
	if (!c->cell)
		c->cell = gpu_cell(t, name);
	if (!c->cell || cell_taken(t, c->cell)) {
		c->kind = CSV_TEXT;
		c->cell = NULL;
	}
	t->n++;
}

int csv_table_open(struct csv_table *t, char *header, size_t n, char why[CSV_WHY_MAX])
{
	char **fields = xcalloc(COLUMNS_MAX, sizeof(*fields));
	int count = split(header, n, fields, COLUMNS_MAX);
	bool timed;

	memset(t, 0, sizeof(*t));
	t->row.n = CH_HOST_COUNT;
	if (count > 0 && count <= COLUMNS_MAX) {
		t->columns = xcalloc((size_t)count, sizeof(*t->columns));
		for (int i = 0; i < count; i++)
			add_column(t, fields[i]);
	}
	free(fields);
	for (int i = 0; i < CSV_FIELDS; i++)
		if (csv_fields[i].channel >= 0 && t->given[i])
			snprintf(t->channels[csv_fields[i].channel].name, CHANNEL_NAME_MAX, "%s",
				 csv_fields[i].name);
	timed = t->given[CSV_ELAPSED] || t->given[CSV_TIME];
	if (timed && t->has_memory)
		return 0;
	snprintf(why, CSV_WHY_MAX, "not a memwatch CSV: no column %s in its first line",
		 t->has_memory ? "elapsed_s"
		 : timed       ? "rss_bytes"
			       : "elapsed_s and rss_bytes");
	return -EINVAL;
}

void csv_table_close(struct csv_table *t)
{
	for (int i = 0; i < t->n; i++)
		free(t->columns[i].name);
	free(t->columns);
	t->columns = NULL;
	t->n = 0;
}

/* Digits and at most one point; scaled by 10^decimals and rounded half up. False: not a number, or too
 * large. */
static bool parse_number(const char *s, int decimals, uint64_t *out)
{
	uint64_t v = 0;
	bool digits = false, point = false, round_up = false;
	int left = decimals;

	for (; *s; s++) {
		if (*s == '.' && !point) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*s))
			return false;
		digits = true;
		if (point && left-- <= 0) {
			if (left == -1)
				round_up = *s >= '5';
			continue;
		}
		if (v > (INT64_MAX / 1000 - 9) / 10)
			return false;
		v = v * 10 + (uint64_t)(*s - '0');
	}
	for (left = point ? left : decimals; left > 0; left--)
		v *= 10;
	*out = v + round_up;
	return digits;
}

static void say_no_number(char why[CSV_WHY_MAX], const char *name, const char *text)
{
	char shown[SHOWN_MAX + 1];
	size_t n = strnlen(text, SHOWN_MAX + 1);
	bool cut = n > SHOWN_MAX;

	if (cut)
		n = SHOWN_MAX;
	for (size_t i = 0; i < n; i++)
		shown[i] = isprint((unsigned char)text[i]) ? text[i] : '?';
	shown[n] = '\0';
	snprintf(why, CSV_WHY_MAX, "%.32s is \"%s%s\", not a number", name, shown, cut ? "..." : "");
}

static int read_cell(const struct csv_column *c, char *text, char why[CSV_WHY_MAX])
{
	text = scan_trim(text);
	c->cell->ok = *text != '\0';
	if (!c->cell->ok || parse_number(text, c->kind == CSV_MILLI ? 3 : 0, &c->cell->bytes))
		return 0;
	say_no_number(why, c->name, text);
	return -EINVAL;
}

int csv_table_row(struct csv_table *t, char *text, size_t n, char why[CSV_WHY_MAX])
{
	char **fields = xcalloc((size_t)t->n, sizeof(*fields));
	int count = split(text, n, fields, t->n), err = 0;

	if (count < 0)
		snprintf(why, CSV_WHY_MAX, "a quote that is not closed, or text beside one");
	else if (count != t->n)
		snprintf(why, CSV_WHY_MAX, "%d field%s instead of %d", count, count == 1 ? "" : "s", t->n);
	if (count != t->n)
		err = -EINVAL;
	for (int i = 0; i < t->n && !err; i++)
		if (t->columns[i].kind != CSV_TEXT)
			err = read_cell(&t->columns[i], fields[i], why);
	free(fields);
	return err;
}
