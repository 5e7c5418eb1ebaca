/* SPDX-License-Identifier: MIT */
/* A grid of character cells, drawn in finer dots: braille has 2 x 4 in a cell, blocks have eighths, ASCII has halves.
 * Each cell has a role, which a painter turns into a colour. Pure: knows no terminal and no memory. */
#ifndef DRAW_CANVAS_H
#define DRAW_CANVAS_H

#include <stdint.h>

/* The first two are for those who choose: no canvas has them. */
enum symbols { SYMBOLS_AUTO, SYMBOLS_NONE, SYMBOLS_BRAILLE, SYMBOLS_BLOCK, SYMBOLS_ASCII };

/* What a cell shows; of several the last in this list gives it its colour. */
enum canvas_role {
	CANVAS_NONE,
	CANVAS_EPOCH, /* where an epoch ends */
	CANVAS_CURVE,
	CANVAS_FREE,  /* memory that the allocator keeps free */
	CANVAS_FLOOR, /* the least of an epoch */
	CANVAS_FIT,   /* the line of growth, or the plateau */
	CANVAS_LIMIT,
	CANVAS_JUMP,
	CANVAS_TEXT,
	CANVAS_COUNT
};

struct canvas; /* opaque */

/* Empty; at least one cell. The window is all of it. */
struct canvas *canvas_new(int columns, int rows, enum symbols symbols);
void canvas_free(struct canvas *c);

/* Dots are drawn within these cells from now on, and nowhere else; the left upper cell is 0, 0. */
void canvas_window(struct canvas *c, int column, int row, int columns, int rows);
int canvas_dots_across(const struct canvas *c); /* of the window */
int canvas_dots_up(const struct canvas *c);

/* Dots of the window: 0, 0 is the left lower one. What lies outside is cut off. */
void canvas_point(struct canvas *c, int x, int y, enum canvas_role role);
/* A straight line in dashes and gaps of so many dots each; 0 draws it through. */
void canvas_line(struct canvas *c, double x0, double y0, double x1, double y1, int dash,
		 enum canvas_role role);
/* All dots from y0 to y1, in either order. */
void canvas_column(struct canvas *c, int x, int y0, int y1, enum canvas_role role);

/* Over the dots, anywhere on the canvas. */
void canvas_text(struct canvas *c, int column, int row, const char *ascii, enum canvas_role role);
/* One character; the second one is for ASCII. */
void canvas_mark(struct canvas *c, int column, int row, uint32_t code, char ascii, enum canvas_role role);
/* The cell that a dot of the window lies in, by its number on the canvas. */
int canvas_cell_column(const struct canvas *c, int x);
int canvas_cell_row(const struct canvas *c, int y);

/* The character that a cell shows, and its role; ' ' for an empty one. */
uint32_t canvas_glyph(const struct canvas *c, int column, int row, enum canvas_role *role);
int canvas_columns(const struct canvas *c);
int canvas_rows(const struct canvas *c);
enum symbols canvas_symbols(const struct canvas *c);

enum { UTF8_MAX = 5 };
/* A character in UTF-8 with a NUL behind it; returns its bytes. */
int canvas_utf8(char out[UTF8_MAX], uint32_t code);

#endif
