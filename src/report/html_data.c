/* SPDX-License-Identifier: MIT */
/* Numbers only: nothing from outside gets into the script. */
#include "report/html_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "draw/trace.h"

enum { EPOCHS_MOST = 1024 };

static void open_list(FILE *out, const char *name)
{
	fprintf(out, ",\"%s\":[", name);
}

/* Differences are short. */
static void put_next(FILE *out, int i, int64_t value, int64_t *last)
{
	fprintf(out, "%s%" PRId64, i ? "," : "", value - *last);
	*last = value;
}

static int64_t kib(double bytes)
{
	return (int64_t)llround(bytes / (double)KIB);
}

static double begin_of(const struct trace_piece *p)
{
	return p->begin_ms;
}

static double low_of(const struct trace_piece *p)
{
	return p->low;
}

static double high_of(const struct trace_piece *p)
{
	return p->high;
}

static void put_list(FILE *out, const char *name, const struct trace_piece *pieces, int n,
		     double (*value)(const struct trace_piece *), bool bytes)
{
	int64_t last = 0;

	open_list(out, name);
	for (int i = 0; i < n; i++)
		put_next(out, i, bytes ? kib(value(&pieces[i])) : llround(value(&pieces[i])), &last);
	fputc(']', out);
}

static int most(const struct history_table *t, double detail)
{
	return (int)fmax(16, detail * t->max);
}

static void put_curve(FILE *out, const struct history_table *t, int track, double detail)
{
	struct trace_piece *pieces;
	int n = trace_thin(t, track, most(t, detail), &pieces);

	put_list(out, "ms", pieces, n, begin_of, false);
	put_list(out, "low", pieces, n, low_of, true);
	put_list(out, "high", pieces, n, high_of, true);
	free(pieces);
}

/* Read from time to time only. */
static void put_free(FILE *out, const struct history_table *t, double detail)
{
	struct trace_piece *pieces;
	int n = trace_thin(t, HISTORY_HEAP_FREE, most(t, detail / 4), &pieces);

	put_list(out, "free_ms", pieces, n, begin_of, false);
	put_list(out, "free", pieces, n, high_of, true);
	free(pieces);
}

static void put_frame(FILE *out, const char *name, const struct graph *g)
{
	fprintf(out, "\"%s\":{\"box\":[%.1f,%.1f,%.1f,%.1f],\"x\":[%.1f,%.1f],\"y\":[%.0f,%.0f]}", name,
		g->frame.x, g->frame.y, g->frame.w, g->frame.h, g->x.low, g->x.high, g->y.low, g->y.high);
}

/* So many epochs make one where there are more than are kept. */
static int epochs_each(const struct history *h, double detail)
{
	return 1 + (int)(history_epochs_ended(h) / (detail * EPOCHS_MOST));
}

static void put_numbers(FILE *out, const struct history *h, int track, int each)
{
	int64_t last = 0;

	open_list(out, "number");
	for (int i = 0; i < history_epochs_ended(h); i += each) {
		double bytes;
		int least = graph_floor(h, track, i, each, &bytes);

		put_next(out, i, (int64_t)graph_epoch_number(h, least >= 0 ? least : i), &last);
	}
	fputc(']', out);
}

static void put_floors(FILE *out, const struct history *h, int track, double detail)
{
	int each = epochs_each(h, detail);
	int64_t last = 0;

	put_numbers(out, h, track, each);
	open_list(out, "floor");
	for (int i = 0; i < history_epochs_ended(h); i += each) {
		double bytes;

		put_next(out, i, graph_floor(h, track, i, each, &bytes) >= 0 ? kib(bytes) : last, &last);
	}
	fputc(']', out);
}

void html_data(FILE *out, const struct picture_series *s, double detail)
{
	const struct history *h = s->plot.history;

	fputs("<script type=\"application/json\">{", out);
	put_frame(out, "time", &s->time);
	put_curve(out, &h->times, s->plot.track, detail);
	if (s->plot.heap)
		put_free(out, &h->times, detail);
	if (s->has_floors) {
		fputc(',', out);
		put_frame(out, "floors", &s->floors);
		put_floors(out, h, s->plot.track, detail);
	}
	fputs("}</script>\n", out);
}

void html_data_epochs(FILE *out, const struct history *h)
{
	int ended = history_epochs_ended(h), each = epochs_each(h, 1);
	int64_t last_number = 0, last_ms = 0;

	fputs("<script type=\"application/json\" id=\"epochs-data\">{\"number\":[", out);
	for (int i = 0; i < ended; i += each)
		put_next(out, i, (int64_t)graph_epoch_number(h, i), &last_number);
	fputs("],\"ended\":[", out);
	for (int i = 0; i < ended; i += each)
		put_next(out, i, h->epochs.spans[i + 1].begin_ms, &last_ms);
	fputs("]}</script>\n", out);
}
