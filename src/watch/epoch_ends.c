/* SPDX-License-Identifier: MIT */
/* The last ends of epochs, in a ring. */
#include "watch/epoch_ends.h"

#include "base/clock.h"

static const struct epoch_end *end_at(const struct epoch_ends *e, int64_t index)
{
	return &e->ring[index % EPOCH_ENDS];
}

/* The index of the first that is remembered. */
static int64_t oldest(const struct epoch_ends *e)
{
	return e->n > EPOCH_ENDS ? e->n - EPOCH_ENDS : 0;
}

void epoch_ends_add(struct epoch_ends *e, int64_t epoch, int64_t time_ns)
{
	e->ring[e->n++ % EPOCH_ENDS] = (struct epoch_end){epoch, time_ns};
}

int64_t epoch_ends_now(const struct epoch_ends *e)
{
	return e->n > 0 ? end_at(e, e->n - 1)->epoch : -1;
}

int64_t epoch_ends_at(const struct epoch_ends *e, int64_t time_ns)
{
	int64_t i = e->n;

	while (i > oldest(e) && end_at(e, i - 1)->time_ns > time_ns)
		i--;
	return i > oldest(e) ? end_at(e, i - 1)->epoch : -1;
}

int64_t epoch_ends_length_ns(const struct epoch_ends *e)
{
	const struct epoch_end *from, *to;

	if (e->n < 2)
		return 0;
	from = end_at(e, oldest(e));
	to = end_at(e, e->n - 1);
	return to->epoch > from->epoch ? (to->time_ns - from->time_ns) / (to->epoch - from->epoch) : 0;
}

bool epoch_end_is_next(struct epoch_end *last, int64_t epoch, int64_t now_ns)
{
	if (last->time_ns > 0 && ((epoch >= 0 && epoch == last->epoch) || now_ns - last->time_ns < NS_PER_S))
		return false;
	*last = (struct epoch_end){epoch, now_ns};
	return true;
}
