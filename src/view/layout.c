/* SPDX-License-Identifier: MIT */
/* Rows are given out in the order of their worth, then set one below the other. */
#include "view/layout.h"

#include <string.h>

enum {
	CHART_LEAST = 3,    /* rows; a curve in fewer is none */
	CHART_SMALL = 5,    /* on a terminal of ordinary size */
	CHART_GOOD = 11,    /* a second chart comes when each has so many */
	CHART_COLUMNS = 70, /* two beside each other when each has so many */
	STATUS_FROM = 5,    /* rows of the terminal */
	HEAP_FROM = 16,
	PROCESSES_FROM = 16,
	AIRY_FROM = 22, /* blank rows between the parts */
};

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

/* The next so many rows of the screen. */
static struct box take(int *row, int rows, int columns)
{
	struct box b = {*row, 0, most(rows, 0), columns};

	*row += b.rows;
	return b;
}

/* One below the other, two beside each other where both are wide enough. */
static void place_charts(struct layout *l, const struct box *area, int series)
{
	int across = series > 1 && area->columns >= 2 * CHART_COLUMNS ? 2 : 1;
	int down = most(1, least(area->rows / CHART_GOOD, (series + across - 1) / across));
	int n = least(least(across * down, series), LAYOUT_CHARTS_MAX);

	if (area->rows < CHART_LEAST)
		return;
	for (int i = 0; i < n; i++) {
		int top = area->rows * (i / across) / down, end = area->rows * (i / across + 1) / down;
		int left = area->columns * (i % across) / across;
		int right = area->columns * (i % across + 1) / across;

		l->charts[i] = (struct box){area->row + top, left, end - top, right - left};
	}
	l->n_charts = n;
}

static void make_small(struct layout *out, int rows, int columns, const struct layout_wants *wants)
{
	int status = rows >= STATUS_FROM, left = rows - 1 - status, row = 0, chart, verdict;
	struct box area;

	out->head = take(&row, 1, columns);
	out->series = take(&row, left > 0, columns);
	left -= out->series.rows;
	verdict = least(most(wants->verdict_lines, 1), most(1, left / 2));
	chart = left - verdict;
	if (chart < CHART_LEAST) {
		chart = 0;
		verdict = left;
	}
	out->verdict = take(&row, verdict, columns);
	area = take(&row, chart, columns);
	place_charts(out, &area, 1);
	out->status = take(&row, status, columns);
}

/* Rows for each part; the chart gets what is left. */
struct shares {
	int series, chart, verdict, heap, processes, gap;
};

static void share_out(struct shares *s, int rows, const struct layout_wants *wants)
{
	int left = rows - 2;

	*s = (struct shares){.gap = rows >= AIRY_FROM};
	s->series = least(wants->series, most(1, left / 5));
	s->verdict = least(most(wants->verdict_lines, 1), most(2, left / 3));
	s->heap = wants->heap && rows >= HEAP_FROM;
	if (wants->processes > 0 && rows >= PROCESSES_FROM)
		s->processes = 1 + least(wants->processes, most(2, left / 5));
	left -= s->series + s->verdict + s->heap + s->processes + 3 * s->gap;
	while (left < CHART_SMALL && s->processes > 2) {
		s->processes--;
		left++;
	}
	s->chart = most(left, 0);
}

static void make_large(struct layout *out, int rows, int columns, const struct layout_wants *wants)
{
	struct shares s;
	struct box area;
	int row = 0;

	share_out(&s, rows, wants);
	out->head = take(&row, 1, columns);
	row += s.gap;
	out->series = take(&row, s.series, columns);
	area = take(&row, s.chart, columns);
	place_charts(out, &area, wants->series);
	out->verdict = take(&row, s.verdict, columns);
	out->heap = take(&row, s.heap, columns);
	row += s.gap;
	out->processes = take(&row, s.processes, columns);
	row = rows - 1;
	out->status = take(&row, 1, columns);
}

void layout_make(struct layout *out, int rows, int columns, const struct layout_wants *wants)
{
	memset(out, 0, sizeof(*out));
	(rows < LAYOUT_SMALL_ROWS ? make_small : make_large)(out, rows, columns, wants);
}
