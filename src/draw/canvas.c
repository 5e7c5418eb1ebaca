/* SPDX-License-Identifier: MIT */
/* A cell keeps the dots of the curve and those of what is drawn over it apart: where both cannot be seen in one
 * character, what lies over it is shown. */
#include "draw/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { EMPTY = ' ' };

struct cell {
	uint8_t under, over; /* dots, counted from the left lower one row by row */
	uint8_t role;        /* enum canvas_role */
	uint32_t mark;       /* a character over all of them; 0 none */
};

struct window {
	int column, row, columns, rows;
};

struct canvas {
	enum symbols symbols;
	int columns, rows;
	struct window w;
	struct cell cells[];
};

/* Dots in a cell. */
static const struct {
	int across, up;
} dots[] = {[SYMBOLS_BRAILLE] = {2, 4}, [SYMBOLS_BLOCK] = {1, 8}, [SYMBOLS_ASCII] = {1, 2}};

struct canvas *canvas_new(int columns, int rows, enum symbols symbols)
{
	struct canvas *c;

	columns = columns < 1 ? 1 : columns;
	rows = rows < 1 ? 1 : rows;
	c = xcalloc(1, sizeof(*c) + (size_t)columns * (size_t)rows * sizeof(c->cells[0]));
	c->symbols = symbols;
	c->columns = columns;
	c->rows = rows;
	canvas_window(c, 0, 0, columns, rows);
	return c;
}

void canvas_free(struct canvas *c)
{
	free(c);
}

void canvas_window(struct canvas *c, int column, int row, int columns, int rows)
{
	c->w = (struct window){column, row, columns, rows};
}

int canvas_columns(const struct canvas *c)
{
	return c->columns;
}

int canvas_rows(const struct canvas *c)
{
	return c->rows;
}

enum symbols canvas_symbols(const struct canvas *c)
{
	return c->symbols;
}

int canvas_dots_across(const struct canvas *c)
{
	return c->w.columns * dots[c->symbols].across;
}

int canvas_dots_up(const struct canvas *c)
{
	return c->w.rows * dots[c->symbols].up;
}

int canvas_cell_column(const struct canvas *c, int x)
{
	return c->w.column + x / dots[c->symbols].across;
}

int canvas_cell_row(const struct canvas *c, int y)
{
	return c->w.row + c->w.rows - 1 - y / dots[c->symbols].up;
}

/* NULL: outside. */
static struct cell *cell_at(struct canvas *c, int column, int row)
{
	if (column < 0 || column >= c->columns || row < 0 || row >= c->rows)
		return NULL;
	return &c->cells[row * c->columns + column];
}

static void take_role(struct cell *cell, enum canvas_role role)
{
	if (role > cell->role)
		cell->role = (uint8_t)role;
}

void canvas_point(struct canvas *c, int x, int y, enum canvas_role role)
{
	int across = dots[c->symbols].across, up = dots[c->symbols].up, bit;
	struct cell *cell;

	if (x < 0 || x >= canvas_dots_across(c) || y < 0 || y >= canvas_dots_up(c))
		return;
	cell = cell_at(c, canvas_cell_column(c, x), canvas_cell_row(c, y));
	if (!cell)
		return;
	bit = 1 << (y % up * across + x % across);
	if (role > CANVAS_FREE)
		cell->over |= (uint8_t)bit;
	else
		cell->under |= (uint8_t)bit;
	take_role(cell, role);
}

void canvas_column(struct canvas *c, int x, int y0, int y1, enum canvas_role role)
{
	int low = y0 < y1 ? y0 : y1, high = y0 < y1 ? y1 : y0, top = canvas_dots_up(c) - 1;

	for (int y = low < 0 ? 0 : low; y <= high && y <= top; y++)
		canvas_point(c, x, y, role);
}

/* The part from *from to *to of a line, both 0 to 1, for which start + part * step lies between 0 and end. False: no
 * part does. */
static int cut(double start, double step, double end, double *from, double *to)
{
	double enter, leave;

	if (step == 0)
		return start >= 0 && start <= end;
	enter = (step > 0 ? -start : end - start) / step;
	leave = (step > 0 ? end - start : -start) / step;
	*from = fmax(*from, enter);
	*to = fmin(*to, leave);
	return *from <= *to;
}

void canvas_line(struct canvas *c, double x0, double y0, double x1, double y1, int dash,
		 enum canvas_role role)
{
	double dx = x1 - x0, dy = y1 - y0, from = 0, to = 1, length;

	if (!isfinite(dx) || !isfinite(dy) || !cut(x0, dx, canvas_dots_across(c) - 1, &from, &to) ||
	    !cut(y0, dy, canvas_dots_up(c) - 1, &from, &to))
		return;
	length = fmax(fabs(dx), fabs(dy)) * (to - from);
	for (int i = 0; i <= (int)ceil(length); i++) {
		double part = length > 0 ? from + (to - from) * fmin(i / length, 1.0) : from;

		if (dash > 0 && i / dash % 2)
			continue;
		canvas_point(c, (int)lround(x0 + part * dx), (int)lround(y0 + part * dy), role);
	}
}

void canvas_mark(struct canvas *c, int column, int row, uint32_t code, char ascii, enum canvas_role role)
{
	struct cell *cell = cell_at(c, column, row);

	if (!cell)
		return;
	cell->mark = c->symbols == SYMBOLS_ASCII ? (uint32_t)(unsigned char)ascii : code;
	cell->role = (uint8_t)role;
}

void canvas_text(struct canvas *c, int column, int row, const char *ascii, enum canvas_role role)
{
	for (; *ascii; ascii++, column++)
		canvas_mark(c, column, row, (uint32_t)(unsigned char)*ascii, *ascii, role);
}

/* Dots 1 2 3 7 of the standard run down on the left, 4 5 6 8 on the right. */
static uint32_t braille(uint8_t mask)
{
	static const uint8_t bits[] = {0x40, 0x80, 0x04, 0x20, 0x02, 0x10, 0x01, 0x08};
	uint32_t code = 0x2800;

	for (int i = 0; i < 8; i++)
		if (mask & 1 << i)
			code |= bits[i];
	return code;
}

static int highest(uint8_t mask)
{
	int i = 7;

	while (i > 0 && !(mask & 1 << i))
		i--;
	return i;
}

static uint32_t block(const struct cell *cell)
{
	static const uint32_t strokes[] = {0x2581, 0x2581, 0x2581, 0x2500, 0x2500, 0x2594, 0x2594, 0x2594};

	if (cell->over)
		return strokes[highest(cell->over)];
	if (cell->role == CANVAS_EPOCH)
		return 0x250a; /* a dashed upright line */
	return 0x2581 + (uint32_t)highest(cell->under);
}

static uint32_t ascii(const struct cell *cell)
{
	static const char curve[] = {EMPTY, '.', '\'', ':'};
	static const char of_role[CANVAS_COUNT] = {[CANVAS_EPOCH] = '|',
						   [CANVAS_FLOOR] = '_',
						   [CANVAS_FIT] = '-',
						   [CANVAS_LIMIT] = '=',
						   [CANVAS_JUMP] = '^'};

	if (!cell->over && cell->role != CANVAS_EPOCH)
		return (uint32_t)curve[cell->under & 3];
	return of_role[cell->role] ? (uint32_t)of_role[cell->role] : '+';
}

uint32_t canvas_glyph(const struct canvas *c, int column, int row, enum canvas_role *role)
{
	const struct cell *cell = &c->cells[row * c->columns + column];

	*role = (enum canvas_role)cell->role;
	if (cell->mark)
		return cell->mark;
	if (!(cell->under | cell->over))
		return EMPTY;
	switch (c->symbols) {
	case SYMBOLS_BRAILLE:
		return braille(cell->under | cell->over);
	case SYMBOLS_BLOCK:
		return block(cell);
	default:
		return ascii(cell);
	}
}

int canvas_utf8(char out[UTF8_MAX], uint32_t code)
{
	int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	out[n] = '\0';
	for (int i = n - 1; i > 0; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(lead[n] | code);
	return n;
}
