/* SPDX-License-Identifier: MIT */
/* What a series holds, for the detector's eyes: outer layers use series/series.h alone. */
#ifndef SERIES_SERIES_STATE_H
#define SERIES_SERIES_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "series/series.h"

enum {
	SERIES_EPOCHS = 112, /* windows of finished epochs kept; joined in pairs when full */
	SERIES_EARLY = 12,   /* the first epochs, kept apart and never joined: warm-up shows there */
	SERIES_SLOTS = 96,   /* windows of equal time kept, likewise */
	SERIES_PICKS = 64,   /* rows kept of an open window, evenly spread, for its median */
	SERIES_TAIL = 32,    /* newest rows held back: what a process gives back as it ends is no data */
};

struct span {
	double lo, med, hi; /* bytes */
	int64_t first_ms, last_ms;
	int64_t epoch0, epoch1; /* first and last epoch in it, counted on when the program's restart */
	uint32_t rows, epochs;  /* epochs: finished ones joined here */
};

struct row {
	int64_t ms, epoch;
	uint64_t bytes;
};

/* A window that still fills. `left` counts down to the next row picked for the median. */
struct filling {
	uint64_t lo, hi;
	int64_t first_ms, last_ms;
	int64_t epoch0, epoch1;
	uint32_t rows, picks, stride, left;
	uint64_t pick[SERIES_PICKS];
};

struct series {
	enum series_kind kind;
	uint64_t opening[3]; /* the first rows: one alone may have caught a moment's dip */
	uint64_t last_bytes, peak_bytes, rows, lost;
	int64_t first_ms, last_ms;
	int64_t epoch_raw, epoch, epoch_base; /* as given, counted on, and the first ever seen; -1 none yet */

	struct row tail[SERIES_TAIL];
	uint32_t tail_at, tail_n;

	int64_t slot_end_ms;
	int slot_shift;        /* a slot is 1 << slot_shift ms long */
	int64_t window_epochs; /* epochs per window */
	int epoch_n, slot_n, early_n;
	bool setup_seen;  /* rows came before the first sign of an epoch */
	int64_t setup_ms; /* the program was still being set up then, by what others saw; -1 unknown */
	/* The first epoch, where set-up is told from it; 0 until it ends. */
	double first_rise; /* bytes gained within it */
	double first_even; /* 1: evenly over all of it, near 0: at once */
	struct filling open_epoch, open_slot;
	struct span early[SERIES_EARLY];
	struct span epochs[SERIES_EPOCHS];
	struct span slots[SERIES_SLOTS];
};

_Static_assert(sizeof(struct series) <= 16384, "state per series is at most 16 KiB");

/* One reading is all there is of an epoch. */
static inline bool series_is_of_ends(enum series_kind kind)
{
	return kind == SERIES_HEAP || kind == SERIES_OUTSIDE;
}

/* Rows held back go into the windows, but for the falling end of a process that gives its memory back. */
void series_settle(struct series *s);

/* What came after the last epoch that was told of. */
struct quiet {
	int64_t ms;         /* how long it is; 0: no epoch has ended */
	int64_t told_ms;    /* how long all epochs took */
	int64_t longest_ms; /* the longest of them */
	int64_t since_ms;   /* when it began */
};

struct quiet series_quiet(const struct series *s); /* settled */

/* Not settled: as if nobody had told of any. */
void series_forget_epochs(struct series *s);

/* What an open window would be if it ended now; rows = 0: nothing in it. */
struct span series_close(const struct filling *f);

/* b, which follows a, goes into a. */
void series_join(struct span *a, const struct span *b);

#endif
