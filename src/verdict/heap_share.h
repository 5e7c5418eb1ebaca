/* SPDX-License-Identifier: MIT */
/* What the program keeps and what it freed: heap in use, what is outside the heaps, and both together are series of
 * their own, a reading at the end of each epoch; free memory in the heaps is none of them. Pure. */
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
	bool slope_known; /* at least three readings at ends of epochs */
	bool kept;        /* the program keeps what grows */
	bool freed;       /* what rises is free memory in the heaps: no growth */
	struct heap_part used, unused, outside;
	double kept_slope; /* of used and outside together */
};

/* What the readings show. `split` says nothing of kept and freed: that is the host's verdict (verdict/host_verdict.h). */
struct heap_evidence {
	struct heap_split split;
	bool dense;                         /* an epoch in three was read at least */
	struct verdict used, outside, kept; /* kept: both; they move from one to the other */
	struct {
		double used, outside,
		    kept; /* bytes per epoch since each began to grow: the median of all rises */
	} rate;
};

struct heap_share *heap_share_new(void);
void heap_share_free(struct heap_share *h);

/* Takes a row in which the heaps were read, and leaves the others. The first one allocates. */
void heap_share_push(struct heap_share *h, const struct sample *s);

/* epoch: epochs finished so far. */
void heap_share_judge(struct heap_share *h, int64_t epoch, struct heap_evidence *out);

#endif
