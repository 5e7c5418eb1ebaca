/* SPDX-License-Identifier: MIT */
/* One series for the host, quiet ones for its parts, one for each GPU. What they amount to is the judge's business. */
#include "verdict/run_series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { RECENT_SHARE = 16, RECENT_STEP_MS = 5000 };

static const int part_channels[PART_COUNT] = {
    [PART_ANON] = CH_ANON, [PART_SHMEM] = CH_SHMEM, [PART_SWAP] = CH_SWAP, [PART_FILE] = CH_FILE};

void run_series_init(struct run_series *r)
{
	*r = (struct run_series){.known_channels = CH_HOST_COUNT, .epoch = -1};
	snprintf(r->host.name, sizeof(r->host.name), "host");
	r->host.kind = SERIES_HOST;
	r->host.series = series_new(SERIES_HOST);
	for (int i = 0; i < PART_UNSHARED; i++)
		r->parts[i] = series_new(SERIES_HOST);
	r->heap = heap_share_new();
	process_count_init(&r->processes);
	imports_init(&r->imports);
}

void run_series_close(struct run_series *r)
{
	series_free(r->host.series);
	for (int i = 0; i < PART_UNSHARED; i++)
		series_free(r->parts[i]);
	for (int i = 0; i < r->gpus; i++)
		series_free(r->gpu[i].series);
	heap_share_free(r->heap);
	free(r->gpu);
}

void run_series_name(const struct channel *channel, char name[CHANNEL_NAME_MAX])
{
	snprintf(name, CHANNEL_NAME_MAX, "%.*s", (int)(strlen(channel->name) - strlen("_bytes")),
		 channel->name);
}

int run_series_channels(struct run_series *r, const struct channel *channels, int n)
{
	for (int i = r->known_channels; i + 1 < n; i += 2) {
		struct run_track *t;

		r->gpu = xrealloc(r->gpu, (size_t)r->gpus + 1, sizeof(*r->gpu));
		t = &r->gpu[r->gpus++];
		memset(t, 0, sizeof(*t));
		run_series_name(&channels[i], t->name);
		t->kind = SERIES_GPU;
		t->channel = i;
		t->series = series_new(SERIES_GPU);
		r->known_channels = i + 2;
	}
	return r->gpus + 1;
}

static enum hold host_bytes(const struct sample *s, uint64_t *bytes)
{
	const struct reading *v = s->v;
	uint64_t swap = v[CH_SWAP].ok ? v[CH_SWAP].bytes : 0;

	if (v[CH_HELD].ok) {
		*bytes = v[CH_HELD].bytes;
		return HOLD_HELD;
	}
	if (v[CH_ANON].ok) {
		*bytes = v[CH_ANON].bytes + (v[CH_SHMEM].ok ? v[CH_SHMEM].bytes : 0) + swap;
		return HOLD_ANON;
	}
	if (v[CH_RSS].ok) {
		*bytes = v[CH_RSS].bytes + swap;
		return HOLD_RSS;
	}
	return HOLD_NOTHING;
}

struct reading run_series_host_bytes(const struct run_series *r, const struct sample *s)
{
	struct reading out = {0};
	enum hold hold = host_bytes(s, &out.bytes);

	out.ok = hold != HOLD_NOTHING && hold >= r->hold;
	return out;
}

static void track_push(struct run_track *t, const struct sample *s, uint64_t bytes, bool new_epoch)
{
	if (new_epoch && t->pushed > 0)
		t->mark = t->last;
	if (t->pushed > 0 && s->elapsed_ms >= t->recent_next_ms) {
		t->recent[1] = t->recent[0];
		t->recent[0] = t->last;
		t->recent_next_ms = s->elapsed_ms + s->elapsed_ms / RECENT_SHARE + RECENT_STEP_MS;
	}
	t->last.bytes = bytes;
	t->last.available = s->v[CH_AVAILABLE];
	t->pushed++;
	series_push(t->series, s->elapsed_ms, s->epoch, bytes);
}

static void host_restart(struct run_track *t)
{
	series_free(t->series);
	t->series = series_new(SERIES_HOST);
	t->pushed = 0;
	memset(&t->mark, 0, sizeof(t->mark));
	memset(t->recent, 0, sizeof(t->recent));
	t->recent_next_ms = 0;
}

/* One kind of figure per series: rows that lack it are left out, and a better kind that turns up late (a
 * first row without held_bytes) starts the series anew. */
static void host_push(struct run_series *r, const struct sample *s, bool new_epoch)
{
	uint64_t bytes;
	enum hold hold = host_bytes(s, &bytes);

	if (s->v[CH_LIMIT].ok)
		r->host.limit = s->v[CH_LIMIT];
	if (hold < r->hold || hold == HOLD_NOTHING)
		return;
	if (hold > r->hold && r->host.pushed > 0)
		host_restart(&r->host);
	r->hold = hold;
	track_push(&r->host, s, bytes, new_epoch);
}

/* Imports raise what is held as a leak does; the code that they map tells them apart. */
static void note_set_up(struct run_series *r, const struct sample *s)
{
	struct reading file = s->v[CH_FILE];

	if (!file.ok || !imports_push(&r->imports, s->elapsed_ms, file.bytes))
		return;
	series_set_up_until(r->host.series, r->imports.until_ms);
	for (int i = 0; i < PART_UNSHARED; i++)
		series_set_up_until(r->parts[i], r->imports.until_ms);
}

/* After the first rows one in eight is enough to say where growth sits, and three quiet series then cost a
 * row no more than a third of one. */
static bool parts_due(const struct run_series *r, bool new_epoch)
{
	return new_epoch || r->samples <= 4096 || r->samples % 8 == 0;
}

static void parts_push(struct run_series *r, const struct sample *s)
{
	for (int i = 0; i < PART_UNSHARED; i++) {
		struct reading part = s->v[part_channels[i]];

		if (i == PART_SWAP && part.ok && part.bytes > 0)
			r->swapped = true;
		if (i == PART_ANON && part.ok)
			r->anon_known = true;
		if (part.ok && (i != PART_SWAP || r->swapped))
			series_push(r->parts[i], s->elapsed_ms, s->epoch, part.bytes);
	}
}

void run_series_push(struct run_series *r, const struct sample *s)
{
	bool new_epoch = s->epoch >= 0 && s->epoch != r->epoch;

	if (r->samples++ == 0)
		r->first_ms = s->elapsed_ms;
	r->last_ms = s->elapsed_ms;
	process_count_push(&r->processes, s->elapsed_ms, s->epoch, s->procs);
	host_push(r, s, new_epoch);
	heap_share_push(r->heap, s);
	note_set_up(r, s);
	if (parts_due(r, new_epoch))
		parts_push(r, s);
	for (int i = 0; i < r->gpus; i++) {
		struct run_track *t = &r->gpu[i];

		if (t->channel + 1 >= s->n)
			break;
		if (s->v[t->channel + 1].ok)
			t->limit = s->v[t->channel + 1];
		if (s->v[t->channel].ok)
			track_push(t, s, s->v[t->channel].bytes, new_epoch);
	}
	if (new_epoch)
		r->epoch = s->epoch;
}
