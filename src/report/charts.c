/* SPDX-License-Identifier: MIT */
/* Sizes and choices; the picture is draw/chart.c's. */
#include "report/charts.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/tty.h"
#include "draw/chart.h"
#include "draw/paint.h"
#include "draw/plot.h"
#include "draw/symbols.h"

enum {
	COLUMNS_LEAST = 30,
	COLUMNS_MOST = 100,
	COLUMNS_UNKNOWN = 80, /* no terminal, or one that does not tell */
	ROWS_LEAST = 6,
	ROWS_MOST = 10,
	SPANS_LEAST = 8, /* fewer samples make no curve */
	CHARTS_MOST = 4, /* of a machine with many GPUs: the others are told in words */
};

/* Half of a small screen is for the words. */
static int rows_of(int fd)
{
	int rows = tty_rows(fd) / 2;

	if (rows == 0 || rows > ROWS_MOST)
		return ROWS_MOST;
	return rows < ROWS_LEAST ? ROWS_LEAST : rows;
}

struct report_charts report_charts_for(int fd, enum symbols wanted)
{
	struct report_charts how = {
	    .symbols = wanted, .columns = tty_columns(fd), .rows = rows_of(fd), .colours = msg_colours(fd)};

	if (wanted == SYMBOLS_AUTO)
		how.symbols = isatty(fd) ? symbols_of_terminal(getenv) : SYMBOLS_NONE;
	if (how.columns == 0)
		how.columns = COLUMNS_UNKNOWN;
	if (how.columns < COLUMNS_LEAST)
		how.symbols = SYMBOLS_NONE;
	if (how.columns > COLUMNS_MOST)
		how.columns = COLUMNS_MOST;
	return how;
}

static bool moved(const struct series_verdict *s)
{
	return s->v.peak_bytes > 0 && s->v.shape != SHAPE_FLAT;
}

static bool worth_a_chart(const struct run_verdict *run, int i)
{
	return run->n == 1 || plot_chosen(run, i, CHARTS_MOST, moved);
}

void report_chart(FILE *out, const struct report_charts *how, const struct history *h,
		  const struct run_verdict *run, int i)
{
	struct chart_area area = {.columns = how->columns - 1, .rows = how->rows}; /* a full line may wrap */
	struct canvas *c;
	struct plot p;

	if (how->symbols == SYMBOLS_NONE || !h || h->times.n < SPANS_LEAST || !worth_a_chart(run, i) ||
	    !plot_series(&p, h, &run->series[i]))
		return;
	c = canvas_new(area.columns, area.rows, how->symbols);
	chart_draw(c, &area, &p, p.from_ms, p.to_ms);
	paint_canvas(out, c, how->colours);
	canvas_free(c);
}
