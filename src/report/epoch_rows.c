/* SPDX-License-Identifier: MIT */
/* Knows no form of file. */
#include "report/epoch_rows.h"

#include <inttypes.h>

static int64_t first_epoch(const struct history *h, int i)
{
	const struct history_span *spans = h->epochs.spans;

	return i > 0 ? spans[i - 1].epoch + 2 : spans[0].epoch / h->span_epochs * h->span_epochs + 1;
}

void epoch_row(const struct history *h, int i, struct epoch_row *out)
{
	const struct history_table *t = &h->epochs;
	const struct history_cell *before = history_cell(t, i > 0 ? i - 1 : 0, HISTORY_HELD);

	*out = (struct epoch_row){.first = first_epoch(h, i),
				  .last = t->spans[i].epoch + 1,
				  .ms = t->spans[i + 1].begin_ms - t->spans[i].begin_ms,
				  .held = history_cell(t, i, HISTORY_HELD),
				  .heap_used = history_cell(t, i, HISTORY_HEAP_USED),
				  .heap_free = history_cell(t, i, HISTORY_HEAP_FREE)};
	out->changes = i > 0 && history_known(before) && history_known(out->held);
	if (out->changes)
		out->change_bytes = (double)out->held->low - (double)before->low;
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
