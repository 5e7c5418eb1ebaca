/* SPDX-License-Identifier: MIT */
/* From top to bottom: the sentences, the facts, the legend, one chart for each series. */
#include "draw/overlay.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "draw/lettering.h"

static const struct lettering title = {.size = 17, .bold = true, .ink = INK_TEXT};
static const struct lettering plain = {.size = 13, .ink = INK_QUIET};
static const struct lettering caption = {.size = 12, .ink = INK_TEXT};

static const double margin = 28, gap = 14;
static const double chart_share = 0.33; /* of the width is a chart's height */
static const double level_share = 0.05; /* of the level: less than that does not fill the frame */

static void add_lines(struct overlay *o, double x, double *y, const char *text, const struct lettering *how)
{
	paragraphs_add(&o->text, x, y, o->width - margin - x, text, how);
}

static void add_legend(struct overlay *o, double *y)
{
	o->keys = xcalloc((size_t)o->content->n_sides, sizeof(*o->keys));
	for (int i = 0; i < o->content->n_sides; i++) {
		o->keys[i] = (struct point){margin, *y + caption.size};
		add_lines(o, margin + GRAPH_KEY_WIDTH + GRAPH_KEY_GAP, y, o->content->sides[i].name,
			  &caption);
	}
}

/* What a graph must hold. */
struct range {
	double from, to, low, high;
	bool any;
};

static void widen(struct range *r, double from, double to, double low, double high)
{
	*r = (struct range){r->any ? fmin(r->from, from) : from, r->any ? fmax(r->to, to) : to,
			    r->any ? fmin(r->low, low) : low, r->any ? fmax(r->high, high) : high, true};
}

static int track_of(const struct history *h, const struct overlay_series *s)
{
	return s->freed ? HISTORY_HEAP_FREE : history_track(h, s->name);
}

static void widen_by_run(struct range *r, const struct history *h, const struct overlay_series *s,
			 bool by_epoch)
{
	const struct history_table *t = by_epoch ? &h->epochs : &h->times;
	int track = track_of(h, s), n = by_epoch ? history_epochs_ended(h) : t->n;

	for (int i = 0; track >= 0 && i < n; i++) {
		const struct history_cell *c = history_cell(t, i, track);

		if (!history_known(c))
			continue;
		if (by_epoch)
			widen(r, graph_epoch_number(h, i), graph_epoch_number(h, i), (double)c->low,
			      (double)c->low);
		else
			widen(r, (double)t->spans[i].begin_ms, (double)t->spans[i].end_ms, 0,
			      (double)c->high);
	}
}

static struct range range_of(const struct overlay_content *c, const struct overlay_series *series)
{
	struct range r = {0};

	for (int s = 0; s < c->n_sides; s++)
		for (int i = 0; i < c->sides[s].n; i++)
			widen_by_run(&r, c->sides[s].runs[i], series, c->by_epoch);
	return r;
}

static struct scale scale_of(const struct range *r, bool by_epoch, double height)
{
	double room = fmax(level_share * r->high - (r->high - r->low), 0) / 2;

	return by_epoch ? graph_bytes_close(fmax(r->low - room, 0), r->high + room, height)
			: graph_bytes(0, r->high, height);
}

static char *heading_of(const struct overlay_series *s, bool by_epoch)
{
	if (s->freed)
		return xasprintf("%s: freed by the program, kept by its allocator", s->name);
	return xasprintf("%s: %s", s->name, by_epoch ? "lowest point of each epoch" : "memory over time");
}

static void add_graph(struct overlay *o, double *y, const struct overlay_series *s)
{
	const struct overlay_content *c = o->content;
	struct range r = range_of(c, s);
	struct graph *g = &o->graphs[o->n_graphs];
	double height = chart_share * o->width, gutter;
	char *heading;

	if (!r.any)
		return;
	heading = heading_of(s, c->by_epoch);
	*y += gap;
	add_lines(o, margin, y, heading, &caption);
	free(heading);
	g->axis = c->by_epoch ? AXIS_EPOCHS : AXIS_TIME;
	g->detail = 1;
	g->y = scale_of(&r, c->by_epoch, height);
	gutter = graph_gutter(&g->y);
	g->frame = (struct box){margin + gutter, *y + gap, o->width - 2 * margin - gutter, height};
	g->x = graph_across(g->axis, r.from - (c->by_epoch ? 0.5 : 0), r.to + (c->by_epoch ? 0.5 : 1),
			    g->frame.w);
	*y = g->frame.y + height + graph_footing();
	o->n_graphs++;
}

void overlay_lay_out(struct overlay *o, const struct overlay_content *c, double width)
{
	double y = margin / 2;

	*o = (struct overlay){.content = c, .width = width};
	for (int i = 0; i < c->n_sentences; i++)
		add_lines(o, margin, &y, c->sentences[i], &title);
	y += gap / 2;
	add_lines(o, margin, &y, c->facts, &plain);
	y += gap / 2;
	add_legend(o, &y);
	for (int i = 0; i < c->n_series && i < OVERLAY_SERIES_MAX; i++)
		add_graph(o, &y, &c->series[i]);
	y += gap;
	add_lines(o, margin, &y, c->foot, &plain);
	o->height = ceil(y + margin / 2);
}

static void draw_legend(struct surface *s, const struct overlay *o)
{
	s->kind->begin(s, "legend", NULL, NULL);
	for (int i = 0; i < o->content->n_sides; i++) {
		struct point from = {o->keys[i].x, o->keys[i].y - 0.35 * caption.size};

		surface_line(s, from, (struct point){from.x + GRAPH_KEY_WIDTH, from.y},
			     &(struct stroke){.ink = o->content->sides[i].ink, .width = 3});
	}
	s->kind->end(s);
}

static void draw_run(struct surface *s, const struct graph *g, const struct history *h,
		     const struct overlay_series *series, const struct stroke *how)
{
	int track = track_of(h, series);

	if (track < 0)
		return;
	if (g->axis == AXIS_EPOCHS)
		graph_floors(s, g, h, track, how);
	else
		graph_curve(s, g, &h->times, track, how);
}

/* Where a run goes on, what follows was not compared. */
static void draw_end(struct surface *s, const struct overlay *o, const struct graph *g)
{
	double end = o->content->by_epoch ? o->content->to + 0.5 : o->content->to * MS_PER_S;

	if (end < g->x.high - 0.02 * (g->x.high - g->x.low))
		graph_upright(s, g, end, &(struct stroke){.ink = INK_QUIET, .width = 1, .dash = 4});
}

static void draw_graph(struct surface *s, const struct overlay *o, const struct graph *g,
		       const struct overlay_series *series)
{
	const struct overlay_content *c = o->content;

	s->kind->begin(s, "series", NULL, NULL);
	graph_axes(s, g);
	if (c->by_epoch)
		s->kind->text(
		    s, (struct point){g->frame.x - GRAPH_KEY_GAP, g->frame.y + g->frame.h + graph_footing()},
		    "epoch", &graph_labels);
	s->kind->begin(s, "plot", NULL,
		       &(struct box){g->frame.x - 1, g->frame.y - 4, g->frame.w + 2, g->frame.h + 8});
	draw_end(s, o, g);
	for (int i = 0; i < c->n_sides; i++)
		for (int k = 0; k < c->sides[i].n; k++)
			draw_run(s, g, c->sides[i].runs[k], series,
				 &(struct stroke){.ink = c->sides[i].ink, .width = 1.5});
	s->kind->end(s);
	s->kind->end(s);
}

static void draw(const void *overlay, struct surface *s)
{
	const struct overlay *o = overlay;
	const struct overlay_content *c = o->content;
	int g = 0;

	paragraphs_draw(&o->text, s);
	draw_legend(s, o);
	for (int i = 0; i < c->n_series && g < o->n_graphs; i++)
		if (range_of(c, &c->series[i]).any)
			draw_graph(s, o, &o->graphs[g++], &c->series[i]);
}

struct drawing overlay_drawing(const struct overlay *o)
{
	return (struct drawing){o->width, o->height, draw, o};
}

void overlay_free(struct overlay *o)
{
	paragraphs_free(&o->text);
	free(o->keys);
	*o = (struct overlay){0};
}
