/* SPDX-License-Identifier: MIT */
/* Changes of a program move its memory by parts of it: a leak that came or went, another batch size. What holds many times
 * as much from its first epochs on is more likely another program. */
#include "compare/unlike.h"

#include <math.h>

#define LEVELS_APART 5.0  /* a smaller model of the same script may hold a third */
#define EPOCHS_APART 10.0 /* another machine, or a batch that is four times as large, is less */

static bool far_apart(double a, double b, double factor)
{
	return a > 0 && b > 0 && fmax(a, b) >= factor * fmin(a, b);
}

static double mean_level(const struct run_figures *const *runs, int n, const struct view *view)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		const struct series_figures *host = run_figures_find(runs[i], "host");
		struct stretch s = {0};

		if (host)
			s = stretch_of(host, view);
		if (!s.ok)
			return 0;
		sum += s.level;
	}
	return sum / n;
}

void unlike_levels(struct unlikeness *u, const struct run_figures *const *base, int base_runs,
		   const struct run_figures *const *new, int new_runs, const struct view *view)
{
	struct view beginning = *view;
	double base_first, new_first;

	beginning.to = view->from + (view->to - view->from) / 4;
	base_first = mean_level(base, base_runs, &beginning);
	new_first = mean_level(new, new_runs, &beginning);
	u->base_bytes = mean_level(base, base_runs, view);
	u->new_bytes = mean_level(new, new_runs, view);
	u->levels = far_apart(u->base_bytes, u->new_bytes, LEVELS_APART) &&
		    far_apart(base_first, new_first, LEVELS_APART);
}

void unlike_epochs(struct unlikeness *u, double base_s, double new_s)
{
	u->base_s = base_s;
	u->new_s = new_s;
	u->epochs = far_apart(base_s, new_s, EPOCHS_APART);
}
