/* SPDX-License-Identifier: MIT */
/* Welford's sums, since lengths are long and their differences small. */
#include "epochs/lengths.h"

#include <math.h>

void epoch_lengths_add(struct epoch_lengths *l, double each, int64_t count)
{
	if (l->n == 1 && !l->warmed)
		*l = (struct epoch_lengths){.warmed = true};
	for (int64_t i = 0; i < count; i++) {
		double delta = each - l->mean;

		l->n++;
		l->mean += delta / (double)l->n;
		l->squares += delta * (each - l->mean);
	}
}

double epoch_lengths_spread(const struct epoch_lengths *l)
{
	return l->n > 1 && l->mean > 0 ? sqrt(l->squares / (double)(l->n - 1)) / l->mean : 0;
}
