/* SPDX-License-Identifier: MIT */
/* How wide a text is, and where it is broken, before any font is there. Pure. */
#ifndef DRAW_LETTERING_H
#define DRAW_LETTERING_H

#include <stddef.h>

#include "draw/surface.h"

/* At most this wide: the letters of the widest of the usual fonts are counted. */
double lettering_width(const char *text, const struct lettering *how);

/* The box around a text whose baseline begins, ends or has its middle at this place. */
struct box lettering_box(struct point at, const char *text, const struct lettering *how);

/* How many bytes of the text go into a line so wide, up to a blank or the text's end; one character at least where not
 * even a word goes. *next is where the following line begins. */
size_t lettering_break(const char *text, double width, const struct lettering *how, size_t *next);

#endif
