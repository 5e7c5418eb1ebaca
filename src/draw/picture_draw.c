/* SPDX-License-Identifier: MIT */
/* What has been laid out, on a surface: text first, then each series with what lies below drawn before what lies on
 * top. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/lettering.h"
#include "draw/picture.h"

static const struct lettering caption = {.size = 12, .ink = INK_QUIET};
static const struct stroke curve = {.ink = INK_HELD, .width = 1.8};
static const struct stroke fine_curve = {.ink = INK_HELD, .width = 1.2, .opacity = 0.55};
static const struct stroke growth = {.ink = INK_GROWTH, .width = 2.2};
static const struct stroke outlook = {.ink = INK_GROWTH, .width = 2.2, .dash = 6};
static const struct stroke limit = {.ink = INK_LIMIT, .width = 1.8, .dash = 6};
static const struct stroke jump = {.ink = INK_JUMP, .width = 1.8, .dash = 3};
static const struct stroke epoch_line = {.ink = INK_QUIET, .width = 1, .opacity = 0.22};

static void draw_sample(struct surface *s, const struct picture_key *k)
{
	double middle = k->at.y - 0.35 * caption.size;
	struct point from = {k->at.x, middle}, to = {k->at.x + GRAPH_KEY_WIDTH, middle};
	struct box box = {k->at.x, k->at.y - caption.size + 2, GRAPH_KEY_WIDTH, caption.size - 2};
	struct point top = {k->at.x + GRAPH_KEY_WIDTH / 2.0, box.y}, bottom = {top.x, k->at.y};

	if (k->sample == SAMPLE_AREA)
		surface_rect(s, &box, k->ink, k->ink == INK_FREE ? 0.5 : 0.22);
	else if (k->sample == SAMPLE_UPRIGHT)
		surface_line(s, top, bottom, &(struct stroke){.ink = k->ink, .width = 2, .dash = 3});
	else
		surface_line(
		    s, from, to,
		    &(struct stroke){.ink = k->ink, .width = 2.4, .dash = k->sample == SAMPLE_DASH ? 5 : 0});
}

static void draw_keys(struct surface *s, const struct picture_series *p)
{
	s->kind->begin(s, "legend", NULL, NULL);
	for (int i = 0; i < p->n_keys; i++) {
		const struct picture_key *k = &p->keys[i];

		s->kind->begin(s, k->part, NULL, NULL);
		draw_sample(s, k);
		s->kind->text(s, (struct point){k->at.x + GRAPH_KEY_WIDTH + GRAPH_KEY_GAP, k->at.y}, k->text,
			      &(struct lettering){.size = caption.size, .ink = INK_TEXT});
		s->kind->end(s);
	}
	s->kind->end(s);
}

/* Epochs between two labels: 1, 2, 5, 10, ... */
static int64_t epoch_step(const struct picture_series *p)
{
	static const double room = 34;
	const struct history *h = p->plot.history;
	double last = graph_epoch_number(h, history_epochs_ended(h) - 1);
	double least = last * room / p->time.frame.w, unit = 1;

	while (unit * 10 < least)
		unit *= 10;
	return (int64_t)(unit >= least       ? unit
			 : 2 * unit >= least ? 2 * unit
			 : 5 * unit >= least ? 5 * unit
					     : 10 * unit);
}

/* Where the epoch of this number ended, for spans that hold several: the last of them. */
static double epoch_end_ms(const struct history *h, int span)
{
	return (double)h->epochs.spans[span + 1].begin_ms;
}

static void draw_epoch_lines(struct surface *s, const struct picture_series *p)
{
	const struct history *h = p->plot.history;
	int ended = history_epochs_ended(h);
	bool all = p->time.detail * p->time.frame.w / ended >= 7;
	int64_t step = epoch_step(p), last_mark = 0;

	for (int i = 0; i < ended; i++) {
		int64_t mark = (int64_t)graph_epoch_number(h, i) / step;

		if (all || mark != last_mark)
			graph_upright(s, &p->time, epoch_end_ms(h, i), &epoch_line);
		last_mark = mark;
	}
}

/* Numbers above the frame, at the ends of their epochs; none runs into the one before. */
static void draw_epoch_numbers(struct surface *s, const struct picture_series *p)
{
	const struct history *h = p->plot.history;
	struct lettering how = {.size = caption.size, .ink = INK_QUIET, .anchor = ANCHOR_MIDDLE};
	double y = p->time.frame.y - 10, free_from = p->time.frame.x,
	       right = p->time.frame.x + p->time.frame.w;
	int64_t step = epoch_step(p), last_mark = 0;

	s->kind->begin(s, "numbers", NULL, NULL);
	how.anchor = ANCHOR_END;
	s->kind->text(s, (struct point){p->time.frame.x - 8, y}, "epoch", &how);
	how.anchor = ANCHOR_MIDDLE;
	for (int i = 0; i < history_epochs_ended(h); i++) {
		int64_t number = (int64_t)graph_epoch_number(h, i), mark = number / step;
		double x = graph_point(&p->time, epoch_end_ms(h, i), 0).x;
		char text[UNITS_TEXT_MAX];
		struct box box;

		if (mark == last_mark)
			continue;
		box = lettering_box((struct point){x, y}, units_count(text, (uint64_t)number), &how);
		last_mark = mark;
		if (box.x < free_from || box.x + box.w > right)
			continue;
		s->kind->text(s, (struct point){x, y}, text, &how);
		free_from = box.x + box.w + 8;
	}
	s->kind->end(s);
}

/* What is drawn until end() is this part, and is called what its key says; false: it has no key, so it is not there. */
static bool begin_part(struct surface *s, const struct picture_series *p, const char *part)
{
	for (int i = 0; i < p->n_keys; i++)
		if (strcmp(p->keys[i].part, part) == 0) {
			s->kind->begin(s, part, p->keys[i].text, NULL);
			return true;
		}
	return false;
}

static void begin_plot(struct surface *s, const struct graph *c)
{
	static const double edge = 4; /* half a dot */

	s->kind->begin(s, "plot", NULL,
		       &(struct box){c->frame.x - edge, c->frame.y - edge, c->frame.w + 2 * edge,
				     c->frame.h + 2 * edge});
}

static void draw_levels(struct surface *s, const struct picture_series *p)
{
	const struct plot *plot = &p->plot;
	const struct graph *c = &p->time;

	if (begin_part(s, p, "jump")) {
		graph_upright(s, c, plot->jump_ms, &jump);
		s->kind->end(s);
	}
	if (plot->limit_bytes <= c->y.high && begin_part(s, p, "limit")) {
		graph_level(s, c, plot->limit_bytes, &limit);
		s->kind->end(s);
	}
}

static void draw_trend(struct surface *s, const struct picture_series *p)
{
	if (begin_part(s, p, "growth")) {
		graph_line(s, &p->time, p->plot.kept.known ? &p->plot.kept : &p->plot.growth, &growth);
		s->kind->end(s);
	}
	if (begin_part(s, p, "outlook")) {
		graph_line(s, &p->time, &p->plot.outlook, &outlook);
		s->kind->end(s);
	}
}

static void draw_curve(struct surface *s, const struct picture_series *p)
{
	const struct plot *plot = &p->plot;

	if (plot->heap)
		graph_heap(s, &p->time, &plot->history->times);
	if (begin_part(s, p, "plateau")) {
		graph_band(s, &p->time, plot->plateau.from_ms, plot->plateau.to_ms, &plot->plateau,
			   INK_PLATEAU);
		s->kind->end(s);
	}
	if (begin_part(s, p, "held")) {
		graph_curve(s, &p->time, &plot->history->times, plot->track, &curve);
		s->kind->end(s);
	}
}

static void draw_time(struct surface *s, const struct picture_series *p)
{
	s->kind->begin(s, "time", NULL, NULL);
	graph_axes(s, &p->time);
	if (p->has_epochs)
		draw_epoch_numbers(s, p);
	begin_plot(s, &p->time);
	if (p->has_epochs)
		draw_epoch_lines(s, p);
	draw_curve(s, p);
	draw_trend(s, p);
	draw_levels(s, p);
	s->kind->end(s);
	s->kind->end(s);
}

/* The number of the first epoch that began at that moment or later. */
static double epoch_at(const struct history *h, double ms)
{
	int i = 0, ended = history_epochs_ended(h);

	while (i < ended - 1 && (double)h->epochs.spans[i].end_ms < ms)
		i++;
	return graph_epoch_number(h, i);
}

static void put_floors_title(struct surface *s, const struct picture_series *p)
{
	int64_t each = p->plot.history->span_epochs;
	char text[64];

	if (each > 1)
		snprintf(text, sizeof(text), "Lowest point of every %" PRId64 " epochs", each);
	else
		snprintf(text, sizeof(text), "Lowest point of each epoch");
	s->kind->text(s, (struct point){p->floors.frame.x, p->floors_title}, text,
		      &(struct lettering){.size = caption.size, .ink = INK_TEXT});
}

static void draw_floors_plot(struct surface *s, const struct picture_series *p)
{
	const struct plot *plot = &p->plot;
	const struct history *h = plot->history;
	const struct graph *c = &p->floors;
	bool dots = c->detail * c->frame.w / history_epochs_ended(h) >= 6;

	if (begin_part(s, p, "plateau")) {
		graph_band(s, c, epoch_at(h, plot->plateau.from_ms), c->x.high, &plot->plateau, INK_PLATEAU);
		s->kind->end(s);
	}
	/* floors are of all that is held: what is kept has its line in the other chart */
	if (!plot->kept.known && begin_part(s, p, "growth")) {
		graph_line_epochs(s, c, h, &plot->growth, &growth);
		s->kind->end(s);
	}
	if (begin_part(s, p, "held")) {
		graph_floors(s, c, h, plot->track, dots ? &fine_curve : &curve);
		s->kind->end(s);
	}
}

static void draw_floors(struct surface *s, const struct picture_series *p)
{
	const struct graph *c = &p->floors;

	s->kind->begin(s, "floors", NULL, NULL);
	put_floors_title(s, p);
	graph_axes(s, c);
	s->kind->text(s, (struct point){c->frame.x - 8, c->frame.y + c->frame.h + graph_footing()}, "epoch",
		      &(struct lettering){.size = caption.size, .ink = INK_QUIET, .anchor = ANCHOR_END});
	begin_plot(s, c);
	draw_floors_plot(s, p);
	s->kind->end(s);
	s->kind->end(s);
}

static enum ink verdict_ink(const struct picture_series *p)
{
	enum shape shape = p->plot.series->v.shape;

	return shape == SHAPE_GROWTH ? INK_GROWTH : shape == SHAPE_UNDETERMINED ? INK_QUIET : INK_PLATEAU;
}

static void draw_series(struct surface *s, const struct picture_series *p)
{
	s->kind->begin(s, "series", NULL, NULL);
	if (p->bar.h > 0)
		surface_rect(s, &p->bar, verdict_ink(p), 1);
	draw_keys(s, p);
	draw_time(s, p);
	if (p->has_floors)
		draw_floors(s, p);
	s->kind->end(s);
}

void picture_draw(const struct picture *p, struct surface *s)
{
	paragraphs_draw(&p->text, s);
	for (int i = 0; i < p->n_series; i++)
		draw_series(s, &p->series[i]);
}

static void draw(const void *picture, struct surface *s)
{
	picture_draw(picture, s);
}

struct drawing picture_drawing(const struct picture *p)
{
	return (struct drawing){p->width, p->height, draw, p};
}
