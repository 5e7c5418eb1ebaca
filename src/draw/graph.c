/* SPDX-License-Identifier: MIT */
/* Curves are thinned to what their frame can show. */
#include "draw/graph.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "draw/lettering.h"
#include "draw/trace.h"

const struct lettering graph_labels = {.size = 12, .ink = INK_QUIET, .anchor = ANCHOR_END};

static const double label_gap = 8;      /* between a label and the frame */
static const double tick_room_x = 84;   /* for a label below, with a gap */
static const double tick_room_y = 44;   /* for one at the left */
static const double fan_opacity = 0.16; /* bounds of a line, a band */
static const double band_least = 9;     /* a steady run is narrow, and its curve lies on its band */

static const struct stroke grid = {.ink = INK_GRID, .width = 1};

double graph_gutter(const struct scale *y)
{
	char label[UNITS_TEXT_MAX];
	double w = lettering_width("epoch", &graph_labels);

	for (int i = 0; i < scale_ticks(y); i++)
		w = fmax(w, lettering_width(scale_label_bytes(label, y, scale_tick(y, i)), &graph_labels));
	return ceil(w + label_gap);
}

double graph_footing(void)
{
	return label_gap + graph_labels.size;
}

struct scale graph_bytes(double low, double high, double height)
{
	return scale_bytes(low, high, (int)fmax(3, height / tick_room_y));
}

/* The largest round step of which two ticks and more are in the range. */
struct scale graph_bytes_close(double low, double high, double height)
{
	double room = fmax(high - low, 1) / 10;
	struct scale s = {fmax(low - room, 0), high + room, 0};

	for (int most = (int)fmax(3, height / tick_room_y);; most++) {
		s.step = scale_bytes(low, high, most).step;
		if (scale_ticks(&s) >= 2 || s.step <= 1)
			return s;
	}
}

struct scale graph_across(enum graph_axis axis, double from, double to, double width)
{
	int most = (int)fmax(2, width / tick_room_x);

	return axis == AXIS_TIME ? scale_time(from, to, most) : scale_count(from, to, most);
}

struct point graph_point(const struct graph *c, double x, double bytes)
{
	return (struct point){c->frame.x + c->frame.w * scale_place(&c->x, x),
			      c->frame.y + c->frame.h * (1 - scale_place(&c->y, bytes))};
}

static void label_at(struct surface *s, double x, double y, enum anchor anchor, const char *text)
{
	struct lettering how = graph_labels;

	how.anchor = anchor;
	s->kind->text(s, (struct point){x, y}, text, &how);
}

static void put_levels(struct surface *s, const struct graph *c)
{
	char label[UNITS_TEXT_MAX];

	for (int i = 0; i < scale_ticks(&c->y); i++) {
		double bytes = scale_tick(&c->y, i), y = graph_point(c, 0, bytes).y;

		graph_level(s, c, bytes, &grid);
		label_at(s, c->frame.x - label_gap, y + 0.35 * graph_labels.size, ANCHOR_END,
			 bytes == 0 ? "0" : scale_label_bytes(label, &c->y, bytes));
	}
}

/* A label at the edge ends there. */
static void put_across(struct surface *s, const struct graph *c)
{
	double y = c->frame.y + c->frame.h, right = c->frame.x + c->frame.w;
	char label[UNITS_TEXT_MAX];

	graph_level(s, c, c->y.low, &grid);
	for (int i = 0; i < scale_ticks(&c->x); i++) {
		double x = graph_point(c, scale_tick(&c->x, i), 0).x;

		if (c->axis == AXIS_TIME)
			scale_label_time(label, &c->x, scale_tick(&c->x, i));
		else
			scale_label_count(label, &c->x, scale_tick(&c->x, i));
		surface_line(s, (struct point){x, y}, (struct point){x, y + 4}, &grid);
		x = fmin(x, right - lettering_width(label, &graph_labels) / 2);
		label_at(s, x, y + graph_footing(), ANCHOR_MIDDLE, label);
	}
}

void graph_axes(struct surface *s, const struct graph *c)
{
	s->kind->begin(s, "axes", NULL, NULL);
	put_levels(s, c);
	put_across(s, c);
	s->kind->end(s);
}

void graph_upright(struct surface *s, const struct graph *c, double x, const struct stroke *how)
{
	double at = graph_point(c, x, 0).x;

	surface_line(s, (struct point){at, c->frame.y}, (struct point){at, c->frame.y + c->frame.h}, how);
}

void graph_level(struct surface *s, const struct graph *c, double bytes, const struct stroke *how)
{
	double y = graph_point(c, 0, bytes).y;

	surface_line(s, (struct point){c->frame.x, y}, (struct point){c->frame.x + c->frame.w, y}, how);
}

static int columns(const struct graph *c)
{
	return (int)fmax(8, c->frame.w * c->detail);
}

void graph_curve(struct surface *s, const struct graph *c, const struct history_table *t, int track,
		 const struct stroke *how)
{
	struct trace_piece *pieces;
	int count = trace_thin(t, track, columns(c), &pieces);
	struct trace_point *path = xcalloc((size_t)(4 * count + 1), sizeof(*path));
	int n = trace_points(pieces, count, path);
	struct point *p = xcalloc((size_t)(n + 1), sizeof(*p));

	for (int i = 0; i < n; i++)
		p[i] = graph_point(c, path[i].ms, path[i].bytes);
	if (n == 1)
		surface_dot(s, p[0], how->ink, 4 * how->width);
	else if (n > 1)
		s->kind->polyline(s, p, n, how);
	free(p);
	free(path);
	free(pieces);
}

/* What is between two curves, the second one given from right to left in its place behind the first. */
static void fill_between(struct surface *s, struct point *p, int n, enum ink ink, double opacity)
{
	for (int i = 0; i < n / 2; i++) {
		struct point swap = p[n + i];

		p[n + i] = p[2 * n - 1 - i];
		p[2 * n - 1 - i] = swap;
	}
	s->kind->area(s, p, 2 * n, ink, opacity);
}

void graph_heap(struct surface *s, const struct graph *c, const struct history_table *t)
{
	struct trace_piece *held, *readings;
	int n = trace_thin(t, HISTORY_HELD, columns(c), &held);
	int read = trace_kept(t, held, n, columns(c), &readings);
	struct point *kept = xcalloc((size_t)(2 * n + 1), sizeof(*kept));
	struct point *all = xcalloc((size_t)(2 * n + 1), sizeof(*all));

	for (int i = 0; read > 0 && i < n; i++) {
		double ms = held[i].end_ms;

		all[i] = graph_point(c, ms, held[i].last);
		all[n + i] = kept[i] = graph_point(c, ms, fmin(trace_at(readings, read, ms), held[i].last));
		kept[n + i] = graph_point(c, ms, 0);
	}
	if (read > 0 && n > 1) {
		s->kind->begin(s, "kept", NULL, NULL);
		fill_between(s, kept, n, INK_HELD, 0.22);
		s->kind->end(s);
		s->kind->begin(s, "free", NULL, NULL);
		fill_between(s, all, n, INK_FREE, 0.5);
		s->kind->end(s);
	}
	free(kept);
	free(all);
	free(held);
	free(readings);
}

double graph_epoch_number(const struct history *h, int span)
{
	return (double)(h->epochs.spans[span].epoch + 1);
}

static double epoch_middle_ms(const struct history *h, int span)
{
	return (double)(h->epochs.spans[span].begin_ms + h->epochs.spans[span].end_ms) / 2;
}

static void put_dots(struct surface *s, const struct graph *c, const struct point *p, int n, enum ink ink)
{
	if (n > 0 && c->detail * c->frame.w / n < 6)
		return;
	for (int i = 0; i < n; i++)
		surface_dot(s, p[i], ink, c->frame.w / n < 12 ? 4 : 6);
}

/* So many epochs make a point where there are more than the frame can show. */
static int epochs_each(const struct graph *c, int ended)
{
	return 1 + (int)(ended / (c->detail * c->frame.w));
}

int graph_floor(const struct history *h, int track, int from, int count, double *bytes)
{
	int ended = history_epochs_ended(h), least = -1;

	for (int i = from; i < from + count && i < ended; i++) {
		const struct history_cell *cell = history_cell(&h->epochs, i, track);

		if (!history_known(cell) || (least >= 0 && (double)cell->low >= *bytes))
			continue;
		*bytes = (double)cell->low;
		least = i;
	}
	return least;
}

void graph_floors(struct surface *s, const struct graph *c, const struct history *h, int track,
		  const struct stroke *how)
{
	int ended = history_epochs_ended(h), each = epochs_each(c, ended), n = 0;
	struct point *p = xcalloc((size_t)ended + 1, sizeof(*p));

	for (int i = 0; i < ended; i += each) {
		double bytes;
		int least = graph_floor(h, track, i, each, &bytes);

		if (least >= 0)
			p[n++] = graph_point(c, graph_epoch_number(h, least), bytes);
	}
	if (n > 1)
		s->kind->polyline(s, p, n, how);
	put_dots(s, c, p, n, how->ink);
	free(p);
}

void graph_line(struct surface *s, const struct graph *c, const struct plot_line *l, const struct stroke *how)
{
	struct point from = graph_point(c, l->from_ms, l->from_bytes);
	const struct point fan[] = {from, graph_point(c, l->to_ms, l->to_low),
				    graph_point(c, l->to_ms, l->to_high)};

	if (!l->known)
		return;
	s->kind->area(s, fan, 3, how->ink, fan_opacity);
	surface_line(s, from, graph_point(c, l->to_ms, l->to_bytes), how);
}

void graph_line_epochs(struct surface *s, const struct graph *c, const struct history *h,
		       const struct plot_line *l, const struct stroke *how)
{
	int ended = history_epochs_ended(h), each = epochs_each(c, ended), n = 0;
	struct point *p = xcalloc((size_t)ended + 1, 3 * sizeof(*p)), *low = p + ended, *high = low + ended;

	for (int i = 0; l->known && i < ended; i += each) {
		double x = graph_epoch_number(h, i), ms = epoch_middle_ms(h, i);

		if (ms < l->from_ms)
			continue;
		p[n] = graph_point(c, x, plot_line_at(l, ms));
		low[n] = graph_point(c, x, plot_line_toward(l, l->to_low, ms));
		high[n++] = graph_point(c, x, plot_line_toward(l, l->to_high, ms));
	}
	if (n > 1) {
		for (int i = 0; i < n; i++)
			low[n + i] = high[i];
		fill_between(s, low, n, how->ink, fan_opacity);
		s->kind->polyline(s, p, n, how);
	}
	free(p);
}

void graph_band(struct surface *s, const struct graph *c, double from, double to, const struct plot_band *b,
		enum ink ink)
{
	struct point top = graph_point(c, from, b->high), bottom = graph_point(c, to, b->low);
	double thin = fmax(band_least - (bottom.y - top.y), 0);
	struct box box = {top.x, top.y - thin / 2, bottom.x - top.x, bottom.y - top.y + thin};

	if (!b->known || to <= from)
		return;
	surface_rect(s, &box, ink, 0.22);
	surface_line(s, graph_point(c, from, b->bytes), graph_point(c, to, b->bytes),
		     &(struct stroke){.ink = ink, .width = 1.5});
}
