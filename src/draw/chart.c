/* SPDX-License-Identifier: MIT */
/* Where everything goes, and what lies over the curve. */
#include "draw/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/chart_frame.h"

enum { ROWS_WITH_LABELS = 5, ROWS_WITH_TITLE = 6, ROWS_A_TICK = 2 };

double chart_x(const struct chart_frame *f, double ms)
{
	return (ms - f->from_ms) / (f->to_ms - f->from_ms) * (canvas_dots_across(f->c) - 1);
}

double chart_y(const struct chart_frame *f, double bytes)
{
	return scale_place(&f->bytes, bytes) * (canvas_dots_up(f->c) - 1);
}

struct range {
	double low, high;
};

/* Of the curve, between two moments. */
static bool range_between(const struct plot *p, double from_ms, double to_ms, struct range *r)
{
	const struct history_table *t = &p->history->times;
	bool any = false;

	for (int i = 0; i < t->n; i++) {
		const struct history_cell *c = history_cell(t, i, p->track);

		if (!history_known(c) || (double)t->spans[i].end_ms < from_ms ||
		    (double)t->spans[i].begin_ms > to_ms)
			continue;
		r->low = any ? fmin(r->low, (double)c->low) : (double)c->low;
		r->high = any ? fmax(r->high, (double)c->high) : (double)c->high;
		any = true;
	}
	return any;
}

/* Growth that would hardly rise above the ground is shown without what came before it. */
static struct range shown_range(const struct chart_frame *f)
{
	const struct plot_line *g = &f->p->growth;
	struct range all = {f->p->low, f->p->high}, grown;

	range_between(f->p, f->from_ms, f->to_ms, &all);
	if (g->known && g->to_bytes - g->from_bytes < (all.high - all.low) / 4 &&
	    range_between(f->p, fmax(g->from_ms, f->from_ms), fmin(g->to_ms, f->to_ms), &grown))
		return grown;
	return all;
}

/* What moves little does so on its own scale, but noise is not made a mountain of. */
static void choose_scale(struct chart_frame *f, int rows)
{
	const double little = 0.02, near = 1.25;
	struct range r = shown_range(f);
	double pad = (little * r.high - (r.high - r.low)) / 2;

	f->limit = f->p->limit_bytes > 0 && f->p->limit_bytes <= near * r.high;
	if (f->limit)
		r.high = fmax(r.high, f->p->limit_bytes);
	if (r.high - r.low > r.high / 2)
		r.low = 0;
	if (pad > 0)
		r = (struct range){fmax(0, r.low - pad), r.high + pad};
	f->bytes = scale_bytes(r.low, r.high, rows < 2 * ROWS_A_TICK ? 2 : 1 + rows / ROWS_A_TICK);
	f->bytes.high = fmax(r.high, f->bytes.low + f->bytes.step); /* no rows for what is not there */
}

static bool lay_out(struct chart_frame *f, const struct chart_area *a)
{
	int left;

	f->all = *a;
	f->labels = a->rows >= ROWS_WITH_LABELS;
	f->title = a->rows >= ROWS_WITH_TITLE;
	f->plot = *a;
	f->plot.row += f->title;
	f->plot.rows -= f->title + 2 * f->labels;
	choose_scale(f, f->plot.rows);
	left = chart_bytes_width(&f->bytes) + 2;
	f->plot.column += left;
	f->plot.columns -= left;
	return f->plot.columns > 0;
}

static void draw_level(const struct chart_frame *f, double from_ms, double to_ms, double bytes, int dash,
		       enum canvas_role role)
{
	double y = chart_y(f, bytes);

	canvas_line(f->c, chart_x(f, from_ms), y, chart_x(f, to_ms), y, dash, role);
}

static int dash_of(const struct chart_frame *f)
{
	return canvas_symbols(f->c) == SYMBOLS_BRAILLE ? 4 : 2;
}

/* Of epochs that have ended; what came before the first is set-up. */
static void draw_floors(const struct chart_frame *f)
{
	const struct history_table *t = &f->p->history->epochs;

	if (!f->p->series->v.per_epoch)
		return;
	for (int i = 0; i < history_epochs_ended(f->p->history); i++) {
		const struct history_cell *c = history_cell(t, i, f->p->track);

		if (history_known(c) && t->spans[i].epoch >= 0)
			draw_level(f, (double)t->spans[i].begin_ms, (double)t->spans[i].end_ms,
				   (double)c->low, 0, CANVAS_FLOOR);
	}
}

static void draw_fit(const struct chart_frame *f)
{
	const struct plot_line *g = &f->p->growth;
	const struct plot_band *b = &f->p->plateau;

	if (g->known)
		canvas_line(f->c, chart_x(f, g->from_ms), chart_y(f, g->from_bytes), chart_x(f, g->to_ms),
			    chart_y(f, g->to_bytes), dash_of(f), CANVAS_FIT);
	else if (b->known)
		draw_level(f, b->from_ms, b->to_ms, b->bytes, dash_of(f), CANVAS_FIT);
}

/* Within the plot, and nothing there but what is below a filled curve. */
static bool is_free(const struct chart_frame *f, int column, int row, int n)
{
	bool filled = canvas_symbols(f->c) == SYMBOLS_BLOCK;
	enum canvas_role role;

	if (row < f->plot.row || row >= f->plot.row + f->plot.rows)
		return false;
	for (int i = 0; i < n; i++)
		if (canvas_glyph(f->c, column + i, row, &role) != ' ' && !(filled && role == CANVAS_CURVE))
			return false;
	return true;
}

/* The free row next to this one, rather below; -1: there is none. */
static int free_row(const struct chart_frame *f, int column, int row, int n)
{
	for (int away = 0; away < f->plot.rows; away++) {
		if (is_free(f, column, row + away, n))
			return row + away;
		if (is_free(f, column, row - away, n))
			return row - away;
	}
	return -1;
}

/* A free place for n cells at this one or a little to its right, which then is at *column; its row or -1. */
static int free_place(const struct chart_frame *f, int *column, int row, int n)
{
	enum { RIGHT_MOST = 6 };
	int end = f->plot.column + f->plot.columns - n, place = -1;

	*column = *column > end ? end : *column;
	for (int i = 0; i <= RIGHT_MOST && place < 0 && *column <= end && *column >= f->plot.column; i++) {
		place = free_row(f, *column, row, n);
		*column += place < 0;
	}
	return place;
}

/* Ups and downs have a largest one, which says nothing. */
static bool has_jump(const struct chart_frame *f)
{
	const double share = 0.1;
	const struct verdict *v = &f->p->series->v;

	return f->p->jump && v->shape != SHAPE_CYCLIC &&
	       v->jump_bytes >= share * (f->bytes.high - f->bytes.low) && f->p->jump_ms >= f->from_ms &&
	       f->p->jump_ms <= f->to_ms;
}

/* How much it was, beside where it was. */
static void draw_jump(const struct chart_frame *f)
{
	double x = chart_x(f, f->p->jump_ms);
	struct range level = {f->p->low, f->p->high};
	char size[UNITS_TEXT_MAX];
	int column, row, beside, n;

	if (!has_jump(f))
		return;
	range_between(f->p, f->p->jump_ms, f->p->jump_ms, &level);
	units_bytes_signed(size, f->p->series->v.jump_bytes);
	n = (int)strlen(size) + 2;
	column = canvas_cell_column(f->c, (int)x);
	row = canvas_cell_row(f->c, (int)fmax(0, fmin(chart_y(f, level.high), canvas_dots_up(f->c) - 1)));
	beside = free_place(f, &column, row, n);
	if (beside < 0)
		return;
	canvas_mark(f->c, column, beside, beside < row ? 0x25bc : 0x25b2, beside < row ? 'v' : '^',
		    CANVAS_JUMP); /* triangles that point to it */
	canvas_text(f->c, column + 2, beside, size, CANVAS_JUMP);
}

/* A sample of how it is drawn, and its name, if there is room. */
static void put_key(const struct chart_frame *f, int *column, uint32_t code, char ascii, const char *name,
		    enum canvas_role role)
{
	int n = (int)strlen(name) + 3, row = f->all.row;

	if (*column + n > f->all.column + f->all.columns)
		return;
	canvas_mark(f->c, *column, row, code, ascii, role);
	canvas_mark(f->c, *column + 1, row, code, ascii, role);
	canvas_text(f->c, *column + 3, row, name, CANVAS_TEXT);
	*column += n + 2;
}

static void draw_title(const struct chart_frame *f)
{
	static const uint32_t curve[] = {
	    [SYMBOLS_BRAILLE] = 0x2812, [SYMBOLS_BLOCK] = 0x2584, [SYMBOLS_ASCII] = '.'};
	const struct plot *p = f->p;
	int column = f->plot.column;

	canvas_text(f->c, f->all.column + 1, f->all.row, p->series->name, CANVAS_TEXT);
	put_key(f, &column, curve[canvas_symbols(f->c)], '.', "memory", CANVAS_CURVE);
	if (p->series->v.per_epoch && history_epochs_ended(p->history) > 1)
		put_key(f, &column, 0x2581, '_', "floor of each epoch", CANVAS_FLOOR);
	if (p->growth.known)
		put_key(f, &column, 0x2500, '-', "growth", CANVAS_FIT);
	else if (p->plateau.known)
		put_key(f, &column, 0x2500, '-', "plateau", CANVAS_FIT);
	if (f->limit)
		put_key(f, &column, 0x2550, '=', "limit", CANVAS_LIMIT);
}

void chart_draw(struct canvas *c, const struct chart_area *a, const struct plot *p, double from_ms,
		double to_ms)
{
	struct chart_frame f = {.c = c, .p = p, .from_ms = from_ms, .to_ms = fmax(to_ms, from_ms + 1)};

	if (a->columns < CHART_COLUMNS_LEAST || a->rows < CHART_ROWS_LEAST || !lay_out(&f, a))
		return;
	canvas_window(c, f.plot.column, f.plot.row, f.plot.columns, f.plot.rows);
	chart_draw_axes(&f);
	chart_draw_curve(&f);
	draw_floors(&f);
	draw_fit(&f);
	if (f.limit)
		draw_level(&f, f.from_ms, f.to_ms, p->limit_bytes, 0, CANVAS_LIMIT);
	draw_jump(&f);
	if (f.title)
		draw_title(&f);
}
