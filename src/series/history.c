/* SPDX-License-Identifier: MIT */
/* Spans of time and of epochs are the same table: rows with the same slot share a span, and a full table gets longer
 * slots. Knows no verdict. */
#include "series/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static const struct history_cell nothing = {.low = UINT64_MAX};

static void open_table(struct history_table *t, int max)
{
	t->max = max;
	t->tracks = HISTORY_HOST_TRACKS;
	t->spans = xcalloc((size_t)max, sizeof(*t->spans));
	t->cells = xcalloc((size_t)max * (size_t)t->tracks, sizeof(*t->cells));
}

static void close_table(struct history_table *t)
{
	free(t->spans);
	free(t->cells);
}

struct history *history_new(int spans_max)
{
	struct history *h = xcalloc(1, sizeof(*h));

	open_table(&h->times, spans_max);
	open_table(&h->epochs, spans_max / 2);
	h->span_ms = h->span_epochs = 1;
	h->epoch_raw = -1;
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	close_table(&h->times);
	close_table(&h->epochs);
	free(h->gpus);
	free(h);
}

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *to = xcalloc(n, size);

	memcpy(to, from, n * size);
	return to;
}

static void clone_table(struct history_table *t)
{
	t->spans = copy_of(t->spans, (size_t)t->max, sizeof(*t->spans));
	t->cells = copy_of(t->cells, (size_t)t->max * (size_t)t->tracks, sizeof(*t->cells));
}

struct history *history_clone(const struct history *h)
{
	struct history *c = copy_of(h, 1, sizeof(*h));

	clone_table(&c->times);
	clone_table(&c->epochs);
	if (c->devices > 0)
		c->gpus = copy_of(h->gpus, (size_t)h->devices, sizeof(*h->gpus));
	return c;
}

int history_track(const struct history *h, const char *series_name)
{
	size_t n = strlen(series_name);

	if (strcmp(series_name, "host") == 0)
		return HISTORY_HELD;
	for (int i = 0; i < h->devices; i++)
		if (strncmp(h->gpus[i].name, series_name, n) == 0 &&
		    strcmp(h->gpus[i].name + n, "_bytes") == 0)
			return HISTORY_HOST_TRACKS + i;
	return -1;
}

static struct history_cell *cell_of(const struct history_table *t, int span, int track)
{
	return &t->cells[(size_t)span * (size_t)t->tracks + (size_t)track];
}

const struct history_cell *history_cell(const struct history_table *t, int span, int track)
{
	return track < t->tracks ? cell_of(t, span, track) : &nothing;
}

bool history_known(const struct history_cell *c)
{
	return c->low <= c->high;
}

int history_epochs_ended(const struct history *h)
{
	return h->epochs.n > 0 ? h->epochs.n - 1 : 0;
}

static void widen_table(struct history_table *t, int tracks)
{
	struct history_cell *cells = xcalloc((size_t)t->max * (size_t)tracks, sizeof(*cells));

	for (int i = 0; i < t->n; i++)
		for (int k = 0; k < tracks; k++)
			cells[(size_t)i * (size_t)tracks + (size_t)k] = *history_cell(t, i, k);
	free(t->cells);
	t->cells = cells;
	t->tracks = tracks;
}

void history_channels(struct history *h, const struct channel *channels, int n)
{
	int devices = (n - CH_HOST_COUNT) / 2;

	if (devices <= h->devices)
		return;
	free(h->gpus);
	h->gpus = xcalloc((size_t)devices, sizeof(*h->gpus));
	h->devices = devices;
	for (int i = 0; i < devices; i++)
		h->gpus[i] = channels[CH_HOST_COUNT + 2 * i];
	widen_table(&h->times, HISTORY_HOST_TRACKS + devices);
	widen_table(&h->epochs, HISTORY_HOST_TRACKS + devices);
}

/* b, which follows a, goes into a. */
static void join_cells(struct history_cell *a, const struct history_cell *b)
{
	if (!history_known(b))
		return;
	if (!history_known(a)) {
		*a = *b;
		return;
	}
	a->low = b->low < a->low ? b->low : a->low;
	a->high = b->high > a->high ? b->high : a->high;
	a->last = b->last;
}

static void join_spans(struct history_table *t, int into, int from)
{
	t->spans[into].end_ms = t->spans[from].end_ms;
	t->spans[into].epoch = t->spans[from].epoch;
	for (int k = 0; k < t->tracks; k++)
		join_cells(cell_of(t, into, k), cell_of(t, from, k));
}

static void move_span(struct history_table *t, int to, int from)
{
	if (to == from)
		return;
	t->spans[to] = t->spans[from];
	memcpy(cell_of(t, to, 0), cell_of(t, from, 0), (size_t)t->tracks * sizeof(*t->cells));
}

/* The slot that a span lies in; spans of one slot are one. */
static int64_t time_slot(const struct history *h, const struct history_span *s)
{
	return s->begin_ms / h->span_ms;
}

static int64_t epoch_slot(const struct history *h, const struct history_span *s)
{
	return s->epoch / h->span_epochs;
}

typedef int64_t slot_fn(const struct history *h, const struct history_span *s);

static void join_slots(const struct history *h, struct history_table *t, slot_fn *slot)
{
	int n = 0;

	for (int i = 0; i < t->n; i++) {
		if (n > 0 && slot(h, &t->spans[n - 1]) == slot(h, &t->spans[i]))
			join_spans(t, n - 1, i);
		else
			move_span(t, n++, i);
	}
	t->n = n;
}

/* Half the table is free afterwards, so that this is rare. */
static void make_room(const struct history *h, struct history_table *t, slot_fn *slot, int64_t *length)
{
	while (t->n > t->max / 2) {
		*length *= 2;
		join_slots(h, t, slot);
	}
}

/* The span that a row of this moment goes into. */
static int span_for(const struct history *h, struct history_table *t, slot_fn *slot, int64_t *length,
		    const struct history_span *row)
{
	if (t->n > 0 && slot(h, &t->spans[t->n - 1]) == slot(h, row)) {
		t->spans[t->n - 1].end_ms = row->end_ms;
		t->spans[t->n - 1].epoch = row->epoch;
		return t->n - 1;
	}
	if (t->n == t->max)
		make_room(h, t, slot, length);
	t->spans[t->n] = *row;
	for (int k = 0; k < t->tracks; k++)
		*cell_of(t, t->n, k) = nothing;
	return t->n++;
}

static void add_reading(struct history_table *t, int span, int track, struct reading r)
{
	struct history_cell one = {r.bytes, r.bytes, r.bytes, r.bytes};

	if (r.ok)
		join_cells(cell_of(t, span, track), &one);
}

static void add_row(struct history_table *t, int span, const struct sample *s, struct reading held)
{
	add_reading(t, span, HISTORY_HELD, held);
	add_reading(t, span, HISTORY_RSS, s->v[CH_RSS]);
	add_reading(t, span, HISTORY_HEAP_USED, s->v[CH_HEAP_USED]);
	add_reading(t, span, HISTORY_HEAP_FREE, s->v[CH_HEAP_FREE]);
	for (int i = 0; HISTORY_HOST_TRACKS + i < t->tracks && CH_HOST_COUNT + 2 * i < s->n; i++)
		add_reading(t, span, HISTORY_HOST_TRACKS + i, s->v[CH_HOST_COUNT + 2 * i]);
}

/* A second fit begins at the first epoch again. */
static int64_t count_on(struct history *h, int64_t epoch)
{
	if (epoch < 0)
		return -1;
	if (epoch < h->epoch_raw)
		h->epoch_base += h->epoch_raw;
	h->epoch_raw = epoch;
	return h->epoch_base + epoch;
}

void history_push(struct history *h, const struct sample *s, struct reading held)
{
	struct history_span row = {s->elapsed_ms, s->elapsed_ms, count_on(h, s->epoch)};

	add_row(&h->times, span_for(h, &h->times, time_slot, &h->span_ms, &row), s, held);
	if (row.epoch >= 0)
		add_row(&h->epochs, span_for(h, &h->epochs, epoch_slot, &h->span_epochs, &row), s, held);
}
