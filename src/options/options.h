/* SPDX-License-Identifier: MIT */
/* The command line as the rest of memwatch sees it. */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/msg.h"
#include "compare/gate.h"
#include "draw/canvas.h"
#include "record/log_reader.h"
#include "report/epoch_table.h"

enum command {
	COMMAND_WATCH,
	COMMAND_REPORT,
	COMMAND_COMPARE,
	COMMAND_MARK,
	COMMAND_GPUS,
	COMMAND_HOOK,
	COMMAND_HELP,
	COMMAND_VERSION
};

enum { PIDS_MAX = 256, REPORTS_MAX = 16, RUNS_MAX = 2, TIMES_MAX = 32 };

enum unbuffered { UNBUFFERED_AUTO, UNBUFFERED_ALWAYS, UNBUFFERED_NEVER };

enum live_when { LIVE_AUTO, LIVE_YES, LIVE_NO };

enum epochs_from { EPOCHS_AUTO, EPOCHS_NONE, EPOCHS_LOG, EPOCHS_EVERY };

struct options {
	enum command command;
	pid_t pids[PIDS_MAX]; /* attach: what to watch */
	size_t pid_count;
	char **argv;        /* wrap: COMMAND and its arguments, NULL-terminated, of main(); NULL: attach */
	const char **files; /* report: FILE..., borrowed strings */
	size_t file_count;
	bool against;
	const char *runs[RUNS_MAX]; /* compare --run: BASE and NEW, for sh -c */
	size_t run_count;
	int times;              /* compare --run; 0: not given */
	size_t base_count;      /* compare: files before --against; 0: not given */
	int64_t interval_ns;    /* report: of logs without times; 0: not given */
	struct log_request log; /* report: how logs of other tools are read */
	int64_t duration_ns;    /* 0: no end */
	const char *output; /* CSV file, "-" for standard output, NULL for none; % expansions not yet done */
	const char *reports[REPORTS_MAX]; /* -r; % expansions not yet done */
	size_t report_count;
	unsigned fail_on;        /* enum fail_on of verdict/gate.h, or-ed */
	bool fail_on_regression; /* compare */
	struct regression_limit regression;
	uint64_t limit_bytes;  /* --limit; 0: as found */
	const char *on_growth; /* command for sh -c; NULL for none */
	bool until_verdict;
	bool explain;
	enum epoch_table_form epochs_table;
	enum epochs_from epochs;
	const char *epochs_log;  /* --epochs log:FILE */
	int64_t epochs_every_ns; /* --epochs every:DURATION */
	const char *epoch_regex; /* NULL for none */
	enum unbuffered unbuffered;
	const char *gpu;         /* "auto", "none" or a list; NULL as "auto" */
	int64_t gpu_interval_ns; /* 0: the default */
	enum live_when live;
	bool status; /* the title of the terminal says how the run stands */
	bool force;
	bool no_children;
	bool no_keep;
	bool dashes; /* wrap: COMMAND came after "--" and cannot be meant for a command of memwatch */
	bool json;
	int64_t until_ms; /* report: judge the run as it stood then; -1: whole */
	enum msg_level level;
	enum msg_colour colour;
	enum symbols symbols;
};

/* Parses or ends memwatch with a message and status 125. The strings of argv are borrowed; the array of files
 * lives as long as memwatch does. */
void options_parse(int argc, char **argv, struct options *out);

void options_help(void); /* to standard output */

/* The subcommand that differs from the word by a slip of the fingers; NULL none. */
const char *options_command_like(const char *word);

#endif
