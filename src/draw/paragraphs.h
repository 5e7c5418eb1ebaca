/* SPDX-License-Identifier: MIT */
/* The text of a picture, line by line, before there is a surface. */
#ifndef DRAW_PARAGRAPHS_H
#define DRAW_PARAGRAPHS_H

#include "draw/surface.h"

#define PARAGRAPHS_LINE_HEIGHT 1.4 /* of its letters */

/* The left end of its baseline. */
struct placed_line {
	struct point at;
	char *text;
	struct lettering how;
};

/* Zeros: none yet. */
struct paragraphs {
	struct placed_line *lines;
	int n;
};

/* Lines broken at words, from *y on, which is then below them. */
void paragraphs_add(struct paragraphs *p, double x, double *y, double width, const char *text,
		    const struct lettering *how);
void paragraphs_draw(const struct paragraphs *p, struct surface *s);
void paragraphs_free(struct paragraphs *p);

#endif
