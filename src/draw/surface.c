/* SPDX-License-Identifier: MIT */
/* What every kind of surface gets from its few calls. */
#include "draw/surface.h"

void surface_line(struct surface *s, struct point from, struct point to, const struct stroke *how)
{
	const struct point p[] = {from, to};

	s->kind->polyline(s, p, 2, how);
}

void surface_rect(struct surface *s, const struct box *b, enum ink ink, double opacity)
{
	const struct point p[] = {
	    {b->x, b->y}, {b->x + b->w, b->y}, {b->x + b->w, b->y + b->h}, {b->x, b->y + b->h}};

	s->kind->area(s, p, 4, ink, opacity);
}

void surface_dot(struct surface *s, struct point at, enum ink ink, double width)
{
	surface_line(s, at, at, &(struct stroke){.ink = ink, .width = width});
}
