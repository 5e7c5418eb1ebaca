/* SPDX-License-Identifier: MIT */
/* The verdict on the host, put together from what the detector says of its parts. The detector's own verdicts stay as they
 * are; this is another one, by the first of these rules that holds:
 *
 *   what the program keeps grows      growth, as that part does
 *   all that is held rises,
 *     but what is kept has settled    warmup: freed by the program, kept by its allocator
 *     but only by un-sharing pages    warmup, not firm: it ends when every page is copied
 *     and half of it is kept          growth, as fast as that half
 *     and less of it is               growth, not firm
 *   else                              as all that is held
 *
 * Pure. */
#ifndef VERDICT_HOST_VERDICT_H
#define VERDICT_HOST_VERDICT_H

#include "verdict/heap_share.h"

struct host_evidence {
	struct verdict held;
	struct heap_evidence heap;
	bool unshared; /* the rise of what is held is forked processes that copy pages they shared */
};

/* split: how the heap takes part in it. */
void host_verdict(const struct host_evidence *e, struct verdict *out, struct heap_split *split);

#endif
