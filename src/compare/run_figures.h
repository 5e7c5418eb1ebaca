/* SPDX-License-Identifier: MIT */
/* What one run comes to, so that it can be laid beside another: the lowest memory of each epoch and of each span of time,
 * peak, jump, the length of its epochs. Samples in; constant memory. */
#ifndef COMPARE_RUN_FIGURES_H
#define COMPARE_RUN_FIGURES_H

#include <stdbool.h>

#include "record/sample.h"
#include "verdict/judge.h"

enum { CURVE_POINTS = 96 };

/* Lowest and highest values over equal steps of x; steps are joined in pairs when there are too many. */
struct curve {
	double x[CURVE_POINTS], low[CURVE_POINTS], high[CURVE_POINTS];
	int n;
	double step; /* 0: not begun */
	double at;   /* where in its step a point lies, 0 to 1 */
	double from; /* where the open step begins */
	double open_low, open_high;
	bool open;
};

struct series_figures {
	char name[CHANNEL_NAME_MAX];
	bool judged; /* the verdict below is known */
	struct verdict v;
	struct curve by_epoch, by_time; /* epochs, seconds */
	double early_high;              /* before the first epoch; 0 nothing was seen */
};

struct run_figures {
	struct series_figures *series; /* host first, then GPUs; those without a sample have no point */
	int n;
	struct series_figures kept,
	    freed; /* host memory less what the allocator keeps free, and that; at ends of epochs */
	double epoch_s[CURVE_POINTS]; /* lengths of the epochs, the first left out */
	int epochs_timed;
	int64_t epochs_missed; /* shorter than samples are apart: none was taken in them */
	int64_t epoch, epoch_began_ms;
	int64_t heap_epoch; /* of the last reading of the heaps; -1 none */
	double duration_s;
	int64_t epochs;         /* finished; -1 unknown */
	uint64_t samples, lost; /* rows read, and those that could not be */
};

struct run_figures *run_figures_new(const struct channel *channels, int n);
void run_figures_free(struct run_figures *r);

/* host: what is judged of the host in this row. */
void run_figures_push(struct run_figures *r, const struct sample *s, struct reading host);

/* After the last row: takes the verdicts over; so many rows could not be read. */
void run_figures_finish(struct run_figures *r, const struct run_verdict *run, uint64_t lost);

/* The series of that name; NULL if the run has none with a sample. */
const struct series_figures *run_figures_find(const struct run_figures *r, const char *name);

#endif
