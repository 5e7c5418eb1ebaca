/* SPDX-License-Identifier: MIT */
/* Bounded history of one channel: one window per finished epoch (or span of time), joined in pairs when full,
 * so that a run of any length takes the same memory. */
#ifndef SERIES_SERIES_H
#define SERIES_SERIES_H

#include <stdint.h>

struct series; /* opaque; at most 16 KiB */

enum series_kind {
	SERIES_HOST,
	SERIES_GPU,
	/* Parts of the host: one reading as each epoch ends, pushed as that epoch's. */
	SERIES_HEAP,    /* in use in the heaps */
	SERIES_OUTSIDE, /* what is outside of them, alone or with the former */
};

/* What the windows of a run are. */
enum basis {
	BASIS_EPOCHS,  /* epochs the program told of */
	BASIS_PERIOD,  /* a period found in the memory itself */
	BASIS_WINDOWS, /* equal windows of time */
};

struct series *series_new(enum series_kind kind);
void series_free(struct series *s);

/* epoch: epochs finished so far, -1 before the first sign of one. Rows come in order of time. No
 * allocation. */
void series_push(struct series *s, int64_t elapsed_ms, int64_t epoch, uint64_t bytes);

/* So many rows of the run could not be read. Where they are most of all, no verdict is firm: rows in another order than
 * that of time leave a few, and those may look flat. */
void series_lose(struct series *s, uint64_t rows);

/* The program was still being set up then: tells imports from a leak where epochs are not known. */
void series_set_up_until(struct series *s, int64_t elapsed_ms);

#endif
