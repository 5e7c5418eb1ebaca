/* SPDX-License-Identifier: MIT */
/* What the detector's own files share. Nobody else includes this. */
#ifndef DETECT_PARTS_H
#define DETECT_PARTS_H

#include "base/stats.h"
#include "detect/detector.h"
#include "series/series_state.h"

enum { VIEW_MAX = 128 };

/* A process whose first rows held less than this share of its level was watched from its launch on. */
#define LAUNCH_SHARE 0.3

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

struct spans {
	int n;
	struct span w[VIEW_MAX];
};
/* Joins windows of equal time to one per period of the memory itself; false, and nothing done, when there is
 * none. setup: windows that are left out of it, 0 unknown. */
bool period_group(struct spans *a, int setup);

/* The window where the set-up of a process watched from its launch on ends; 0: not seen. start: its first
 * rows, bytes; setup_ms: as in the series. */
int launch_end(const struct spans *a, double start, int64_t setup_ms);

enum grain {
	GRAIN_JOINED, /* windows of 3 rows and more, where there are enough of them */
	GRAIN_EPOCH,  /* one window per epoch, even where few rows fall into each */
};
void view_build(const struct series *s, enum grain grain, struct view *v);

struct growth {
	bool known;        /* there were windows enough */
	double weight;     /* of growth among all courses, 0 to 1 */
	bool growth, firm; /* to be said; certain */
	bool rises;        /* no growth, but not settled either */
	bool curved;       /* the best course that settles is a curve or a fill */
	double slope, sd;  /* bytes per x: of growth, else what it rises by at the end */
	double detectable; /* growth above this, in bytes per x, would have shown */
	int onset;         /* window from which on it grows */
	const struct view *view;
};
void growth_judge(const struct view *v, struct growth *out);

/* The typical swing goes to *swing; 0 when there is none. */
enum shape classes_judge(const struct view *v, const struct growth *g, double *swing);

/* All of out but shape, firmness and slope. `fine` has one window per epoch, `v` is what was judged. */
void evidence_fill(const struct series *s, const struct view *v, const struct view *fine,
		   const struct growth *g, struct verdict *out);

#endif
