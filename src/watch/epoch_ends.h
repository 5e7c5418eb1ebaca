/* SPDX-License-Identifier: MIT */
/* When the last epochs ended. Pure. */
#ifndef WATCH_EPOCH_ENDS_H
#define WATCH_EPOCH_ENDS_H

#include <stdbool.h>
#include <stdint.h>

struct epoch_end {
	int64_t epoch, time_ns;
};

#ifndef EPOCH_ENDS
#define EPOCH_ENDS 64
#endif

struct epoch_ends {
	struct epoch_end ring[EPOCH_ENDS];
	int64_t n; /* seen, of which the last ones are remembered */
};

void epoch_ends_add(struct epoch_ends *e, int64_t epoch, int64_t time_ns);

/* Epochs finished at the last end; -1 before the first. */
int64_t epoch_ends_now(const struct epoch_ends *e);
/* Epochs finished at that moment, as far back as is remembered; -1 further back. */
int64_t epoch_ends_at(const struct epoch_ends *e, int64_t time_ns);
/* How long an epoch takes; 0 unknown. */
int64_t epoch_ends_length_ns(const struct epoch_ends *e);

/* For what takes long: true once in an epoch (-1 unknown) and not twice in a second, which goes into last; time_ns 0: never
 * yet. */
bool epoch_end_is_next(struct epoch_end *last, int64_t epoch, int64_t now_ns);

#endif
