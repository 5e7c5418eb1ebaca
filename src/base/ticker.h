/* SPDX-License-Identifier: MIT */
/* The schedule of samples. */
#ifndef BASE_TICKER_H
#define BASE_TICKER_H

#include <stdbool.h>
#include <stdint.h>

/* Absolute ticks: tick k is due at start + k * interval, however late the ones before it were served. */
struct ticker {
	int fd;          /* readable when a tick is due */
	uint64_t missed; /* ticks that became due while an earlier one was served */
};

/* The first tick is due one interval after start_ns (CLOCK_MONOTONIC). 0 or -errno. */
int ticker_open(struct ticker *t, int64_t start_ns, int64_t interval_ns);
void ticker_close(struct ticker *t);

/* Takes what is due: true for a tick to serve; ticks that were missed in between are counted and skipped. */
bool ticker_take(struct ticker *t);

#endif
