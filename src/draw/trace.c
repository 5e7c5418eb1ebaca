/* SPDX-License-Identifier: MIT */
/* Pieces are joined by slots of time, so that they are equally wide on paper. */
#include "draw/trace.h"

#include <math.h>

#include "base/xalloc.h"

static struct trace_piece piece_of(const struct history_span *s, const struct history_cell *c)
{
	return (struct trace_piece){.begin_ms = (double)s->begin_ms,
				    .end_ms = (double)s->end_ms,
				    .first = (double)c->first,
				    .low = (double)c->low,
				    .high = (double)c->high,
				    .last = (double)c->last};
}

static void join(struct trace_piece *a, const struct trace_piece *b)
{
	a->end_ms = b->end_ms;
	a->low = fmin(a->low, b->low);
	a->high = fmax(a->high, b->high);
	a->last = b->last;
}

int trace_thin(const struct history_table *t, int track, int most, struct trace_piece **out)
{
	double from_ms = t->n > 0 ? (double)t->spans[0].begin_ms : 0;
	double to_ms = t->n > 0 ? (double)t->spans[t->n - 1].begin_ms : 0;
	double slot_ms = (to_ms - from_ms + 1) / most;
	int n = 0, last_slot = -1;

	*out = xcalloc((size_t)(t->n < most ? t->n + 1 : most + 1), sizeof(**out));
	for (int i = 0; i < t->n; i++) {
		const struct history_cell *c = history_cell(t, i, track);
		struct trace_piece piece = piece_of(&t->spans[i], c);
		int slot = t->n <= most ? i : (int)((piece.begin_ms - from_ms) / slot_ms);

		if (!history_known(c))
			continue;
		if (n > 0 && slot == last_slot)
			join(&(*out)[n - 1], &piece);
		else
			(*out)[n++] = piece;
		last_slot = slot;
	}
	return n;
}

static int put(struct trace_point *out, int n, double ms, double bytes)
{
	if (n > 1 && out[n - 1].bytes == bytes && out[n - 2].bytes == bytes)
		n--; /* a level line needs its two ends only */
	out[n] = (struct trace_point){ms, bytes};
	return n + 1;
}

/* A floor or a peak between the ends of a piece. */
static int put_between(struct trace_point *out, int n, const struct trace_piece *p, double ms, double bytes)
{
	return bytes != p->first && bytes != p->last ? put(out, n, ms, bytes) : n;
}

/* The order of floor and peak within a piece is not known: the one that is nearer to its first reading comes first. */
int trace_points(const struct trace_piece *pieces, int count, struct trace_point *out)
{
	int n = 0;

	for (int i = 0; i < count; i++) {
		const struct trace_piece *p = &pieces[i];
		double third_ms = (p->end_ms - p->begin_ms) / 3.0;
		bool low_first = p->first - p->low <= p->high - p->first;

		n = put(out, n, p->begin_ms, p->first);
		if (p->end_ms <= p->begin_ms)
			continue;
		n = put_between(out, n, p, p->begin_ms + third_ms, low_first ? p->low : p->high);
		n = put_between(out, n, p, p->end_ms - third_ms, low_first ? p->high : p->low);
		n = put(out, n, p->end_ms, p->last);
	}
	return n;
}

double trace_at(const struct trace_piece *pieces, int n, double ms)
{
	int i = 0;

	while (i < n && pieces[i].begin_ms < ms)
		i++;
	if (i == 0)
		return pieces[0].first;
	if (i == n || ms <= pieces[i - 1].end_ms)
		return pieces[i - 1].last;
	return pieces[i - 1].last + (pieces[i].first - pieces[i - 1].last) * (ms - pieces[i - 1].end_ms) /
					(pieces[i].begin_ms - pieces[i - 1].end_ms);
}

int trace_kept(const struct history_table *t, const struct trace_piece *held, int n, int most,
	       struct trace_piece **out)
{
	int readings = trace_thin(t, HISTORY_HEAP_FREE, most, out);

	for (int i = 0; n > 0 && i < readings; i++) {
		struct trace_piece *r = &(*out)[i];

		r->first = fmax(trace_at(held, n, r->begin_ms) - r->first, 0);
		r->last = fmax(trace_at(held, n, r->end_ms) - r->last, 0);
	}
	return readings;
}
