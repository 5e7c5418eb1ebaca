/* SPDX-License-Identifier: MIT */
/* Several runs in one picture, the runs of each side in one colour: what was compared, epoch by epoch or over time.
 * Knows no figures: what is said of them are the caller's words. */
#ifndef DRAW_OVERLAY_H
#define DRAW_OVERLAY_H

#include <stdbool.h>

#include "draw/graph.h"
#include "draw/paragraphs.h"

enum { OVERLAY_WIDTH = 960, OVERLAY_SERIES_MAX = 24 };

struct overlay_side {
	const char *name; /* for the legend */
	enum ink ink;
	const struct history *const *runs;
	int n;
};

struct overlay_series {
	const char *name;
	bool freed; /* of the host: not what it holds, but what of it was freed and its allocator keeps */
};

struct overlay_content {
	const char *const *sentences; /* the title, one for each comparison */
	int n_sentences;
	const char *facts, *foot;
	const struct overlay_side *sides;
	int n_sides;
	const struct overlay_series *series; /* those that all have */
	int n_series;
	bool by_epoch;
	double to; /* the part compared ends here: epochs, or seconds */
};

struct overlay {
	const struct overlay_content *content; /* borrowed */
	double width, height;
	struct paragraphs text;
	struct point *keys; /* left ends of the legend's samples, one for each side */
	struct graph graphs[OVERLAY_SERIES_MAX];
	int n_graphs;
};

void overlay_lay_out(struct overlay *o, const struct overlay_content *c, double width);
struct drawing overlay_drawing(const struct overlay *o);
void overlay_free(struct overlay *o);

#endif
