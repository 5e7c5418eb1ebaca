/* SPDX-License-Identifier: MIT */
/* A series -> the windows that are judged: epochs, periods of the memory itself, or equal times. Pure; no allocation. */
#ifndef SERIES_WINDOWS_H
#define SERIES_WINDOWS_H

#include "series/series_state.h"

enum { VIEW_MAX = 128 };

/* The windows that are judged, as they stand. Bytes, seconds; x in epochs from the start of training, or in
 * windows from the first row. */
struct view {
	enum basis basis;
	enum series_kind kind;
	int n;      /* windows */
	int first;  /* the first that takes part in a trend: those before are set-up */
	int launch; /* without epochs: windows from launch to the end of set-up; 0 unknown */
	double x[VIEW_MAX], t[VIEW_MAX]; /* of the middle of each */
	double begin[VIEW_MAX];
	int64_t epoch[VIEW_MAX]; /* the first in it, counted as in the series */
	double lo[VIEW_MAX], med[VIEW_MAX], hi[VIEW_MAX];
	double rows[VIEW_MAX];
	double level;   /* held at the end */
	double start;   /* where the trace began */
	double quantum; /* smallest step the series can make */
	double seconds_per_x;
	bool setup_seen;               /* rows came before the first sign of an epoch */
	double first_rise, first_even; /* as in the series */
	int64_t epochs;                /* finished; -1 unknown */
	int64_t base;                  /* epochs finished when it was first seen */
};

enum grain {
	GRAIN_JOINED, /* windows of 3 rows and more, where there are enough of them */
	GRAIN_EPOCH,  /* one window per epoch, even where few rows fall into each */
};

/* s is settled. */
void view_build(const struct series *s, enum grain grain, struct view *v);

#endif
