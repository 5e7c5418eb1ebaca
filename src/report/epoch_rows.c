/* SPDX-License-Identifier: MIT */
/* Knows no form of file. */
#include "report/epoch_rows.h"

#include <inttypes.h>

static int64_t first_epoch(const struct history *h, int i)
{
	const struct history_span *spans = h->epochs.spans;

	return i > 0 ? spans[i - 1].epoch + 2 : spans[0].epoch / h->span_epochs * h->span_epochs + 1;
}

struct history_cell epoch_row_cell(const struct history *h, int from, int count, int track)
{
	struct history_cell all = *history_cell(&h->epochs, from, track);

	for (int i = from + 1; i < from + count; i++) {
		const struct history_cell *c = history_cell(&h->epochs, i, track);

		if (!history_known(c))
			continue;
		if (!history_known(&all))
			all.first = c->first;
		all.low = c->low < all.low ? c->low : all.low;
		all.high = c->high > all.high ? c->high : all.high;
		all.last = c->last;
	}
	return all;
}

void epoch_row(const struct history *h, int from, int count, struct epoch_row *out)
{
	const struct history_span *spans = h->epochs.spans;
	int before = from > count ? from - count : 0;
	struct history_cell last = epoch_row_cell(h, before, from > before ? from - before : 1, HISTORY_HELD);

	*out = (struct epoch_row){.first = first_epoch(h, from),
				  .last = spans[from + count - 1].epoch + 1,
				  .ms = spans[from + count].begin_ms - spans[from].begin_ms,
				  .held = epoch_row_cell(h, from, count, HISTORY_HELD),
				  .heap_used = epoch_row_cell(h, from, count, HISTORY_HEAP_USED),
				  .heap_free = epoch_row_cell(h, from, count, HISTORY_HEAP_FREE)};
	out->changes = from > 0 && history_known(&last) && history_known(&out->held);
	if (out->changes)
		out->change_bytes = (double)out->held.low - (double)last.low;
}

bool epoch_rows_have(const struct history *h, int track)
{
	for (int i = 0; i < history_epochs_ended(h); i++)
		if (history_known(history_cell(&h->epochs, i, track)))
			return true;
	return false;
}

char *epoch_row_name(char buf[EPOCH_ROW_NAME_MAX], const struct epoch_row *r)
{
	if (r->first < r->last)
		snprintf(buf, EPOCH_ROW_NAME_MAX, "%" PRId64 "-%" PRId64, r->first, r->last);
	else
		snprintf(buf, EPOCH_ROW_NAME_MAX, "%" PRId64, r->last);
	return buf;
}
