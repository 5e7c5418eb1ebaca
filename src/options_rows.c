/* SPDX-License-Identifier: MIT */
/* The options, what each value means and what is wrong with a bad one. */
#include "options_rows.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "report_file.h"
#include "units.h"

#define INTERVAL_MIN_NS (INT64_C(1) * NS_PER_MS)
#define INTERVAL_MAX_NS (3600 * NS_PER_S)

static void apply_pid(struct options *o, const char *value)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(value, &end, 10);
	if (errno || end == value || *end || pid <= 0 || pid > INT_MAX)
		die("--pid: '%s' is not a process number", value);
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
	if (!*value)
		die("--output: the file name is empty");
	o->output = value;
}

static void apply_report(struct options *o, const char *value)
{
	if (!report_file_known(value))
		die("--report: '%s' does not end in .txt or .json", value);
	o->reports[o->report_count++] = value;
}

static void apply_fail_on(struct options *o, const char *value)
{
	static const char *const names[] = {"growth", "limit", "retained", "regression"};
	enum { NAMES = sizeof(names) / sizeof(names[0]) };

	do {
		size_t len = strcspn(value, ","), i = 0;

		while (i < NAMES && (strlen(names[i]) != len || strncmp(value, names[i], len) != 0))
			i++;
		if (i == NAMES)
			die("--fail-on: '%.*s' is none of growth, limit, retained, regression", (int)len,
			    value);
		o->fail_on |= 1U << i;
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
	if (!*value)
		die("--on-growth: the command is empty");
	o->on_growth = value;
}

static void apply_until_verdict(struct options *o, const char *value)
{
	(void)value;
	o->until_verdict = true;
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

static void apply_quiet(struct options *o, const char *value)
{
	(void)value;
	o->level = MSG_QUIET;
}

static void apply_verbose(struct options *o, const char *value)
{
	(void)value;
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
    {"i", "interval", "DURATION", 1, FOR_WATCH, apply_interval,
     "time between samples: 250ms, 1s, 1m; default 200ms"},
    {"o", "output", "FILE", 1, FOR_WATCH, apply_output, "write the samples as CSV; - is standard output"},
    {"r", "report", "FILE", REPORTS_MAX, FOR_ALL, apply_report,
     "write the report: .txt or .json, - for text on standard output; may be repeated"},
    {NULL, "fail-on", "LIST", 1, FOR_ALL, apply_fail_on,
     "exit 3 when a series ends as one of growth, limit, retained"},
    {NULL, "limit", "SIZE", 1, FOR_ALL, apply_limit,
     "memory at which the run would be killed; default: the tightest limit found"},
    {NULL, "on-growth", "COMMAND", 1, FOR_WATCH, apply_on_growth,
     "run COMMAND once by sh -c when growth is established; MEMWATCH_* tells what is known"},
    {NULL, "until-verdict", NULL, FLAG_MAX, FOR_WATCH, apply_until_verdict,
     "stop watching as soon as every series has a firm verdict"},
    {NULL, "force", NULL, FLAG_MAX, FOR_WATCH, apply_force,
     "overwrite an output file that is not a memwatch CSV"},
    {NULL, "no-children", NULL, FLAG_MAX, FOR_WATCH, apply_no_children,
     "watch the process alone, not its descendants"},
    {NULL, "duration", "DURATION", 1, FOR_WATCH, apply_duration, "stop watching after this time"},
    {NULL, "until", "SECONDS", 1, FOR_REPORT, apply_until, "judge the run as it stood at that moment"},
    {NULL, "json", NULL, FLAG_MAX, FOR_REPORT, apply_json, "JSON on standard output"},
    {"q", "quiet", NULL, FLAG_MAX, FOR_ALL, apply_quiet, "say nothing but errors"},
    {"v", "verbose", NULL, FLAG_MAX, FOR_ALL, apply_verbose, "say more"},
    {NULL, "color", "WHEN", 1, FOR_ALL, apply_color, "colours on standard error: auto, always, never"},
    {"h", "help", NULL, FLAG_MAX, FOR_ALL, apply_help, "show this help"},
    {NULL, "version", NULL, FLAG_MAX, FOR_ALL, apply_version, "show the version"},
};

const size_t option_rows_count = sizeof(option_rows) / sizeof(option_rows[0]);
