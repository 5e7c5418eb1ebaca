/* SPDX-License-Identifier: MIT */
/* Steps up in a series that were kept. Pure. */
#ifndef SERIES_JUMPS_H
#define SERIES_JUMPS_H

#include "series/series_state.h"

/* Slots, the first and the one after the last. */
struct slots {
	int from, to;
};

struct jumps {
	double largest_bytes;
	int64_t ms, epoch; /* of the largest: when, and in which epoch; -1 in none */
	int count;         /* of those of a third of its size and more */
	double all_bytes;  /* what these come to */
};

/* Those of finished epochs. */
struct slots slots_trained(const struct series *s);

/* False, and out as it was, unless the largest is worth telling: 1 % of the level, and `share` of all gained in the range. */
bool jumps_find(const struct series *s, struct slots r, double level, double share, struct jumps *out);

#endif
