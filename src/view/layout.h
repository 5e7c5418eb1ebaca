/* SPDX-License-Identifier: MIT */
/* Where the parts of the live view stand on a terminal of any size. Pure: knows boxes and no memory. */
#ifndef VIEW_LAYOUT_H
#define VIEW_LAYOUT_H

#include <stdbool.h>

struct box {
	int row, column, rows, columns; /* rows 0: there is no room for it */
};

/* What there is to show. */
struct layout_wants {
	int series;        /* at least 1 */
	int verdict_lines; /* of the chosen series' sentence at this width */
	bool heap;         /* a line of what the allocator keeps */
	int processes;
};

enum { LAYOUT_CHARTS_MAX = 8, LAYOUT_SMALL_ROWS = 12 };

struct layout {
	struct box head, series, verdict, heap, processes, status;
	struct box charts[LAYOUT_CHARTS_MAX];
	int n_charts;
};

/* From 1 x 1 up. Below LAYOUT_SMALL_ROWS the verdict gets its room first and stands above the chart. */
void layout_make(struct layout *out, int rows, int columns, const struct layout_wants *wants);

#endif
