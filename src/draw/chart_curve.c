/* SPDX-License-Identifier: MIT */
/* The curve: in each column of dots the lowest and the highest it came to, joined to its neighbours. */
#include "draw/chart_frame.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct envelope {
	int n;
	double *low, *high; /* low > high: nothing known there */
};

static void open_envelope(struct envelope *e, int n)
{
	e->n = n;
	e->low = xcalloc((size_t)n, sizeof(*e->low));
	e->high = xcalloc((size_t)n, sizeof(*e->high));
	for (int i = 0; i < n; i++) {
		e->low[i] = HUGE_VAL;
		e->high[i] = -HUGE_VAL;
	}
}

static void close_envelope(struct envelope *e)
{
	free(e->low);
	free(e->high);
}

static void stretch(struct envelope *e, int x, double y)
{
	e->low[x] = fmin(e->low[x], y);
	e->high[x] = fmax(e->high[x], y);
}

struct place {
	double x, y;
};

/* Half a column to either side: so columns of a steep piece meet. */
static void add_piece(struct envelope *e, struct place a, struct place b)
{
	int from = (int)fmax(round(a.x), 0), to = (int)fmin(round(b.x), e->n - 1);

	for (int x = from; x <= to; x++) {
		double left = fmax(x - 0.5, a.x), right = fmin(x + 0.5, b.x), length = b.x - a.x;

		stretch(e, x, length > 0 ? a.y + (b.y - a.y) * (left - a.x) / length : a.y);
		stretch(e, x, length > 0 ? a.y + (b.y - a.y) * (right - a.x) / length : b.y);
	}
}

static struct place place_of(const struct chart_frame *f, double ms, uint64_t bytes)
{
	return (struct place){chart_x(f, ms), chart_y(f, (double)bytes)};
}

static void add_spans(const struct chart_frame *f, struct envelope *e)
{
	const struct history_table *t = &f->p->history->times;
	struct place last = {0, 0};
	bool joined = false;

	for (int i = 0; i < t->n; i++) {
		const struct history_cell *c = history_cell(t, i, f->p->track);
		double begin = (double)t->spans[i].begin_ms, end = (double)t->spans[i].end_ms,
		       middle = (begin + end) / 2;
		struct place first = place_of(f, begin, c->first), low = place_of(f, middle, c->low),
			     high = place_of(f, middle, c->high);

		if (!history_known(c)) {
			joined = false;
			continue;
		}
		if (joined)
			add_piece(e, last, first);
		add_piece(e, first, low);
		add_piece(e, low, high);
		last = place_of(f, end, c->last);
		add_piece(e, high, last);
		joined = true;
	}
}

/* Dots that are few in a cell are filled up to the curve: a line of them would be hard to follow. */
void chart_draw_curve(const struct chart_frame *f)
{
	bool fill = canvas_symbols(f->c) == SYMBOLS_BLOCK;
	struct envelope e;

	open_envelope(&e, canvas_dots_across(f->c));
	add_spans(f, &e);
	for (int x = 0; x < e.n; x++)
		if (e.low[x] <= e.high[x] && e.high[x] > -1)
			canvas_column(f->c, x, fill ? 0 : (int)lround(e.low[x]), (int)lround(e.high[x]),
				      CANVAS_CURVE);
	close_envelope(&e);
}
