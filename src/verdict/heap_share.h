/* SPDX-License-Identifier: MIT */
/* What rises: what the program keeps, or what it freed and its allocator keeps. Heap in use and what is outside the
 * heaps are series of their own, a reading at the end of each epoch; free memory in the heaps is neither. Pure. */
#ifndef VERDICT_HEAP_SHARE_H
#define VERDICT_HEAP_SHARE_H

#include "detect/detector.h"
#include "record/sample.h"

struct heap_share; /* opaque */

struct heap_part {
	uint64_t first_bytes, last_bytes;
	double slope; /* bytes per epoch, from the fourth epoch on where there are enough */
};

struct heap_split {
	bool known;       /* read at the ends of epochs, up to now; else all below is void */
	bool slope_known; /* at least four readings */
	bool kept;        /* the program keeps what grows */
	bool freed;       /* what rises is free memory in the heaps: no growth */
	struct heap_part used, unused, outside;
};

struct heap_share *heap_share_new(void);
void heap_share_free(struct heap_share *h);

/* Takes a row in which the heaps were read, and leaves the others. The first one allocates. */
void heap_share_push(struct heap_share *h, const struct sample *s);

/* v: the verdict on all that is held, which becomes that on what the program keeps where that is known. epoch: epochs
 * finished so far. */
void heap_share_judge(struct heap_share *h, int64_t epoch, struct verdict *v, struct heap_split *out);

#endif
