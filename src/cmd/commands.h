/* SPDX-License-Identifier: MIT */
/* The commands, for main(). Those that watch fill in how memwatch is to end; the others return the exit status. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/options.h"
#include "record/log_reader.h"
#include "report/epoch_table.h"
#include "watch/closing.h"

/* Attach to the processes of --pid until they have ended, --duration is over, or a signal asks for the end. */
void cmd_attach(const struct options *o, struct watch_end *end);

/* Run COMMAND and watch it to its end. */
void cmd_wrap(const struct options *o, struct watch_end *end);

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
	enum symbols symbols;
	struct log_request log;
};

/* Says everything itself. The exit status: 0, 3 (--fail-on), 125 (nothing could be read or written). */
int cmd_report(const struct report_request *q);

/* `memwatch mark [LABEL]`: marks an epoch's end (label NULL) or a named moment in the run that this command
 * was started from. Returns the exit status. A run that is over is no failure: scripts end after it. */
int cmd_mark(const char *label);

/* To standard output, as text or as one JSON object. An exit status: 0 also where there is no GPU. A driver
 * that hangs is told, and memwatch then ends at once. */
int cmd_gpus(bool json);

/* `memwatch hook`: the Python that lets a script be asked by --explain --pid; on a terminal, the lines that run it. Returns
 * the exit status. */
int cmd_hook(void);

#endif
