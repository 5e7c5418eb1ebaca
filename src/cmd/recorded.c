/* SPDX-License-Identifier: MIT */
/* The words of report and compare about files that are damaged or no recordings. Knows no verdicts. */
#include "cmd/recorded.h"

#include <inttypes.h>
#include <string.h>

#include "base/msg.h"

struct recording *recorded_open(const char *file, const struct log_request *how)
{
	char why[CSV_WHY_MAX];
	struct recording *r;

	if (recording_open(&r, file, how, why) == 0)
		return r;
	warn("%s: %s", file, why);
	return NULL;
}

void recorded_tell(const char *file, const struct recording *r, int err)
{
	const struct csv_reader_damage *d = recording_damage(r);
	const char *text;

	if (err)
		warn("%s: %s; judged as far as it could be read", file, strerror(-err));
	if (d->rows > 0)
		warn("%s: %" PRIu64 " damaged row%s skipped, the first in line %" PRIu64 ": %s", file,
		     d->rows, d->rows == 1 ? "" : "s", d->first_line, d->what);
	for (int i = 0; (text = recording_note(r, i)); i++)
		note("%s: %s", file, text);
}
