/* SPDX-License-Identifier: MIT */
/* What a picture of one series shows, in milliseconds and bytes: its curve and what the verdict says of it. The terminal,
 * the live view, pictures and the HTML report all draw from this. Pure: knows no pixels and no files. */
#ifndef DRAW_PLOT_H
#define DRAW_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "series/history.h"
#include "verdict/run_verdict.h"

/* A straight piece, and how far its bounds lie from it at its end. */
struct plot_line {
	bool known;
	double from_ms, from_bytes;
	double to_ms, to_bytes;
	double to_low, to_high; /* at to_ms */
};

/* A level and how far the run strays from it. */
struct plot_band {
	bool known;
	double from_ms, to_ms;
	double bytes, low, high;
};

struct plot {
	const struct history *history; /* borrowed */
	const struct series_verdict *series;
	int track;
	double from_ms, to_ms; /* of all rows */
	double low, high;      /* of the curve's rows; equal where there are none */
	bool jump;             /* the largest one-time step, at */
	double jump_ms;
	struct plot_band plateau; /* a run that has settled */
	struct plot_line
	    growth; /* through the floors of the epochs since growth began; from_ms to the last epoch's end */
	struct plot_line
	    kept; /* the same line on the edge of what the program keeps, where that is what grows */
	struct plot_line outlook; /* goes on from growth to the planned end */
	double limit_bytes;       /* 0 unknown */
	bool heap;                /* the host's heaps were read: their tracks are known */
};

/* h and s are borrowed and must outlive the plot. False: the history has nothing of this series. */
bool plot_series(struct plot *p, const struct history *h, const struct series_verdict *s);

/* Whether series i is among those that are drawn, of which there is room for `most`: the host first, then what grows,
 * then the others that are worth it. */
bool plot_chosen(const struct run_verdict *run, int i, int most,
		 bool (*worth)(const struct series_verdict *s));

/* Where a straight piece is at some moment, and where it would be on its way to another end. */
double plot_line_at(const struct plot_line *l, double ms);
double plot_line_toward(const struct plot_line *l, double to_bytes, double ms);

#endif
