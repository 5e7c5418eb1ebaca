/* SPDX-License-Identifier: MIT */
/* Options that exclude each other, or mean nothing without another one: a word that would have no effect is refused, not
 * ignored. Knows no files. */
#include "options/checks.h"

#include <string.h>
#include <unistd.h>

bool options_report_to_stdout(const struct options *o)
{
	for (size_t i = 0; i < o->report_count; i++)
		if (strcmp(o->reports[i], "-") == 0)
			return true;
	return false;
}

static void check_watch(const struct options *o)
{
	if (o->argv && o->pid_count)
		die("--pid and a COMMAND ('%s') exclude each other", o->argv[0]);
	if (o->live == LIVE_YES && o->status)
		die("--live and --status exclude each other");
	if (!o->argv && !o->pid_count)
		die("nothing to watch: give --pid PID or -- COMMAND (see memwatch --help)");
	if (o->output && strcmp(o->output, "-") == 0 && options_report_to_stdout(o))
		die("--output - and --report - exclude each other");
	if (o->epoch_regex && (o->epochs == EPOCHS_NONE || o->epochs == EPOCHS_EVERY))
		die("--epoch-regex and --epochs %s exclude each other",
		    o->epochs == EPOCHS_NONE ? "none" : "every:DURATION");
	if (!o->argv && o->unbuffered != UNBUFFERED_AUTO)
		die("--unbuffered: goes with a COMMAND only");
	if (o->gpu && strcmp(o->gpu, "none") == 0 && o->gpu_interval_ns > 0)
		die("--gpu none and --gpu-interval exclude each other");
	for (size_t i = 0; i < o->pid_count; i++)
		if (o->pids[i] == getpid())
			die("--pid: %d is memwatch itself", (int)o->pids[i]);
}

static const char *table_option(enum epoch_table_form form)
{
	switch (form) {
	case EPOCHS_AS_CSV:
		return "--csv";
	case EPOCHS_AS_MARKDOWN:
		return "--markdown";
	default:
		return "--epochs-table";
	}
}

static void check_trial(const struct options *o)
{
	if (o->run_count != RUNS_MAX)
		die("--run: one command is BASE, a second --run is NEW");
	if (o->file_count > 0 || o->against)
		die("--run and %s exclude each other", o->against ? "--against" : o->files[0]);
	if (o->log.choice.value)
		die("--run and --value-col exclude each other");
}

static void check_compare(const struct options *o)
{
	for (size_t i = 0; i < o->file_count; i++)
		if (!*o->files[i])
			die("compare: the name of a FILE is empty");
	if (o->run_count > 0) {
		check_trial(o);
		return;
	}
	if (o->times > 0 || o->output)
		die("--%s: goes with --run only", o->times > 0 ? "times" : "output");
	if (o->against && (o->base_count == 0 || o->base_count == o->file_count))
		die("--against: files of one side go before it, those of the other behind it");
}

/* What comes by a pipe can be read once. */
static void check_files(const struct options *o)
{
	int pipes = 0;

	for (size_t i = 0; i < o->file_count; i++)
		pipes += strcmp(o->files[i], "-") == 0;
	if (pipes > 1)
		die("'-' is standard input, and can be given once");
}

/* What programs read is alone on standard output. */
static void check_stdout(const struct options *o)
{
	bool csv = o->epochs_table == EPOCHS_AS_CSV;

	if (o->json && o->epochs_table)
		die("--json and %s exclude each other", table_option(o->epochs_table));
	if ((o->json || csv) && options_report_to_stdout(o))
		die("--%s and --report - exclude each other", o->json ? "json" : "csv");
	if (csv && o->file_count > 1)
		die("--csv: '%s': the table is that of one FILE only", o->files[1]);
}

void options_check(const struct options *o)
{
	check_files(o);
	check_stdout(o);
	if (o->command == COMMAND_COMPARE)
		check_compare(o);
	if (o->command == COMMAND_WATCH)
		check_watch(o);
	if (o->command == COMMAND_MARK && o->file_count > 1)
		die("mark: '%s': one LABEL at most (see memwatch --help)", o->files[1]);
	if (o->command == COMMAND_MARK && o->file_count > 0 && !*o->files[0])
		die("mark: the LABEL is empty");
	if (o->command == COMMAND_GPUS && o->file_count > 0)
		die("gpus: '%s': takes no argument (see memwatch --help)", o->files[0]);
	if (o->command == COMMAND_HOOK && o->file_count > 0)
		die("hook: '%s': takes no argument (see memwatch --help)", o->files[0]);
	for (size_t i = 0; o->command == COMMAND_REPORT && i < o->file_count; i++)
		if (!*o->files[i])
			die("report: the name of a FILE is empty");
	if (!o->log.choice.value && (o->log.choice.time || o->log.choice.unit > 0))
		die("%s: which column holds the memory? (--value-col)",
		    o->log.choice.time ? "--time-col" : "--unit");
}
