/* SPDX-License-Identifier: MIT */
/* A canvas as lines of text, with escape sequences for its colours if they are wanted. */
#ifndef DRAW_PAINT_H
#define DRAW_PAINT_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/canvas.h"

/* A line for each row, blanks at its end left out. */
void paint_canvas(FILE *out, const struct canvas *c, bool colours);

#endif
