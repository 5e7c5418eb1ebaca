/* SPDX-License-Identifier: MIT */
/* What a grid shows, to be compared. */
#ifndef UNIT_VIEW_GRID_TEXT_H
#define UNIT_VIEW_GRID_TEXT_H

#include "view/grid.h"

/* A row as UTF-8, blanks at its end left out; how many bytes that is. */
static size_t row_text(const struct grid *g, int row, char *text)
{
	size_t at = 0, end = 0;

	for (int i = 0; i < g->columns; i++) {
		uint32_t code = grid_at(g, row, i)->code;

		if (code)
			at += (size_t)canvas_utf8(text + at, code);
		if (code != ' ')
			end = at;
	}
	return end;
}

#endif
