/* SPDX-License-Identifier: MIT */
/* Characters take one column or two; those that take none are left out. Whatever steers a terminal is not let in. */
#include "view/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/plain_text.h"
#include "base/xalloc.h"

enum { LINE_BYTES = 1024, PLUS_MINUS = 0xb1 };

void grid_clear(struct grid *g, int rows, int columns)
{
	size_t n = (size_t)rows * (size_t)columns;

	if (n > (size_t)g->rows * (size_t)g->columns)
		g->cells = xrealloc(g->cells, n, sizeof(*g->cells));
	g->rows = rows;
	g->columns = columns;
	for (size_t i = 0; i < n; i++)
		g->cells[i] = (struct grid_cell){' ', TONE_PLAIN};
}

void grid_free(struct grid *g)
{
	free(g->cells);
	*g = (struct grid){0};
}

const struct grid_cell *grid_at(const struct grid *g, int row, int column)
{
	return &g->cells[(size_t)row * (size_t)g->columns + (size_t)column];
}

static void set(struct grid *g, int row, int column, uint32_t code, enum tone tone)
{
	if (row < 0 || row >= g->rows || column < 0 || column >= g->columns)
		return;
	g->cells[(size_t)row * (size_t)g->columns + (size_t)column] = (struct grid_cell){code, tone};
}

struct range {
	uint32_t first, last;
};

static bool lies_in(uint32_t code, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* Names of processes and commands are all that is not our own: scripts and pictures people use in them. */
static int columns_of(uint32_t code)
{
	static const struct range none[] = {
	    {0x0300, 0x036f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
	static const struct range wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
					    {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
					    {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};

	if (lies_in(code, none, sizeof(none) / sizeof(none[0])))
		return 0;
	return lies_in(code, wide, sizeof(wide) / sizeof(wide[0])) ? 2 : 1;
}

/* The next character of a text that is not at its end; *n: its bytes. */
static uint32_t next_code(const char *text, size_t *n)
{
	uint32_t code = 0;

	*n = utf8_length(text);
	if (*n == 0) {
		*n = 1;
		return '?';
	}
	return plain_is_control(text, *n, &code) ? '?' : code;
}

int grid_width(const char *text)
{
	int columns = 0;
	size_t n;

	for (; *text; text += n)
		columns += columns_of(next_code(text, &n));
	return columns;
}

int grid_text(struct grid *g, int row, int column, int columns, enum tone tone, const char *text)
{
	int end = column + columns < g->columns ? column + columns : g->columns, at = column;
	size_t n;

	for (; *text; text += n) {
		uint32_t code = next_code(text, &n);
		int width = columns_of(code);

		if (g->ascii && code > '~') {
			code = code == PLUS_MINUS ? '~' : '?';
			width = width > 0;
		}
		if (at + width > end)
			break;
		if (width > 0)
			set(g, row, at, code, tone);
		if (width > 1)
			set(g, row, at + 1, 0, tone);
		at += width;
	}
	return at - column;
}

int grid_textf(struct grid *g, int row, int column, int columns, enum tone tone, const char *fmt, ...)
{
	char line[LINE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	return grid_text(g, row, column, columns, tone, line);
}

void grid_text_right(struct grid *g, int row, int from, int end, enum tone tone, const char *text)
{
	int width = grid_width(text);

	if (end - width >= from)
		grid_text(g, row, end - width, width, tone, text);
}

void grid_tone(struct grid *g, int row, int column, int columns, enum tone tone)
{
	for (int i = column; i < column + columns && i < g->columns; i++)
		set(g, row, i, grid_at(g, row, i)->code, tone);
}

void grid_canvas(struct grid *g, int row, int column, const struct canvas *c)
{
	for (int y = 0; y < canvas_rows(c); y++)
		for (int x = 0; x < canvas_columns(c); x++) {
			enum canvas_role role;
			uint32_t code = canvas_glyph(c, x, y, &role);

			set(g, row + y, column + x, code, (enum tone)(TONE_CHART + (int)role));
		}
}
