/* SPDX-License-Identifier: MIT */
/* An arena by all its blocks, which takes long and needs no list of it to hold still. A part of a walk (heap_walk.h). */
#ifndef HOST_HEAP_BLOCKS_H
#define HOST_HEAP_BLOCKS_H

#include "host/heap_walk.h"

struct heap_blocks_sum {
	uint64_t system_bytes, shared;
	struct heap_tally tally;
};

/* Counts one arena into sum, which is zeros before. HEAP_CHANGING where its blocks did not fit after all. */
enum heap_state heap_blocks_arena(struct heap_walk *w, struct heap_part *part, struct heap_blocks_sum *sum);

#endif
