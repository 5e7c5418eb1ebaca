/* SPDX-License-Identifier: MIT */
/* When heaps are looked at within an epoch. Pure. */
#ifndef HOST_HEAP_LOOKS_H
#define HOST_HEAP_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

enum { HEAP_LOOKS_MAX = 16 };

struct heap_looks {
	int left;                  /* in this epoch */
	int64_t pause_ns, next_ns; /* between two; when the next one comes */
	int64_t cost_ns;           /* of the last one */
	int64_t spare_ns;          /* for those of this epoch */
	int64_t spent_ns;          /* since somebody took note of it */
};

void heap_looks_init(struct heap_looks *l);
/* All through the epoch that begins, as many as spare_ns pays for. epoch_ns: how long it will last. */
void heap_looks_plan(struct heap_looks *l, int64_t now_ns, int64_t epoch_ns, int64_t spare_ns);
bool heap_looks_are_due(const struct heap_looks *l, int64_t now_ns);
/* One begins; and it has ended, with whether there shall be others. */
void heap_looks_begin(struct heap_looks *l, int64_t now_ns);
void heap_looks_end(struct heap_looks *l, int64_t cpu_ns, bool go_on);

#endif
