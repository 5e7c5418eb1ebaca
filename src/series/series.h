/* SPDX-License-Identifier: MIT */
/* Bounded history of one channel: one window per finished epoch (or span of time), joined in pairs when full,
 * so that a run of any length takes the same memory. */
#ifndef SERIES_SERIES_H
#define SERIES_SERIES_H

#include <stdint.h>

struct series; /* opaque; at most 16 KiB */

enum series_kind { SERIES_HOST, SERIES_GPU };

struct series *series_new(enum series_kind kind);
void series_free(struct series *s);

/* epoch: epochs finished so far, -1 before the first sign of one. Rows come in order of time. No
 * allocation. */
void series_push(struct series *s, int64_t elapsed_ms, int64_t epoch, uint64_t bytes);

/* The program was still being set up then: tells imports from a leak where epochs are not known. */
void series_set_up_until(struct series *s, int64_t elapsed_ms);

#endif
