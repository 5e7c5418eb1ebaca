/* SPDX-License-Identifier: MIT */
/* When memory is full at the growth seen, and how far such a date can be trusted. Pure. */
#ifndef VERDICT_FORECAST_H
#define VERDICT_FORECAST_H

#include "verdict/run_series.h"
#include "verdict/run_verdict.h"

/* A limit that is nearly reached may be by a moment between two samples; "within 5 %" in the manual. */
#define FORECAST_TIGHT_SHARE 0.95

/* Fills limit, room and the times until it is used up of s, which has its verdict. given_limit: --limit, 0 not given;
 * now_ms: elapsed time of the last row. */
void forecast(const struct run_track *t, uint64_t given_limit, int64_t now_ms, struct series_verdict *s);

/* Fills the level at the planned end, after the above. planned, finished: epochs, -1 unknown; rows may tell of fewer
 * than were finished. */
void forecast_end(const struct run_track *t, int64_t planned, int64_t finished, struct series_verdict *s);

const char *forecast_outlook_name(enum outlook outlook); /* "fits", "tight", ... as in reports */

/* The peak of the host is above its limit. */
bool forecast_above_limit(const struct series_verdict *s);

/* The forecast reaches more than 20 times as far as what was seen: a guess, and no date. */
bool forecast_far_from_full(const struct series_verdict *s);

/* Less than an hour or 10 epochs left at this growth, and that is not far from what was seen; of a rise so far, once
 * it has lasted for as long. */
bool forecast_soon_full(const struct series_verdict *s);

/* And less left than it has grown by, or than a tenth of the limit. */
bool forecast_nearly_full(const struct series_verdict *s);

#endif
