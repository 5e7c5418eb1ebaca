/* SPDX-License-Identifier: MIT */
/* --explain: memory that has risen for so many epochs that it may be asked what rises, before growth is firm. */
#ifndef WATCH_LONG_RISE_H
#define WATCH_LONG_RISE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sample.h"
#include "verdict/judge.h"
#include "watch/epoch_ends.h"

enum { LONG_RISE_EPOCHS = 10 }; /* in a row that are as good as firm growth */

struct long_rise {
	struct judge *judge;     /* borrowed */
	int64_t epoch;           /* the last whose level is known; -1 none */
	uint64_t level_bytes;    /* held then */
	int epochs;              /* in a row that ended higher */
	struct epoch_end judged; /* when the judge was last asked about them; time_ns 0 never */
};

void long_rise_init(struct long_rise *r, struct judge *judge);

/* Each row: the last one of an epoch that is heard of counts for it. */
void long_rise_push(struct long_rise *r, const struct sample *s);

/* It has risen long, and the judge thinks that this is something; he is asked once in an epoch at most. */
bool long_rise_counts(struct long_rise *r, const struct sample *s, int64_t now_ns);

#endif
