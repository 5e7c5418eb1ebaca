/* SPDX-License-Identifier: MIT */
/* Where on a canvas a moment and a level lie. Within draw/chart*.c only. */
#ifndef DRAW_CHART_FRAME_H
#define DRAW_CHART_FRAME_H

#include "draw/canvas.h"
#include "draw/chart.h"
#include "draw/plot.h"
#include "draw/scale.h"

struct chart_frame {
	struct canvas *c; /* its window is the plot */
	const struct plot *p;
	struct chart_area all;  /* title, axes and plot */
	struct chart_area plot; /* where the curve is */
	bool title, labels;     /* have their rows */
	struct scale bytes;
	double from_ms, to_ms;
	bool limit; /* is in sight */
};

/* In dots of the plot. */
double chart_x(const struct chart_frame *f, double ms);
double chart_y(const struct chart_frame *f, double bytes);

void chart_draw_curve(const struct chart_frame *f); /* chart_curve.c */
void chart_draw_axes(const struct chart_frame *f);  /* chart_axes.c */
/* As wide as the longest label of the bytes. */
int chart_bytes_width(const struct scale *bytes);

#endif
