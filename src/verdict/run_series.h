/* SPDX-License-Identifier: MIT */
/* The series of one run: which there are, and what of each row goes into them. Knows no verdict, no files, no clock. */
#ifndef VERDICT_RUN_SERIES_H
#define VERDICT_RUN_SERIES_H

#include "record/sample.h"
#include "series/imports.h"
#include "series/process_count.h"
#include "series/series.h"
#include "verdict/heap_share.h"
#include "verdict/run_verdict.h"

/* What the host series is made of, from worst to best (the contract's order for files of other origin). */
enum hold { HOLD_NOTHING, HOLD_RSS, HOLD_ANON, HOLD_HELD };

/* A level and what the machine had left beside it, for the forecast. */
struct run_level {
	uint64_t bytes;
	struct reading available;
};

struct run_track {
	struct series *series;
	char name[CHANNEL_NAME_MAX];
	enum series_kind kind;
	int channel; /* GPU: index of the device's cell; the next one is its total */
	uint64_t pushed;
	struct run_level last;      /* newest row */
	struct run_level mark;      /* last row before the newest epoch end: tear-down has not begun there */
	struct run_level recent[2]; /* of the last eighth of the run, for the same where time counts */
	int64_t recent_next_ms;
	struct reading limit;
};

struct run_series {
	struct run_track host;
	struct series *parts[PART_COUNT]; /* quiet ones; none for PART_UNSHARED */
	bool anon_known;                  /* PART_ANON has rows */
	struct heap_share *heap;
	enum hold hold;
	bool swapped; /* something was swapped out at some time */
	struct process_count processes;
	struct imports imports;
	struct run_track *gpu;
	int gpus, known_channels;
	int64_t first_ms, last_ms, epoch;
	uint64_t samples;
};

void run_series_init(struct run_series *r);
void run_series_close(struct run_series *r);

/* As judge_channels() has it; returns how many series there may be. */
int run_series_channels(struct run_series *r, const struct channel *channels, int n);

/* One row into every series. No allocation. */
void run_series_push(struct run_series *r, const struct sample *s);

/* As judge_host_bytes() has it. */
struct reading run_series_host_bytes(const struct run_series *r, const struct sample *s);

/* "gpu0" of "gpu0_bytes". */
void run_series_name(const struct channel *channel, char name[CHANNEL_NAME_MAX]);

#endif
