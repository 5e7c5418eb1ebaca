/* SPDX-License-Identifier: MIT */
/* One row per option: from these come parsing, --help and the lists that the completions are checked
 * against. */
#ifndef OPTIONS_ROWS_H
#define OPTIONS_ROWS_H

#include "options/options.h"

enum {
	FOR_WATCH = 1 << COMMAND_WATCH,
	FOR_REPORT = 1 << COMMAND_REPORT,
	FOR_COMPARE = 1 << COMMAND_COMPARE,
	FOR_MARK = 1 << COMMAND_MARK,
	FOR_GPUS = 1 << COMMAND_GPUS,
	FOR_HOOK = 1 << COMMAND_HOOK,
	FOR_ALL = FOR_WATCH | FOR_REPORT | FOR_COMPARE | FOR_MARK | FOR_GPUS | FOR_HOOK,
	BARE_ALWAYS = 1 << 16, /* without a value it means always */
};

struct option_row {
	const char *short_name; /* one letter, NULL for none */
	const char *long_name;
	const char *value; /* what the help calls the value; NULL for a flag */
	int max;           /* how often it may be given */
	unsigned commands; /* FOR_ bits, BARE_ALWAYS */
	void (*apply)(struct options *o, const char *value); /* ends memwatch on a bad value; none is empty */
	const char *help;
};

extern const struct option_row option_rows[];
extern const size_t option_rows_count;

bool option_is_when(const char *word); /* auto, always or never */

#endif
