/* SPDX-License-Identifier: MIT */
/* Curves of lowest values. An epoch counts once it is over; what comes before the first and after the last is set-up and
 * tear-down. */
#include "compare/run_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "verdict/run_series.h"

#define TIME_STEP_S 0.1 /* the first; it doubles until the run fits in CURVE_POINTS */

static void join_pairs(struct curve *c)
{
	int n = 0;

	for (int i = 0; i + 1 < c->n; i += 2, n++) {
		c->x[n] = c->x[i] + (c->x[i + 1] - c->x[i]) * c->at;
		c->low[n] = fmin(c->low[i], c->low[i + 1]);
		c->high[n] = fmax(c->high[i], c->high[i + 1]);
	}
	c->n = n;
	c->step *= 2;
}

static void close_step(struct curve *c)
{
	if (!c->open)
		return;
	c->x[c->n] = c->from + c->step * c->at;
	c->high[c->n] = c->open_high;
	c->low[c->n++] = c->open_low;
	c->open = false;
}

static void push(struct curve *c, double x, double step, double at, double value)
{
	if (c->step <= 0)
		c->step = step;
	c->at = at;
	if (c->open && x >= c->from + c->step * (1 - 1e-9))
		close_step(c);
	if (!c->open) {
		if (c->n == CURVE_POINTS)
			join_pairs(c);
		c->from = floor(x / c->step + 1e-9) * c->step; /* 0.3 is a multiple of 0.1 */
		c->open_low = c->open_high = value;
		c->open = true;
	}
	c->open_low = fmin(c->open_low, value);
	c->open_high = fmax(c->open_high, value);
}

struct run_figures *run_figures_new(const struct channel *channels, int n)
{
	struct run_figures *r = xcalloc(1, sizeof(*r));

	r->n = 1 + (n - CH_HOST_COUNT) / 2;
	r->series = xcalloc((size_t)r->n, sizeof(*r->series));
	snprintf(r->series[0].name, CHANNEL_NAME_MAX, "host");
	for (int i = 1; i < r->n; i++)
		run_series_name(&channels[CH_HOST_COUNT + 2 * (i - 1)], r->series[i].name);
	r->epoch = r->epochs = r->heap_epoch = -1;
	return r;
}

void run_figures_free(struct run_figures *r)
{
	if (!r)
		return;
	free(r->series);
	free(r);
}

static void push_value(struct series_figures *f, const struct sample *s, double bytes)
{
	if (s->epoch >= 0)
		push(&f->by_epoch, (double)s->epoch, 1, 1, bytes);
	else
		f->early_high = fmax(f->early_high, bytes);
	push(&f->by_time, (double)s->elapsed_ms / MS_PER_S, TIME_STEP_S, 0.5, bytes);
}

/* Only the first reading of an epoch was taken as the one before it ended; a later one is of any moment. */
static void push_heap(struct run_figures *r, const struct sample *s, double host, double freed)
{
	if (s->epoch >= 0 && s->epoch == r->heap_epoch)
		return;
	r->heap_epoch = s->epoch;
	push_value(&r->kept, s, host - freed);
	push_value(&r->freed, s, freed);
}

/* The first epoch is longer than the others and not timed. */
static void time_epoch(struct run_figures *r, const struct sample *s)
{
	int64_t passed = s->epoch - r->epoch;

	if (s->epoch < 0 || passed <= 0)
		return;
	r->epochs_missed += r->epoch >= 0 ? passed - 1 : 0;
	if (r->epoch >= 1 && r->epochs_timed < CURVE_POINTS)
		r->epoch_s[r->epochs_timed++] =
		    (double)(s->elapsed_ms - r->epoch_began_ms) / MS_PER_S / (double)passed;
	r->epoch = s->epoch;
	r->epoch_began_ms = s->elapsed_ms;
}

void run_figures_push(struct run_figures *r, const struct sample *s, struct reading host)
{
	struct reading freed = s->v[CH_HEAP_FREE];

	time_epoch(r, s);
	if (host.ok)
		push_value(&r->series[0], s, (double)host.bytes);
	if (host.ok && freed.ok && freed.bytes <= host.bytes)
		push_heap(r, s, (double)host.bytes, (double)freed.bytes);
	for (int i = 1; i < r->n && CH_HOST_COUNT + 2 * i - 1 < s->n; i++) {
		struct reading gpu = s->v[CH_HOST_COUNT + 2 * (i - 1)];

		if (gpu.ok)
			push_value(&r->series[i], s, (double)gpu.bytes);
	}
}

/* What is open at the end is tear-down, unless it is all there is. */
static void finish_curves(struct series_figures *f)
{
	f->by_epoch.open = false;
	if (f->by_time.n == 0)
		close_step(&f->by_time);
}

void run_figures_finish(struct run_figures *r, const struct run_verdict *run, uint64_t lost)
{
	finish_curves(&r->kept);
	finish_curves(&r->freed);
	r->duration_s = (double)run->duration_ms / MS_PER_S;
	r->epochs = run->epochs;
	r->samples = run->samples;
	r->lost = lost;
	for (int i = 0; i < r->n; i++) {
		finish_curves(&r->series[i]);
		for (int k = 0; k < run->n; k++)
			if (strcmp(run->series[k].name, r->series[i].name) == 0) {
				r->series[i].v = run->series[k].v;
				r->series[i].judged = true;
			}
	}
	r->kept.v = r->series[0].v;
}

const struct series_figures *run_figures_find(const struct run_figures *r, const char *name)
{
	for (int i = 0; i < r->n; i++)
		if (strcmp(r->series[i].name, name) == 0 && r->series[i].judged)
			return &r->series[i];
	return NULL;
}
