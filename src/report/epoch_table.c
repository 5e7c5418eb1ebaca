/* SPDX-License-Identifier: MIT */
/* Floor, mean and peak of each epoch, for people, for programs and for bug reports. Where the end of the first epoch is
 * the first that was heard of any, set-up is a part of it: it has no floor then. What follows the last end is marked, and
 * is not for programs. Knows no verdicts. */
#include "report/epoch_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/plain_text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "verdict/judge.h"
#include "verdict/run_series.h"

enum { CELL_MAX = 48, FIXED = 7 };

struct epoch_table {
	FILE *out;
	enum epoch_table_form form;
	const char *title;
	int gpus; /* devices shown */
	char (*gpu_names)[CHANNEL_NAME_MAX];
	int64_t epoch;         /* the one that runs: epochs finished before it; -1 none was heard of */
	bool with_setup, open; /* what of the row is shown: it began with the run, or has not ended */
	int64_t begin_ms, last_ms, rows, procs;
	uint64_t floor, peak, count;
	double sum;
	struct reading last_floor;
	struct reading *gpu_peak;
	bool heap;                           /* the file has its columns */
	struct reading heap_used, heap_free; /* as the epoch began */
};

static const char *const heads[FIXED] = {"epoch", "duration", "floor", "mean", "peak", "change", "procs"};
static const char *const csv_heads[FIXED] = {"epoch",      "duration_s",         "floor_bytes", "mean_bytes",
					     "peak_bytes", "floor_change_bytes", "procs"};

struct epoch_table *epoch_table_new(FILE *out, enum epoch_table_form form, const char *title,
				    const struct channel *channels, int n)
{
	struct epoch_table *t = xcalloc(1, sizeof(*t));

	t->out = out;
	t->form = form;
	t->title = title;
	t->epoch = t->begin_ms = t->procs = -1;
	t->floor = UINT64_MAX;
	t->gpus = (n - CH_HOST_COUNT) / 2;
	t->heap = channels[CH_HEAP_USED].name[0];
	t->gpu_names = xcalloc((size_t)t->gpus, sizeof(*t->gpu_names));
	t->gpu_peak = xcalloc((size_t)t->gpus, sizeof(*t->gpu_peak));
	for (int i = 0; i < t->gpus; i++)
		run_series_name(&channels[CH_HOST_COUNT + 2 * i], t->gpu_names[i]);
	return t;
}

void epoch_table_free(struct epoch_table *t)
{
	if (!t)
		return;
	free(t->gpu_names);
	free(t->gpu_peak);
	free(t);
}

static void put_cell(const struct epoch_table *t, int column, const char *text)
{
	if (t->form == EPOCHS_AS_TEXT)
		fprintf(t->out, "%s%*s", column ? "  " : "", column == 0 ? 5 : column == 6 ? 5 : 10, text);
	else if (t->form == EPOCHS_AS_CSV)
		fprintf(t->out, "%s%s", column ? "," : "", text);
	else
		fprintf(t->out, "| %s ", text);
}

static void end_line(const struct epoch_table *t)
{
	fputs(t->form == EPOCHS_AS_MARKDOWN ? "|\n" : "\n", t->out);
}

static void put_heads(const struct epoch_table *t)
{
	char name[CELL_MAX];

	if (t->title && t->form == EPOCHS_AS_MARKDOWN)
		plain_line(t->out, "**%s**", t->title);
	else if (t->title)
		plain_line(t->out, "%s:", t->title);
	if (t->title && t->form == EPOCHS_AS_MARKDOWN)
		fputc('\n', t->out);
	for (int i = 0; i < FIXED; i++)
		put_cell(t, i, t->form == EPOCHS_AS_CSV ? csv_heads[i] : heads[i]);
	for (int i = 0; i < t->gpus; i++) {
		snprintf(name, sizeof(name), t->form == EPOCHS_AS_CSV ? "%s_peak_bytes" : "%s",
			 t->gpu_names[i]);
		put_cell(t, FIXED + i, name);
	}
	if (t->heap) {
		put_cell(t, FIXED + t->gpus, t->form == EPOCHS_AS_CSV ? "heap_used_bytes" : "heap used");
		put_cell(t, FIXED + t->gpus + 1, t->form == EPOCHS_AS_CSV ? "heap_free_bytes" : "heap free");
	}
	end_line(t);
	if (t->form != EPOCHS_AS_MARKDOWN)
		return;
	for (int i = 0; i < FIXED + t->gpus + (t->heap ? 2 : 0); i++)
		fputs("|---:", t->out);
	end_line(t);
}

static void put_bytes(const struct epoch_table *t, int column, struct reading r)
{
	char text[UNITS_TEXT_MAX] = "";

	if (r.ok && t->form == EPOCHS_AS_CSV)
		snprintf(text, sizeof(text), "%" PRIu64, r.bytes);
	else if (r.ok)
		units_bytes(text, r.bytes);
	put_cell(t, column, text);
}

static void put_change(const struct epoch_table *t)
{
	char text[UNITS_TEXT_MAX] = "";
	int64_t change = (int64_t)(t->floor - t->last_floor.bytes);

	if (t->last_floor.ok && t->form == EPOCHS_AS_CSV)
		snprintf(text, sizeof(text), "%" PRId64, change);
	else if (t->last_floor.ok)
		units_bytes_signed(text, (double)change);
	put_cell(t, 5, text);
}

static void put_count(const struct epoch_table *t, int column, int64_t n)
{
	char text[CELL_MAX] = "";

	if (n >= 0)
		snprintf(text, sizeof(text), "%" PRId64, n);
	put_cell(t, column, text);
}

static void put_duration(const struct epoch_table *t, int64_t ms)
{
	char text[UNITS_TEXT_MAX];

	if (t->form == EPOCHS_AS_CSV)
		*units_put_milli(text, ms) = '\0';
	else
		units_duration(text, ms * NS_PER_MS);
	put_cell(t, 1, text);
}

static void put_number(const struct epoch_table *t)
{
	char text[CELL_MAX];

	snprintf(text, sizeof(text), "%" PRId64 "%s", t->epoch + 1, t->open ? "*" : "");
	put_cell(t, 0, text);
}

static void put_row(struct epoch_table *t, int64_t end_ms)
{
	if (t->rows++ == 0)
		put_heads(t);
	put_number(t);
	put_duration(t, end_ms - t->begin_ms);
	put_bytes(t, 2, (struct reading){t->floor, !t->with_setup});
	put_bytes(t, 3, (struct reading){(uint64_t)(t->sum / (double)t->count), !t->with_setup});
	put_bytes(t, 4, (struct reading){t->peak, true});
	put_change(t);
	put_count(t, 6, t->procs);
	for (int i = 0; i < t->gpus; i++)
		put_bytes(t, FIXED + i, t->gpu_peak[i]);
	if (t->heap) {
		put_bytes(t, FIXED + t->gpus, t->heap_used);
		put_bytes(t, FIXED + t->gpus + 1, t->heap_free);
	}
	end_line(t);
}

static void begin_epoch(struct epoch_table *t, const struct sample *s)
{
	if (t->count > 0)
		t->last_floor = (struct reading){t->floor, !t->with_setup};
	t->with_setup = false;
	t->epoch = s->epoch;
	t->begin_ms = s->elapsed_ms;
	t->floor = UINT64_MAX;
	t->peak = t->count = 0;
	t->sum = 0;
	t->procs = -1;
	t->heap_used = t->heap_free = (struct reading){0};
	memset(t->gpu_peak, 0, (size_t)t->gpus * sizeof(*t->gpu_peak));
}

static void add_gpus(struct epoch_table *t, const struct sample *s)
{
	for (int i = 0; i < t->gpus; i++) {
		struct reading r = s->v[CH_HOST_COUNT + 2 * i];

		if (r.ok && (!t->gpu_peak[i].ok || r.bytes > t->gpu_peak[i].bytes))
			t->gpu_peak[i] = r;
	}
}

/* What came before the first sign of an epoch was the first one, where that sign is its end. */
static void settle_first(struct epoch_table *t, const struct sample *s)
{
	if (t->epoch >= 0)
		return;
	t->with_setup = s->epoch == 1;
	t->epoch = 0;
	if (!t->with_setup)
		t->count = 0;
}

void epoch_table_push(struct epoch_table *t, const struct sample *s, struct reading held)
{
	if (s->epoch >= 0 && s->epoch != t->epoch) {
		settle_first(t, s);
		if (t->count > 0)
			put_row(t, s->elapsed_ms);
		begin_epoch(t, s);
	}
	t->last_ms = s->elapsed_ms;
	t->begin_ms = t->begin_ms < 0 ? s->elapsed_ms : t->begin_ms;
	if (!held.ok)
		return;
	t->floor = held.bytes < t->floor ? held.bytes : t->floor;
	t->peak = held.bytes > t->peak ? held.bytes : t->peak;
	t->sum += (double)held.bytes;
	t->count++;
	t->procs = s->procs > t->procs ? s->procs : t->procs;
	add_gpus(t, s);
	if (!t->heap_used.ok) {
		t->heap_used = s->v[CH_HEAP_USED];
		t->heap_free = s->v[CH_HEAP_FREE];
	}
}

void epoch_table_end(struct epoch_table *t)
{
	static const char after[] = "* what came after: an epoch that had not ended, or the end of the run";

	if (t->rows == 0 || t->count == 0 || t->form == EPOCHS_AS_CSV)
		return;
	t->open = true;
	put_row(t, t->last_ms);
	fprintf(t->out, t->form == EPOCHS_AS_MARKDOWN ? "\n\\%s\n" : "%s\n", after);
}

int64_t epoch_table_rows(const struct epoch_table *t)
{
	return t->rows;
}
