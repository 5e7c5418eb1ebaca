/* SPDX-License-Identifier: MIT */
/* Parse, run, and end as the command says: with a status or by a signal. */
#include <stdio.h>
#include <unistd.h>

#include "base/status.h"
#include "cmd/commands.h"
#include "cmd/compare.h"
#include "cmd/last_runs.h"
#include "cmd/trial.h"
#include "command/launch.h"
#include "command/signals.h"
#include "options/options.h"

static int end_by(int signo)
{
	signals_die_by(signo);
	return STATUS_SIGNAL + signo;
}

static int watch(const struct options *options)
{
	struct watch_end end;

	if (options->argv)
		cmd_wrap(options, &end);
	else
		cmd_attach(options, &end);
	if (end.signo)
		return end_by(end.signo);
	if (end.driver_hangs) /* exit() would wait for the driver's own destructors */
		_exit(end.status);
	return end.status;
}

static int report(const struct options *o)
{
	struct report_request q = {
	    .files = o->files,
	    .file_count = o->file_count,
	    .json = o->json,
	    .epochs_table = o->epochs_table,
	    .until_ms = o->until_ms,
	    .fail_on = o->fail_on,
	    .limit_bytes = o->limit_bytes,
	    .out = o->reports,
	    .out_count = o->report_count,
	    .force = o->force,
	    .symbols = o->symbols,
	    .log = o->log,
	};

	return cmd_report(&q);
}

static int trial(const struct options *o, const struct compare_request *how)
{
	struct trial_request q = {
	    .commands = {o->runs[0], o->runs[1]},
	    .times = o->times > 0 ? o->times : 1,
	    .interval_ns = o->interval_ns,
	    .keep = o->output,
	    .compare = *how,
	};
	int signo, status;

	q.compare.log.interval_ns = 0; /* it was for the samples, which have times */
	status = cmd_trial(&q, &signo);
	return signo ? end_by(signo) : status;
}

static int compare(const struct options *o)
{
	struct compare_request q = {
	    .files = o->files,
	    .file_count = o->file_count,
	    .base_count = o->base_count,
	    .json = o->json,
	    .markdown = o->epochs_table == EPOCHS_AS_MARKDOWN,
	    .out = o->reports,
	    .out_count = o->report_count,
	    .force = o->force,
	    .fail_on_regression = o->fail_on_regression,
	    .limit = o->regression,
	    .log = o->log,
	};

	return o->run_count ? trial(o, &q) : cmd_compare(&q);
}

/* Files that are not given are the runs kept last. */
static int completed(struct options *o, const char *command, size_t files, int (*run)(const struct options *))
{
	int status = o->run_count > 0 ? 0 : last_runs_complete(o, command, files);

	return status ? status : run(o);
}

int main(int argc, char **argv)
{
	static struct options options;

	launch_reserve_std_fds();
	options_parse(argc, argv, &options);
	msg_init(options.level, options.colour);
	switch (options.command) {
	case COMMAND_HELP:
		options_help();
		return msg_flush_stdout() ? 0 : STATUS_OWN_FAILURE;
	case COMMAND_VERSION:
		puts("memwatch " MEMWATCH_VERSION);
		return msg_flush_stdout() ? 0 : STATUS_OWN_FAILURE;
	case COMMAND_GPUS:
		return cmd_gpus(options.json);
	case COMMAND_HOOK:
		return cmd_hook();
	case COMMAND_MARK:
		return cmd_mark(options.file_count ? options.files[0] : NULL);
	case COMMAND_COMPARE:
		return completed(&options, "compare", 2, compare);
	case COMMAND_REPORT:
		return completed(&options, "report", 1, report);
	case COMMAND_WATCH:
		return watch(&options);
	}
	return 0;
}
