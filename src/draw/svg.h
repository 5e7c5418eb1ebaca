/* SPDX-License-Identifier: MIT */
/* SVG by hand: text stays text, colours are classes that follow the reader's light or dark. */
#ifndef DRAW_SVG_H
#define DRAW_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/surface.h"

struct svg {
	struct surface surface;
	FILE *out;
	const char *prefix; /* of ids, so that several pictures can be in one document; borrowed */
	int clips;
};

/* A picture of a document: opens the svg element. title and about are for those who cannot see it. */
void svg_open(struct svg *s, FILE *out, const char *prefix, double width, double height, const char *title,
	      const char *about);
void svg_close(struct svg *s);

/* A whole file. */
void svg_document(FILE *out, const struct drawing *d, const char *title, const char *about);
bool svg_document_wrote(const char *head);

/* The rules for all classes, without a style element around them. */
void svg_style(FILE *out);

/* Text as XML or HTML may hold it: markup escaped, what XML has no place for replaced by '?'. */
void svg_escape(FILE *out, const char *text);

#endif
