/* SPDX-License-Identifier: MIT */
/* The plot of one series on a canvas: a title with a legend, the curve with what the verdict says of it, bytes on the
 * left, epochs or time below. Pure. */
#ifndef DRAW_CHART_H
#define DRAW_CHART_H

#include "draw/canvas.h"
#include "draw/plot.h"

/* Cells of the canvas that a chart may use. */
struct chart_area {
	int column, row, columns, rows;
};

enum { CHART_COLUMNS_LEAST = 16, CHART_ROWS_LEAST = 3 };

/* The run from one moment to another. Title, axis and labels are left out, in this order, where rows are few. In an
 * area smaller than the least nothing is drawn. Leaves the canvas' window where the curve is. */
void chart_draw(struct canvas *c, const struct chart_area *a, const struct plot *p, double from_ms,
		double to_ms);

#endif
