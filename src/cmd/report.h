/* SPDX-License-Identifier: MIT */
/* `memwatch report`: judges recorded runs. */
#ifndef CMD_REPORT_H
#define CMD_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/log_reader.h"
#include "report/epoch_table.h"

struct report_request {
	const char *const *files;
	size_t file_count;
	bool json;
	enum epoch_table_form epochs_table;
	int64_t until_ms;       /* -1: the whole run */
	unsigned fail_on;       /* enum fail_on of verdict/gate.h, or-ed */
	uint64_t limit_bytes;   /* --limit; 0: as recorded */
	const char *const *out; /* -r: files by suffix, "-" is text on standard output */
	size_t out_count;
	bool force; /* overwrite what is no report */
	struct log_request log;
};

/* Says everything itself. The exit status: 0, 3 (--fail-on), 125 (nothing could be read or written). */
int cmd_report(const struct report_request *q);

#endif
