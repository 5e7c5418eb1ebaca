/* SPDX-License-Identifier: MIT */
/* Pictures as PNG and PDF, by cairo: loaded when one is asked for, since it brings twenty libraries with it. */
#ifndef DRAW_IMAGE_H
#define DRAW_IMAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/surface.h"

/* What is missing, to be told: "libcairo.so.2 cannot be loaded"; NULL: nothing. */
const char *image_missing(void);

/* 0, or -errno: -ENOTSUP where something is missing, -ENOMEM. What goes wrong in writing is left to ferror(). */
int image_png(FILE *out, const struct drawing *d);
int image_pdf(FILE *out, const struct drawing *d);

/* Does a file that begins or ends so come from here? */
bool image_png_wrote(const char *head);
bool image_pdf_wrote(const char *tail);

#endif
