/* SPDX-License-Identifier: MIT */
/* Hands the newest of something from one thread to one other without waiting: of three slots the writer fills
 * one, the reader reads one, and the third changes hands. Older ones that were not fetched are lost, which is
 * what a snapshot wants. */
#ifndef GPU_HANDOFF_H
#define GPU_HANDOFF_H

#include <stdatomic.h>
#include <stdbool.h>

enum { HANDOFF_SLOTS = 3, HANDOFF_SLOT = 3, HANDOFF_FRESH = 4 };

struct gpu_handoff {
	unsigned back;           /* the writer's slot */
	unsigned front;          /* the reader's slot */
	_Atomic unsigned middle; /* the slot between, with HANDOFF_FRESH while nobody has fetched it */
};

#define GPU_HANDOFF_INIT                                                                                     \
	{                                                                                                    \
		.back = 0, .front = 1, .middle = 2                                                           \
	}

/* Writer: slot h->back is complete; afterwards h->back is another one. */
static inline void gpu_handoff_give(struct gpu_handoff *h)
{
	h->back = atomic_exchange_explicit(&h->middle, h->back | HANDOFF_FRESH, memory_order_acq_rel) &
		  HANDOFF_SLOT;
}

/* Reader: true when h->front is a new slot; no system call either way. */
static inline bool gpu_handoff_fetch(struct gpu_handoff *h)
{
	if (!(atomic_load_explicit(&h->middle, memory_order_relaxed) & HANDOFF_FRESH))
		return false;
	h->front = atomic_exchange_explicit(&h->middle, h->front, memory_order_acq_rel) & HANDOFF_SLOT;
	return true;
}

#endif
