/* SPDX-License-Identifier: MIT */
/* What the detector's own files share. Nobody else includes this. */
#ifndef DETECT_PARTS_H
#define DETECT_PARTS_H

#include "base/stats.h"
#include "detect/detector.h"
#include "series/series_state.h"

enum { VIEW_MAX = 128 };

/* Bytes gained before anything is called growth: histories and log buffers of recorded runs stayed below. */
#define GAIN_LEAST 100e3

/* A process whose first rows held less than this share of its level was watched from its launch on: recorded
 * ones began at 0.3 to 8 %, those attached to at 82 % and more. */
#define LAUNCH_SHARE 0.3

/* The windows that are judged, as they stand. Bytes, seconds; x in epochs from the start of training, or in
 * windows from the first row. */
struct view {
	enum basis basis;
	bool gpu;
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
/* Where y turns from falling to rising, by at least `size`, into at, which is as long as y; returns how
 * many. */
int period_floors(const double *y, int n, double size, int *at);

/* The window where the set-up of a process watched from its launch on ends; 0: not seen. start: its first
 * rows, bytes; setup_ms: as in the series. */
int launch_end(const struct spans *a, double start, int64_t setup_ms);

enum grain {
	GRAIN_JOINED, /* windows of 3 rows and more, where there are enough of them */
	GRAIN_EPOCH,  /* one window per epoch, even where few rows fall into each */
	GRAIN_ROW,    /* without epochs one per row, at most 64 */
};
void view_build(const struct series *s, enum grain grain, struct view *v);
/* The view one window earlier; false when there is none. */
bool view_back(struct view *v);
void view_finish(struct view *v);
/* The end lies above where it was three windows before, floors and medians alike. */
bool view_rises(const struct view *v);

struct step {
	int at; /* index of the first window after it */
	double size;
};
enum { STEPS_MAX = 4 };

/* Windows that stick out of both neighbours are put back. */
void steps_smooth(const double *y, int n, double *out);
/* Takes isolated steps out of y, in place; returns how many. A step followed by more than `curve` of itself
 * in the same direction is a curve and stays. */
int steps_peel(double *y, int n, double curve, struct step out[STEPS_MAX]);

enum why {
	WHY_NONE, /* growth */
	WHY_FEW,  /* too few windows */
	WHY_NO_SLOPE,
	WHY_TINY,
	WHY_LUMPY,   /* all of it in a few increments */
	WHY_SETTLED, /* the last third is level */
	WHY_SATURATING,
	WHY_BENDING,
};

struct trend {
	bool growth, sure; /* sure: of the settling, when it is no growth */
	enum why why;
	double slope, se;
	double z; /* of a plain line through all of it, whatever else was fitted */
	int dof;
	int from;    /* first of the tail, in the row that was judged */
	double last; /* slope of the last third over the whole */
	double line_z, line_share, line_share_se, fit_f, kappa;
	bool joint;         /* slope is that of a line fitted beside a settling curve */
	bool beside;        /* such a line is there beyond doubt */
	bool last_level;    /* the last third, beyond doubt */
	double spread;      /* effective number of increments */
	bool teeth;         /* of the floors of teeth, each longer than an epoch */
	bool clear_stairs;  /* like steps at like distances: large ones, or all the same */
	bool after_steeper; /* what came before the tail rose faster */
	/* which of the readings it is */
	bool floor;
	int block; /* windows joined */
	int begin; /* first window of the tail, in the view */
};

/* Where the tail of t begins in v, which may be a later view than the one t is of: set-up can have become
 * longer. */
int view_tail(const struct view *v, const struct trend *t);

/* Is y(x) lasting growth? Tries the whole and its tails. */
void trend_judge(const double *x, const double *y, int n, double q, double level, int min_points,
		 struct trend *out);
void trend_tail(const double *x, const double *y, int n, double q, double level, struct trend *out);

/* No new high for `times` as long as it ever took before, and for `windows` windows more. A high is 0.3 of
 * what the slope gives per window above the last one. */
bool trend_stall(const double *x, const double *y, int n, double slope, double times, double windows);

/* Slope of the second half over that of the first: a line gives 1, a logarithm from the start of training 0.4
 * to 0.55. */
double trend_half_ratio(const double *x, const double *y, int n, double q);

/* Straight, where even a logarithm would bend; x counts from the start of training. */
bool trend_straight(const double *x, const double *y, int n, double q);

/* Saturating shapes against a line: sse of the line, of the best shape alone, and the best shape beside a
 * line. */
struct settle {
	bool joint;
	double sse_line, sse_alone, sse_joint;
	double line_slope, line_se; /* of the line beside the shape */
	double curve_end;           /* slope that the shape beside the line still has at the end */
	double inflation;
};
void settle_fit(const double *x, const double *y, int n, double q, struct settle *out);
/* What is left of y, in bytes^2, when a second curve, one that settles late, stands in for the line. */
double settle_slow_sse(const double *x, const double *y, int n, double q);

/* May an alarm be raised on it? */
bool firm_holds(const struct view *v, const struct trend *t);
/* Did the last windows rise much as the trend says? */
bool firm_goes_on(const struct view *v, const struct trend *t);
/* A rise so regular that few epochs tell. */
bool firm_early(const struct view *v, bool floor, struct trend *t);
/* One so even that what came before does not matter, or that follows a ramp which ended at once. */
bool firm_beside(const struct view *v, struct trend *t);
bool firm_often(const struct view *v, struct trend *t);
bool firm_stairs(const struct view *v, bool floor, struct trend *t);

/* The least slope per x that is not creep. */
double creep_most(const struct view *v);
/* A rise that ends by itself, or never matters. */
bool creep_is(const struct view *v, const struct trend *t);
/* The rise of a heap that settles, as recorded ones did. */
bool heap_settles(const struct view *v, const struct trend *t);
/* Growth by all that is known, but a heap has risen as fast and as oddly at that age. */
bool heap_may_settle(const struct view *v, const struct trend *t);

/* The floors of teeth that are longer than an epoch rise. */
bool teeth_rise(const struct view *v, struct trend *out, bool *firm);

struct growth {
	bool growth, firm;
	bool known;     /* pick holds a slope */
	bool like_heap; /* no growth only because heaps rise so, too */
	struct trend pick;
	bool fine;               /* pick is of the fine view */
	const struct view *view; /* the one that pick is of */
};
/* v: windows joined, fine: one per epoch, rows: the finest there are. */
void growth_judge(const struct view *v, const struct view *fine, const struct view *rows, struct growth *out);

/* The slope of g's pick and its bounds into out. */
void slope_fill(const struct growth *g, struct verdict *out);

/* The typical swing goes to *swing; 0 when there is none. */
enum shape classes_judge(const struct view *v, double *swing);

/* Would this much more growth per x have been called? */
bool growth_would_show(const struct view *v, double slope);

/* All of out but shape, firmness and slope. `fine` has one window per epoch, `v` is what was judged. */
void evidence_fill(const struct series *s, const struct view *v, const struct view *fine,
		   const struct growth *g, struct verdict *out);

#endif
