/* SPDX-License-Identifier: MIT */
/* Counts epochs that end higher than the last one; whether that is growth only the judge knows. */
#include "watch/long_rise.h"

enum { RISE_BYTES = 4096 }; /* of each epoch, a page at least */

void long_rise_init(struct long_rise *r, struct judge *judge)
{
	*r = (struct long_rise){.judge = judge, .epoch = -1};
}

void long_rise_push(struct long_rise *r, const struct sample *s)
{
	struct reading held = judge_host_bytes(r->judge, s);

	if (s->epoch < 0 || s->epoch == r->epoch || !held.ok)
		return;
	r->epochs = r->epoch >= 0 && held.bytes >= r->level_bytes + RISE_BYTES ? r->epochs + 1 : 0;
	r->epoch = s->epoch;
	r->level_bytes = held.bytes;
}

/* What rises by pages may be nothing: the judge must think so, too. */
bool long_rise_counts(struct long_rise *r, const struct sample *s, int64_t now_ns)
{
	const struct run_verdict *run;

	if (r->epochs < LONG_RISE_EPOCHS || !epoch_end_is_next(&r->judged, s->epoch, now_ns))
		return false;
	run = judge_run(r->judge);
	for (int i = 0; i < run->n; i++)
		if (run->series[i].v.shape == SHAPE_GROWTH || run->series[i].v.rises)
			return true;
	return false;
}
