/* SPDX-License-Identifier: MIT */
/* What a run looked like, for the eye: first, low, high and last of each track in equal spans of time and in each
 * epoch. Bounded: spans are joined in pairs when there are too many, so that floors and peaks are never lost. */
#ifndef SERIES_HISTORY_H
#define SERIES_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sample.h"

/* Tracks of the host; those of GPUs follow, one for each device. */
enum history_track {
	HISTORY_HELD, /* what is judged */
	HISTORY_RSS,
	HISTORY_HEAP_USED,
	HISTORY_HEAP_FREE,
	HISTORY_HOST_TRACKS
};

struct history_cell {
	uint64_t first, low, high, last; /* low > high: nothing was read then */
};

struct history_span {
	int64_t begin_ms, end_ms; /* of its first and its last row */
	int64_t epoch; /* of its last row: epochs finished, counted on where the program's restart; -1 none */
};

/* Spans in order of time, each with a cell for every track. */
struct history_table {
	int n, max, tracks;
	struct history_span *spans;
	struct history_cell *cells;
};

struct history {
	struct history_table times;  /* equal spans of time, those without a row left out */
	struct history_table epochs; /* epochs, or so many at a time; the last one runs, or is tear-down */
	int64_t span_ms;             /* how long a span of time is */
	int64_t span_epochs;         /* how many epochs one of the others holds */
	int64_t epoch_raw, epoch_base;
	struct channel *gpus; /* those of the samples, one for each track behind the host's */
	int devices;
};

/* At most so many spans of time (an even number), and half as many of epochs. */
struct history *history_new(int spans_max);
void history_free(struct history *h);
/* As it stands now, for who looks at it while the run goes on; the caller's to free. */
struct history *history_clone(const struct history *h);

/* The samples hold these GPU channels (channels[CH_HOST_COUNT..n)) from now on, as judge_channels() has it; rows before
 * had fewer. */
void history_channels(struct history *h, const struct channel *channels, int n);

/* held: what is judged of the host in this row. Rows come in order of time. No allocation. */
void history_push(struct history *h, const struct sample *s, struct reading held);

/* The track of a series by its name, "host" or "gpu0"; -1: there is none. */
int history_track(const struct history *h, const char *series_name);

const struct history_cell *history_cell(const struct history_table *t, int span, int track);
bool history_known(const struct history_cell *c);

/* Epochs that have ended: the spans but for the last. */
int history_epochs_ended(const struct history *h);

#endif
