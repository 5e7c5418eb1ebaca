/* SPDX-License-Identifier: MIT */
/* One chart on a surface: a frame, its two scales, and what can be drawn in them. Several curves, of one run or of
 * many, go into the same frame. Knows no verdict and no words beyond the labels of its axes. */
#ifndef DRAW_GRAPH_H
#define DRAW_GRAPH_H

#include "draw/plot.h"
#include "draw/scale.h"
#include "draw/surface.h"

enum graph_axis { AXIS_TIME, AXIS_EPOCHS };

struct graph {
	struct box frame; /* the curves' place; labels stand around it */
	enum graph_axis axis;
	struct scale x; /* milliseconds or epochs */
	struct scale y; /* bytes */
	double detail;  /* how fine curves are drawn; 1: a piece for each unit of width */
};

enum { GRAPH_KEY_WIDTH = 18, GRAPH_KEY_GAP = 6 }; /* in a legend: of a sample, and between it and its words */

extern const struct lettering graph_labels; /* of ticks; anchor as the place needs */

/* Room for labels: left of the frame, and below it. */
double graph_gutter(const struct scale *y);
double graph_footing(void);

/* Round scales for a frame of this size. */
struct scale graph_bytes(double low, double high, double height);
/* Ends that are not round: what is shown fills the frame. */
struct scale graph_bytes_close(double low, double high, double height);
struct scale graph_across(enum graph_axis axis, double from, double to, double width);

struct point graph_point(const struct graph *c, double x, double bytes);

/* Grid and labels. */
void graph_axes(struct surface *s, const struct graph *c);
/* An upright line through the frame. */
void graph_upright(struct surface *s, const struct graph *c, double x, const struct stroke *how);
/* A level line through the frame. */
void graph_level(struct surface *s, const struct graph *c, double bytes, const struct stroke *how);

/* A track over time, with floors and peaks. */
void graph_curve(struct surface *s, const struct graph *c, const struct history_table *t, int track,
		 const struct stroke *how);
/* Below it: what the program keeps and, on top, what its allocator has free; tracks of the host. */
void graph_heap(struct surface *s, const struct graph *c, const struct history_table *t);
/* The floors of epochs that have ended, over their numbers. */
void graph_floors(struct surface *s, const struct graph *c, const struct history *h, int track,
		  const struct stroke *how);

/* A straight piece over time with the fan of its bounds. */
void graph_line(struct surface *s, const struct graph *c, const struct plot_line *l,
		const struct stroke *how);
/* The same over the numbers of epochs. */
void graph_line_epochs(struct surface *s, const struct graph *c, const struct history *h,
		       const struct plot_line *l, const struct stroke *how);
void graph_band(struct surface *s, const struct graph *c, double from, double to, const struct plot_band *b,
		enum ink ink);

/* The lowest of count spans of epochs that have ended: which one, -1 where nothing is known. */
int graph_floor(const struct history *h, int track, int from, int count, double *bytes);
/* The number of the last epoch of a span, counted from 1. */
double graph_epoch_number(const struct history *h, int span);

#endif
