/* SPDX-License-Identifier: MIT */
/* Bytes on the left; below them epochs where they are known, else time. */
#include "draw/chart_frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_COLUMNS = 10, LEGEND_MAX = 96 };

/* Box-drawing characters. */
enum {
	UPRIGHT = 0x2502,
	LEVEL = 0x2500,
	CORNER = 0x2514,
	TICK_LEFT = 0x2524,
	TICK_BELOW = 0x252c,
	TICK_UP = 0x2534
};

int chart_bytes_width(const struct scale *bytes)
{
	char text[UNITS_TEXT_MAX];
	size_t most = 0;

	for (int i = 0; i < scale_ticks(bytes); i++) {
		size_t n = strlen(scale_label_bytes(text, bytes, scale_tick(bytes, i)));

		most = n > most ? n : most;
	}
	return (int)most;
}

static void draw_bytes(const struct chart_frame *f)
{
	int axis = f->plot.column - 1;
	char text[UNITS_TEXT_MAX];

	for (int i = 0; i < f->plot.rows; i++)
		canvas_mark(f->c, axis, f->plot.row + i, UPRIGHT, '|', CANVAS_TEXT);
	for (int i = 0; i < scale_ticks(&f->bytes); i++) {
		double value = scale_tick(&f->bytes, i);
		int row = canvas_cell_row(f->c, (int)lround(chart_y(f, value)));

		scale_label_bytes(text, &f->bytes, value);
		canvas_text(f->c, axis - 1 - (int)strlen(text), row, text, CANVAS_TEXT);
		canvas_mark(f->c, axis, row, TICK_LEFT, '+', CANVAS_TEXT);
	}
}

static int column_of(const struct chart_frame *f, double ms)
{
	return canvas_cell_column(f->c, (int)lround(chart_x(f, ms)));
}

static bool in_sight(const struct chart_frame *f, double ms)
{
	return ms >= f->from_ms && ms <= f->to_ms;
}

/* A tick and its label, unless it would touch the one before it or the edge. *next is the first free column. */
static void put_tick(const struct chart_frame *f, double ms, const char *label, int *next)
{
	int axis = f->plot.row + f->plot.rows, column = column_of(f, ms), n = (int)strlen(label),
	    end = f->all.column + f->all.columns, begin = column - (n - 1) / 2;

	if (begin < f->all.column)
		begin = f->all.column;
	if (begin + n > end)
		begin = end - n;
	if (begin < *next)
		return;
	canvas_mark(f->c, column, axis, TICK_BELOW, '+', CANVAS_TEXT);
	canvas_text(f->c, begin, axis + 1, label, CANVAS_TEXT);
	*next = begin + n + 2;
}

static int most_labels(const struct chart_frame *f)
{
	int n = f->plot.columns / LABEL_COLUMNS;

	return n < 2 ? 2 : n;
}

static void draw_times(const struct chart_frame *f)
{
	struct scale s = scale_time(f->from_ms, f->to_ms, most_labels(f));
	char text[UNITS_TEXT_MAX];
	int next = 0;

	for (int i = 0; i < scale_ticks(&s); i++)
		put_tick(f, scale_tick(&s, i), scale_label_time(text, &s, scale_tick(&s, i)), &next);
}

static bool by_epochs(const struct chart_frame *f)
{
	return f->p->series->v.per_epoch && history_epochs_ended(f->p->history) > 1;
}

/* Epochs finished when a span of epochs begins, the first of them left out. */
static int64_t finished_before(const struct history_table *t, int span)
{
	return t->spans[span - 1].epoch + 1;
}

/* Lines where epochs end: only where they leave the curve to be seen. */
static void draw_epoch_lines(const struct chart_frame *f)
{
	enum { COLUMNS_APART = 8, DOTS_APART = 4 };
	const struct history_table *t = &f->p->history->epochs;
	int apart = canvas_symbols(f->c) == SYMBOLS_BRAILLE ? DOTS_APART : 1;

	if (t->n * COLUMNS_APART > f->plot.columns)
		return;
	for (int i = 1; i < t->n; i++)
		for (int y = 0; y < canvas_dots_up(f->c); y += apart)
			if (in_sight(f, (double)t->spans[i].begin_ms))
				canvas_point(f->c, (int)lround(chart_x(f, (double)t->spans[i].begin_ms)), y,
					     CANVAS_EPOCH);
}

/* The first label says what is counted. */
static void draw_epochs(const struct chart_frame *f)
{
	const struct history_table *t = &f->p->history->epochs;
	struct scale s = scale_count(0, (double)finished_before(t, t->n - 1), most_labels(f));
	char text[UNITS_TEXT_MAX + 8], number[UNITS_TEXT_MAX];
	int64_t due = (int64_t)s.step;
	int next = 0;

	for (int i = 1; i < t->n; i++) {
		int64_t n = finished_before(t, i);
		double ms = (double)t->spans[i].begin_ms;

		if (!in_sight(f, ms) || n < 1)
			continue;
		canvas_mark(f->c, column_of(f, ms), f->plot.row + f->plot.rows, TICK_UP, '-', CANVAS_EPOCH);
		if (n < due && next > 0)
			continue;
		units_count(number, (uint64_t)n);
		snprintf(text, sizeof(text), next ? "%s" : "epoch %s", number);
		put_tick(f, ms, text, &next);
		due = n - n % (int64_t)s.step + (int64_t)s.step;
	}
}

void chart_draw_axes(const struct chart_frame *f)
{
	int axis = f->plot.row + f->plot.rows;

	draw_bytes(f);
	if (by_epochs(f))
		draw_epoch_lines(f);
	if (!f->labels)
		return;
	canvas_mark(f->c, f->plot.column - 1, axis, CORNER, '+', CANVAS_TEXT);
	for (int i = 0; i < f->plot.columns; i++)
		canvas_mark(f->c, f->plot.column + i, axis, LEVEL, '-', CANVAS_TEXT);
	if (by_epochs(f))
		draw_epochs(f);
	else
		draw_times(f);
}
