/* SPDX-License-Identifier: MIT */
/* A screen as data: what stands in each cell and in which tone. Pure: knows no terminal and no colour. */
#ifndef VIEW_GRID_H
#define VIEW_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"

/* What a cell means; the painter has a colour for each, or none. */
enum tone {
	TONE_PLAIN,
	TONE_STRONG,
	TONE_FAINT,
	TONE_GOOD,   /* not a leak */
	TONE_UNSURE, /* not known yet */
	TONE_BAD,    /* growth */
	TONE_BAR,    /* the last row */
	TONE_CHART,  /* and behind it one for each role of a canvas */
	TONE_COUNT = TONE_CHART + CANVAS_COUNT
};

enum { GRID_WIDE = 40 }; /* columns: half of an ordinary terminal; below it no blank is left at the sides */

struct grid_cell {
	uint32_t code; /* 0: the right half of a wide character */
	enum tone tone;
};

struct grid {
	int rows, columns;
	bool ascii; /* other characters are shown as '?' */
	struct grid_cell *cells;
};

/* Makes it so large, and empty. Allocates only when it grows. */
void grid_clear(struct grid *g, int rows, int columns);
void grid_free(struct grid *g);

/* UTF-8 from this cell on, at most so many columns and never beyond the row. Returns the columns taken. */
int grid_text(struct grid *g, int row, int column, int columns, enum tone tone, const char *text);
int grid_textf(struct grid *g, int row, int column, int columns, enum tone tone, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* So that it ends before this column; left out as a whole if it does not fit behind `from`. */
void grid_text_right(struct grid *g, int row, int from, int end, enum tone tone, const char *text);
/* A stretch of a row in this tone, as it stands. */
void grid_tone(struct grid *g, int row, int column, int columns, enum tone tone);
void grid_canvas(struct grid *g, int row, int column, const struct canvas *c);

/* Columns that a text takes. */
int grid_width(const char *text);

const struct grid_cell *grid_at(const struct grid *g, int row, int column);

#endif
