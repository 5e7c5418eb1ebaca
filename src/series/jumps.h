/* SPDX-License-Identifier: MIT */
/* Steps up in a series that were kept. Pure. */
#ifndef SERIES_JUMPS_H
#define SERIES_JUMPS_H

#include "series/windows.h"

struct jumps {
	double largest_bytes;
	int64_t ms, epoch; /* of the largest: when, and in which epoch; -1 in none */
	int count;         /* of those of a third of its size and more */
	double all_bytes;  /* what these come to */
};

/* Where the training began: at the first sign of an epoch, else when imports were over as far as was seen. */
struct start {
	int64_t ms;     /* -1 unknown */
	int slot;       /* the first of the training */
	uint64_t bytes; /* of that slot */
};

/* v is the view of s. */
struct start start_of(const struct series *s, const struct view *v);

/* The step that is worth telling, and those like it; false where there is none. One while training is the news; one of the
 * start only where it is most of what was taken, and nothing `grows` since. */
bool jumps_tell(const struct series *s, const struct start *start, double level, bool grows,
		struct jumps *out);

#endif
