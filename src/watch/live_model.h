/* SPDX-License-Identifier: MIT */
/* What the live view shows of a watched run, taken at a rate that costs little. */
#ifndef WATCH_LIVE_MODEL_H
#define WATCH_LIVE_MODEL_H

#include "view/model.h"
#include "watch/watch.h"

struct live_model {
	struct view_model shown;
	int64_t judge_ns;     /* no judgement before */
	int room;             /* series there is memory for */
	struct history *held; /* what a paused view shows; NULL: the run's own */
};

/* The model as of now; the verdicts as of the last judgement that was due. */
void live_model_take(struct live_model *m, struct watch *w);
/* The verdicts are to be taken anew. */
void live_model_changed(struct live_model *m);
/* The model stays as it is, until the next live_model_take(). */
void live_model_hold(struct live_model *m);
void live_model_free(struct live_model *m);

#endif
