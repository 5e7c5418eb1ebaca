/* SPDX-License-Identifier: MIT */
/* The fits of a run and the memory held at the end of each. Knows neither lines nor verdicts. */
#include "epochs/fits.h"

#include <stdlib.h>
#include <string.h>

static void keep(struct epoch_fits *f)
{
	struct fit_floor end = f->last.known ? f->last : f->now;

	if (f->n == FITS_KEPT) {
		memmove(&f->kept[1], &f->kept[2], (FITS_KEPT - 2) * sizeof(f->kept[0]));
		f->n--;
	}
	f->kept[f->n++] = (struct fit){f->running, f->epoch - f->began, end.end_ms, end.bytes};
}

static void begin(struct epoch_fits *f, int fit, int64_t epoch)
{
	f->running = fit;
	f->began = f->epoch = epoch;
	f->now.known = f->last.known = f->early.known = false;
	f->shortest_ms = 0;
}

/* An epoch is over: at a line of its own, or, told only by what came later (the next fit, the end of the run), at
 * some moment before: what the fit gave back since then is not its level. */
static void end_epoch(struct epoch_fits *f, int64_t epoch, int64_t elapsed_ms, bool told)
{
	int64_t length_ms = (elapsed_ms - f->epoch_ms) / (epoch - f->epoch);

	f->last = told || !f->early.known ? f->now : f->early;
	if (told && (f->shortest_ms == 0 || length_ms < f->shortest_ms))
		f->shortest_ms = length_ms;
	f->now.known = f->early.known = false;
	f->epoch = epoch;
}

static void add_to_epoch(struct fit_floor *now, int64_t elapsed_ms, uint64_t bytes)
{
	if (!now->known || bytes < now->bytes)
		now->bytes = bytes;
	now->known = true;
	now->end_ms = elapsed_ms;
}

static void add_sample(struct epoch_fits *f, int64_t elapsed_ms, uint64_t bytes)
{
	if (!f->now.known)
		f->epoch_ms = elapsed_ms;
	add_to_epoch(&f->now, elapsed_ms, bytes);
	/* Three quarters of the shortest epoch: lengths vary, and a sample is an epoch's from its line on. */
	if (f->shortest_ms == 0 || (elapsed_ms - f->epoch_ms) * 4 < f->shortest_ms * 3)
		add_to_epoch(&f->early, elapsed_ms, bytes);
}

/* What lies between the end of a fit's last epoch and the next fit belongs to neither: the next model is
 * built there. */
void epoch_fits_push(struct epoch_fits *f, int fit, int64_t epoch, int64_t elapsed_ms, uint64_t bytes)
{
	if (f->running == 0)
		begin(f, fit, epoch);
	if (epoch > f->epoch) {
		if (!f->now.known)
			add_sample(f, elapsed_ms, bytes);
		end_epoch(f, epoch, elapsed_ms, fit == f->running);
	}
	if (fit > f->running) {
		keep(f);
		begin(f, fit, epoch);
	}
	add_sample(f, elapsed_ms, bytes);
}

/* The samples since the last boundary may be tear-down. */
void epoch_fits_finish(struct epoch_fits *f, int64_t epoch)
{
	if (f->running == 0)
		return;
	if (epoch > f->epoch)
		end_epoch(f, epoch, f->now.end_ms, false);
	keep(f);
	f->running = 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct fits_growth epoch_fits_growth(const struct epoch_fits *f)
{
	struct fits_growth g = {0};
	double change[FITS_KEPT];

	for (int i = 1; i < f->n; i++) {
		double rise = (double)f->kept[i].bytes - (double)f->kept[i - 1].bytes;

		change[g.changes++] = rise / (f->kept[i].number - f->kept[i - 1].number);
	}
	if (g.changes == 0)
		return g;
	qsort(change, (size_t)g.changes, sizeof(change[0]), by_value);
	g.bytes = change[(g.changes - 1) / 2];
	for (int i = 0; i < g.changes; i++)
		g.rises += change[i] > 0.1 * g.bytes;
	return g;
}
