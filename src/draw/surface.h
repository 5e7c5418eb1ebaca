/* SPDX-License-Identifier: MIT */
/* What can be drawn on: an SVG file, a bitmap, a page, or the list of a test. A kind of surface is a table of these
 * calls; x grows to the right, y downwards, in units of which a letter of ordinary text is 13 high. */
#ifndef DRAW_SURFACE_H
#define DRAW_SURFACE_H

#include <stdbool.h>

#include "draw/ink.h"

struct point {
	double x, y;
};

struct box {
	double x, y, w, h;
};

struct stroke {
	enum ink ink;
	double width;
	double dash;    /* length of dashes and of the gaps between them; 0 none */
	double opacity; /* 0 stands for 1 */
};

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct lettering {
	double size;
	bool bold;
	enum ink ink;
	enum anchor anchor;
};

struct surface;

struct surface_kind {
	void (*polyline)(struct surface *s, const struct point *p, int n, const struct stroke *how);
	/* A filled polygon. */
	void (*area)(struct surface *s, const struct point *p, int n, enum ink ink, double opacity);
	/* at: the baseline. The text may hold anything. */
	void (*text)(struct surface *s, struct point at, const char *text, const struct lettering *how);
	/* What is drawn until end() belongs together: its class, words for who points at it or cannot see it (NULL
	 * none), and a box that nothing of it leaves (NULL: no such). */
	void (*begin)(struct surface *s, const char *name, const char *title, const struct box *clip);
	void (*end)(struct surface *s);
};

/* The first member of each kind's own struct. */
struct surface {
	const struct surface_kind *kind;
};

/* What can be drawn, and how much room it takes. */
struct drawing {
	double width, height;
	void (*draw)(const void *what, struct surface *s);
	const void *what; /* borrowed */
};

void surface_line(struct surface *s, struct point from, struct point to, const struct stroke *how);
void surface_rect(struct surface *s, const struct box *b, enum ink ink, double opacity);
/* A dot: a line of no length with round ends. */
void surface_dot(struct surface *s, struct point at, enum ink ink, double width);

#endif
