/* SPDX-License-Identifier: MIT */
/* The options, what each value means and what is wrong with a bad one. */
#include "options/rows.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "epochs/regex.h"
#include "report/file.h"
#include "verdict/gate.h"
#include "verdict/judge.h"

#define INTERVAL_MIN_NS (INT64_C(1) * NS_PER_MS)
/* The process list takes the driver's lock: at 40 Hz the GPU program itself stalls (MangoHud#2104). */
#define GPU_INTERVAL_MIN_NS (INT64_C(100) * NS_PER_MS)
#define INTERVAL_MAX_NS     (3600 * NS_PER_S)

/* Digits and nothing else: strtol() would take a blank or a sign before them. -1: it is none, or too large. */
static long whole_number(const char *value)
{
	long n;

	if (!*value || value[strspn(value, "0123456789")])
		return -1;
	errno = 0;
	n = strtol(value, NULL, 10);
	return errno || n > INT_MAX ? -1 : n;
}

static void apply_pid(struct options *o, const char *value)
{
	long pid = whole_number(value);

	if (pid <= 0)
		die("--pid: '%s' is not a process number", value);
	for (size_t i = 0; i < o->pid_count; i++)
		if (o->pids[i] == pid) {
			warn("--pid: %ld is given twice, and watched once", pid);
			return;
		}
	o->pids[o->pid_count++] = (pid_t)pid;
}

static int64_t duration_or_die(const char *option, const char *value, const char *examples)
{
	int64_t ns = 0;

	if (units_parse_duration(value, &ns) != 0)
		die("%s: '%s' is not a duration (examples: %s)", option, value, examples);
	return ns;
}

static void apply_interval(struct options *o, const char *value)
{
	o->interval_ns = duration_or_die("--interval", value, "250ms, 1s, 1m");
	if (o->interval_ns < INTERVAL_MIN_NS || o->interval_ns > INTERVAL_MAX_NS)
		die("--interval: '%s' is out of range (1ms to 1h)", value);
}

static void apply_duration(struct options *o, const char *value)
{
	o->duration_ns = duration_or_die("--duration", value, "30s, 10m, 2h");
	if (o->duration_ns <= 0)
		die("--duration: '%s' is out of range (more than 0)", value);
}

static void apply_output(struct options *o, const char *value)
{
	/* The same to a person: COMMAND's own standard output must make way for it. */
	o->output = strcmp(value, "/dev/stdout") == 0 ? "-" : value;
}

static void apply_report(struct options *o, const char *value)
{
	if (!report_file_known(value))
		die("--report: '%s' does not end in .txt, .json, .md, .html, .svg, .png or .pdf", value);
	o->reports[o->report_count++] = value;
}

/* "regression", "regression:20MiB", "regression:5%", len bytes of it. False: something else. */
static bool take_regression(struct options *o, const char *value, size_t len)
{
	static const char name[] = "regression";
	char text[24];
	uint64_t bytes;
	double share;
	char after;

	if (strncmp(value, name, sizeof(name) - 1) != 0 ||
	    (len > sizeof(name) - 1 && value[sizeof(name) - 1] != ':'))
		return false;
	o->fail_on_regression = true;
	if (len == sizeof(name) - 1)
		return true;
	snprintf(text, sizeof(text), "%.*s", (int)(len - sizeof(name)), value + sizeof(name));
	if (sscanf(text, "%lf%%%c", &share, &after) == 1 && text[strlen(text) - 1] == '%' && share >= 0 &&
	    isfinite(share))
		o->regression.share = share / 100;
	else if (units_parse_size(text, &bytes) == 0)
		o->regression.bytes = (double)bytes;
	else
		die("--fail-on: '%.*s': '%s' is neither a size nor a percentage (examples: 20MiB, 5%%)",
		    (int)len, value, text);
	return true;
}

static const struct {
	const char *name;
	enum fail_on bit;
} fail_on_names[] = {{"growth", FAIL_ON_GROWTH}, {"limit", FAIL_ON_LIMIT}, {"retained", FAIL_ON_RETAINED}};

enum { FAIL_ON_NAMES = sizeof(fail_on_names) / sizeof(fail_on_names[0]) };

static void apply_fail_on(struct options *o, const char *value)
{
	bool compare = o->command == COMMAND_COMPARE;

	do {
		size_t len = strcspn(value, ","), i = 0;

		while (i < FAIL_ON_NAMES && (strlen(fail_on_names[i].name) != len ||
					     strncmp(value, fail_on_names[i].name, len) != 0))
			i++;
		if (compare ? !take_regression(o, value, len) : i == FAIL_ON_NAMES)
			die("--fail-on: '%.*s' is %s", (int)len, value,
			    compare ? "not regression, regression:SIZE or regression:PERCENT%"
				    : "none of growth, limit, retained");
		if (!compare)
			o->fail_on |= fail_on_names[i].bit;
		value += len;
	} while (*value++ == ',');
}

static void apply_limit(struct options *o, const char *value)
{
	if (units_parse_size(value, &o->limit_bytes) != 0 || o->limit_bytes == 0)
		die("--limit: '%s' is not a size (examples: 512M, 24GiB)", value);
}

static void apply_on_growth(struct options *o, const char *value)
{
	o->on_growth = value;
}

static void apply_until_verdict(struct options *o, const char *value)
{
	(void)value;
	o->until_verdict = true;
}

static void apply_explain(struct options *o, const char *value)
{
	(void)value;
	o->explain = true;
}

static void apply_time_col(struct options *o, const char *value)
{
	o->log.choice.time = value;
}

static void apply_value_col(struct options *o, const char *value)
{
	o->log.choice.value = value;
}

static void apply_unit(struct options *o, const char *value)
{
	char one[16];

	snprintf(one, sizeof(one), "1%s", value);
	if (strlen(value) + 2 > sizeof(one) || strcspn(value, " -+.,0123456789") != strlen(value) ||
	    log_amount(one, 1, &o->log.choice.unit) != CELL_FIGURE)
		die("--unit: '%s' is none of B, KiB, MiB, GiB, TiB, kB, MB, GB, TB", value);
}

static void apply_against(struct options *o, const char *value)
{
	(void)value;
	o->against = true;
}

static void apply_run(struct options *o, const char *value)
{
	o->runs[o->run_count++] = value;
}

static void apply_times(struct options *o, const char *value)
{
	long n = whole_number(value);

	if (n < 1 || n > TIMES_MAX)
		die("--times: '%s' is not a number from 1 to %d", value, TIMES_MAX);
	o->times = (int)n;
}

static void apply_epochs_table(struct options *o, const char *value)
{
	(void)value;
	if (!o->epochs_table)
		o->epochs_table = EPOCHS_AS_TEXT;
}

static void apply_csv(struct options *o, const char *value)
{
	(void)value;
	o->epochs_table = EPOCHS_AS_CSV;
}

static void apply_markdown(struct options *o, const char *value)
{
	(void)value;
	if (o->epochs_table == EPOCHS_AS_CSV)
		die("--csv and --markdown exclude each other");
	o->epochs_table = EPOCHS_AS_MARKDOWN;
}

static void apply_until(struct options *o, const char *value)
{
	o->until_ms = duration_or_die("--until", value, "90, 1.5, 10m") / NS_PER_MS;
}

static void apply_json(struct options *o, const char *value)
{
	(void)value;
	o->json = true;
}

static void apply_epochs(struct options *o, const char *value)
{
	if (strcmp(value, "auto") == 0) {
		o->epochs = EPOCHS_AUTO;
	} else if (strcmp(value, "none") == 0) {
		o->epochs = EPOCHS_NONE;
	} else if (strncmp(value, "log:", 4) == 0 && value[4]) {
		o->epochs = EPOCHS_LOG;
		o->epochs_log = value + 4;
	} else if (strncmp(value, "every:", 6) == 0) {
		o->epochs = EPOCHS_EVERY;
		o->epochs_every_ns = duration_or_die("--epochs", value + 6, "every:30s, every:10m");
		if (o->epochs_every_ns < NS_PER_MS)
			die("--epochs: '%s' is out of range (at least every:1ms)", value);
	} else {
		die("--epochs: '%s' is none of auto, none, log:FILE, every:DURATION", value);
	}
}

static void apply_epoch_regex(struct options *o, const char *value)
{
	char why[128];

	if (epoch_regex_try(value, why, sizeof(why)) != 0)
		die("--epoch-regex: '%s': %s", value, why);
	o->epoch_regex = value;
}

static const char *const when_words[] = {
    [UNBUFFERED_AUTO] = "auto",
    [UNBUFFERED_ALWAYS] = "always",
    [UNBUFFERED_NEVER] = "never",
};

enum { WHEN_WORDS = sizeof(when_words) / sizeof(when_words[0]) };

static size_t when_of(const char *word)
{
	size_t i = 0;

	while (i < WHEN_WORDS && strcmp(word, when_words[i]) != 0)
		i++;
	return i;
}

bool option_is_when(const char *word)
{
	return when_of(word) < WHEN_WORDS;
}

static void apply_unbuffered(struct options *o, const char *value)
{
	if (!option_is_when(value))
		die("--unbuffered: '%s' is none of auto, always, never", value);
	o->unbuffered = (enum unbuffered)when_of(value);
}

static void apply_gpu(struct options *o, const char *value)
{
	const char *at = value;

	do {
		size_t len = strcspn(at, ",");

		if (len == 0)
			die("--gpu: '%s': an index or UUID is missing beside a comma", value);
		at += len;
	} while (*at++ == ',');
	o->gpu = value;
}

static void apply_gpu_interval(struct options *o, const char *value)
{
	o->gpu_interval_ns = duration_or_die("--gpu-interval", value, "500ms, 1s, 1m");
	if (o->gpu_interval_ns < GPU_INTERVAL_MIN_NS || o->gpu_interval_ns > INTERVAL_MAX_NS)
		die("--gpu-interval: '%s' is out of range (100ms to 1h)", value);
}

static void apply_force(struct options *o, const char *value)
{
	(void)value;
	o->force = true;
}

static void apply_no_children(struct options *o, const char *value)
{
	(void)value;
	o->no_children = true;
}

static void apply_no_keep(struct options *o, const char *value)
{
	(void)value;
	o->no_keep = true;
}

static void apply_live(struct options *o, const char *value)
{
	(void)value;
	o->live = LIVE_YES;
}

static void apply_no_live(struct options *o, const char *value)
{
	(void)value;
	if (o->live == LIVE_YES)
		die("--live and --no-live exclude each other");
	o->live = LIVE_NO;
}

static void apply_status(struct options *o, const char *value)
{
	(void)value;
	o->status = true;
}

static void apply_quiet(struct options *o, const char *value)
{
	(void)value;
	o->level = MSG_QUIET;
}

static void apply_verbose(struct options *o, const char *value)
{
	(void)value;
	if (o->level == MSG_QUIET)
		die("--quiet and --verbose exclude each other");
	o->level = MSG_VERBOSE;
}

static void apply_color(struct options *o, const char *value)
{
	if (strcmp(value, "auto") == 0)
		o->colour = MSG_COLOUR_AUTO;
	else if (strcmp(value, "always") == 0)
		o->colour = MSG_COLOUR_ALWAYS;
	else if (strcmp(value, "never") == 0)
		o->colour = MSG_COLOUR_NEVER;
	else
		die("--color: '%s' is none of auto, always, never", value);
}

static void apply_symbols(struct options *o, const char *value)
{
	static const char *const names[] = {[SYMBOLS_AUTO] = "auto",
					    [SYMBOLS_NONE] = "none",
					    [SYMBOLS_BRAILLE] = "braille",
					    [SYMBOLS_BLOCK] = "block",
					    [SYMBOLS_ASCII] = "ascii"};
	size_t i = 0;

	while (i < sizeof(names) / sizeof(names[0]) && strcmp(value, names[i]) != 0)
		i++;
	if (i == sizeof(names) / sizeof(names[0]))
		die("--symbols: '%s' is none of auto, braille, block, ascii, none", value);
	o->symbols = (enum symbols)i;
}

static void apply_help(struct options *o, const char *value)
{
	(void)value;
	o->command = COMMAND_HELP;
}

static void apply_version(struct options *o, const char *value)
{
	(void)value;
	o->command = COMMAND_VERSION;
}

enum { FLAG_MAX = 16 }; /* -q -q is no mistake */

const struct option_row option_rows[] = {
    {"p", "pid", "PID", PIDS_MAX, FOR_WATCH, apply_pid,
     "attach to this process and its descendants; may be repeated"},
    {"i", "interval", "DURATION", 1, FOR_WATCH | FOR_REPORT | FOR_COMPARE, apply_interval,
     "time between samples: 250ms, 1s, 1m; default 200ms"},
    {"o", "output", "FILE", 1, FOR_WATCH | FOR_COMPARE, apply_output,
     "write the samples as CSV; - is standard output; compare: a directory"},
    {"r", "report", "FILE", REPORTS_MAX, FOR_WATCH | FOR_REPORT | FOR_COMPARE, apply_report,
     "report: .txt .json .md .html .svg .png .pdf; - is text on stdout"},
    {NULL, "fail-on", "LIST", 1, FOR_WATCH | FOR_REPORT | FOR_COMPARE, apply_fail_on,
     "exit 3 on growth, limit, retained; compare: regression[:SIZE or %]"},
    {NULL, "limit", "SIZE", 1, FOR_WATCH | FOR_REPORT, apply_limit,
     "memory at which the run would be killed; default: as found"},
    {NULL, "on-growth", "COMMAND", 1, FOR_WATCH, apply_on_growth,
     "run once by sh -c when growth is established (MEMWATCH_*)"},
    {NULL, "until-verdict", NULL, FLAG_MAX, FOR_WATCH, apply_until_verdict,
     "stop watching as soon as every series has a firm verdict"},
    {NULL, "explain", NULL, FLAG_MAX, FOR_WATCH, apply_explain,
     "name what grows in a Python program, once it grows"},
    {"e", "epochs", "HOW", 1, FOR_WATCH, apply_epochs,
     "where epochs come from: auto, none, log:FILE, every:DURATION"},
    {NULL, "epoch-regex", "RE", 1, FOR_WATCH, apply_epoch_regex,
     "lines that match end or start an epoch; group 1 is its number"},
    {NULL, "unbuffered", "WHEN", 1, FOR_WATCH | BARE_ALWAYS, apply_unbuffered,
     "PYTHONUNBUFFERED=1 for COMMAND: auto, always (or no word), never"},
    {NULL, "gpu", "WHICH", 1, FOR_WATCH, apply_gpu,
     "GPUs to watch: auto, none, or a list of indices or UUIDs"},
    {NULL, "gpu-interval", "DURATION", 1, FOR_WATCH, apply_gpu_interval,
     "time between GPU samples; default 1s, at least 100ms"},
    {NULL, "live", NULL, FLAG_MAX, FOR_WATCH, apply_live,
     "full-screen view; by itself with --pid on a terminal"},
    {NULL, "no-live", NULL, FLAG_MAX, FOR_WATCH, apply_no_live, "no such view"},
    {NULL, "status", NULL, FLAG_MAX, FOR_WATCH, apply_status,
     "value, slope and verdict so far in the terminal's title"},
    {NULL, "force", NULL, FLAG_MAX, FOR_WATCH | FOR_REPORT | FOR_COMPARE, apply_force,
     "overwrite a file that memwatch did not write"},
    {NULL, "no-children", NULL, FLAG_MAX, FOR_WATCH, apply_no_children,
     "watch the process alone, not its descendants"},
    {NULL, "no-keep", NULL, FLAG_MAX, FOR_WATCH, apply_no_keep,
     "without -o: do not keep the samples for a later report"},
    {NULL, "duration", "DURATION", 1, FOR_WATCH, apply_duration, "stop watching after this time"},
    {NULL, "until", "SECONDS", 1, FOR_REPORT, apply_until, "judge the run as it stood at that moment"},
    {NULL, "value-col", "COLUMN", 1, FOR_REPORT | FOR_COMPARE, apply_value_col,
     "read any CSV: the column of the memory, by name or number"},
    {NULL, "time-col", "COLUMN", 1, FOR_REPORT | FOR_COMPARE, apply_time_col,
     "the column of the time, likewise"},
    {NULL, "unit", "UNIT", 1, FOR_REPORT | FOR_COMPARE, apply_unit,
     "the unit of that memory: B (default), KiB, MB, ..."},
    {NULL, "epochs-table", NULL, FLAG_MAX, FOR_REPORT, apply_epochs_table, "the table of epochs first"},
    {NULL, "csv", NULL, FLAG_MAX, FOR_REPORT, apply_csv, "the table of epochs of one FILE alone, as CSV"},
    {NULL, "markdown", NULL, FLAG_MAX, FOR_REPORT | FOR_COMPARE, apply_markdown,
     "the table of epochs first, or the comparison, as Markdown"},
    {NULL, "json", NULL, FLAG_MAX, FOR_REPORT | FOR_COMPARE | FOR_GPUS, apply_json,
     "JSON on standard output"},
    {NULL, "run", "COMMAND", RUNS_MAX, FOR_COMPARE, apply_run,
     "given twice: run both by sh -c, record and compare them"},
    {NULL, "times", "N", 1, FOR_COMPARE, apply_times, "run each so often, in turn; default 1"},
    {NULL, "against", NULL, 1, FOR_COMPARE, apply_against, "runs before it against those behind it"},
    {"q", "quiet", NULL, FLAG_MAX, FOR_ALL, apply_quiet, "say nothing but errors"},
    {"v", "verbose", NULL, FLAG_MAX, FOR_ALL, apply_verbose, "say more"},
    {NULL, "color", "WHEN", 1, FOR_ALL, apply_color, "colours on a terminal: auto, always, never"},
    {NULL, "symbols", "SYMBOLS", 1, FOR_WATCH | FOR_REPORT, apply_symbols,
     "charts: auto (on a terminal), braille, block, ascii, none"},
    {"h", "help", NULL, FLAG_MAX, FOR_ALL, apply_help, "show this help"},
    {NULL, "version", NULL, FLAG_MAX, FOR_ALL, apply_version, "show the version"},
};

const size_t option_rows_count = sizeof(option_rows) / sizeof(option_rows[0]);
