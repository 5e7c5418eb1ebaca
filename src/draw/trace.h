/* SPDX-License-Identifier: MIT */
/* The curve of one track thinned to so many pieces: each keeps its floor and its peak. Pure. */
#ifndef DRAW_TRACE_H
#define DRAW_TRACE_H

#include "draw/plot.h"

struct trace_piece {
	double begin_ms, end_ms;
	double first, low, high, last;
};

/* At most this many pieces, equally long, of what lies in the table; those without a reading left out. The caller frees
 * *out. Returns how many. */
int trace_thin(const struct history_table *t, int track, int most, struct trace_piece **out);

/* A point of the curve: at most four for each piece, in order of time. */
struct trace_point {
	double ms, bytes;
};
int trace_points(const struct trace_piece *pieces, int count, struct trace_point *out);

/* What the program keeps, at each reading of its heaps: what is held then less what is free there. held, n: the host's
 * curve, thinned. As trace_thin(). */
int trace_kept(const struct history_table *t, const struct trace_piece *held, int n, int most,
	       struct trace_piece **out);

/* What a track was at some moment: between its readings on a straight line, before the first and after the last as
 * these. n is 1 or more. */
double trace_at(const struct trace_piece *pieces, int n, double ms);

#endif
