/* SPDX-License-Identifier: MIT */
/* A series -> a verdict. Pure: no clock, no I/O, no allocation. */
#ifndef DETECT_DETECTOR_H
#define DETECT_DETECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "series/series.h"

enum shape {
	SHAPE_UNDETERMINED,
	SHAPE_FLAT,
	SHAPE_RESERVATION,
	SHAPE_WARMUP,
	SHAPE_CYCLIC,
	SHAPE_RELEASE,
	SHAPE_GROWTH,
};

enum so_far {
	SO_FAR_UNKNOWN,
	SO_FAR_RISING, /* slopes are per second, since onset */
	SO_FAR_LEVEL,  /* within spread_bytes, since onset */
};

struct verdict {
	enum shape shape;
	bool firm;         /* more of the same could not easily overturn it */
	double weight;     /* of growth among all that it could be, 0 to 1 */
	enum basis basis;  /* what the windows judged were */
	int64_t silent_ms; /* since the last epoch told of, where that is too long to go by epochs; else 0 */
	bool slope_known;
	bool per_epoch; /* epochs are known: bounds are per epoch, else per second */
	double slope_bytes_per_epoch, slope_bytes_per_s;
	double slope_low, slope_high; /* 95 % bounds of the slope */
	double detectable_bytes; /* growth per epoch (or per second) above this would have shown; 0 unknown */
	double jump_bytes;       /* largest one-time step up; 0 none */
	int64_t jump_ms, jump_epoch;      /* when; -1 unknown */
	int jumps;                        /* such steps of a third of its size and more */
	double jumps_bytes;               /* all of them together */
	int64_t onset_ms, onset_epoch;    /* where growth (or the plateau) begins; -1 unknown */
	int64_t setup_ms;                 /* the program had come up then; -1 unknown */
	uint64_t first_bytes, last_bytes; /* of the training: imports and tear-down left out */
	uint64_t peak_bytes;              /* of all rows */
	uint64_t plateau_bytes;           /* level held at the end; 0 when there is none */
	double released_bytes;            /* release: how far below its highest window the plateau lies */
	double spread_bytes;              /* half the range of the level since onset: "within +-3.1 MiB" */
	double swing_bytes;               /* typical up and down within one cycle; 0 none */
	int64_t epochs;                   /* epochs finished, -1 unknown */
	int epochs_judged, epochs_rising; /* growth: "in 11 of the last 12 epochs" */
	int epochs_span;    /* above 1: the two count spans of so many epochs, which hide single ones */
	int more_epochs;    /* undetermined: how many more epochs would decide it; 0 unknown */
	bool rises;         /* undetermined: rises still, and may be growth or settle */
	double after_bytes; /* how far from the plateau it is since the last epoch; 0: not clearly */
	int64_t after_ms;   /* how long that is */
	enum so_far so_far; /* undetermined for want of epochs: what the time until now shows */
};

void detector_judge(const struct series *s, struct verdict *out);
/* What it rises by at its end, per epoch or per second, 0 unknown: in less time than it takes to be sure of it. *high is
 * its 95 % bound, as much as there may be where nothing is known. */
double detector_slope(const struct series *s, bool per_epoch, double *high);

const char *detector_shape_name(enum shape shape); /* "flat", "reservation", ... as in reports */

#endif
