/* SPDX-License-Identifier: MIT */
/* The file of --output: opened, written to, closed, and what is said of it. Whether watching goes on without its reader is
 * not decided here. */
#include "watch/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/filename.h"
#include "base/msg.h"
#include "base/outfile.h"
#include "base/status.h"
#include "base/units.h"
#include "command/launch.h"
#include "watch/ending.h"

static void tell_refusal(const char *name, int err)
{
	if (err == -EEXIST)
		warn("--output: '%s' holds something that is not a memwatch CSV (--force overwrites it)",
		     name);
	else if (err == -EWOULDBLOCK)
		warn("--output: another memwatch writes to '%s' (%%r or %%p in the name gives each its own)",
		     name);
	else if (err)
		warn("--output: cannot write '%s': %s", name, outfile_error(err));
}

static int open_csv(struct watch *w, const char *name)
{
	int err = -EBADF;

	if (ending_is_taken(w->options, "--output", name, w->main_pid))
		return STATUS_OWN_FAILURE;
	if (strcmp(name, "-") != 0 || !launch_std_fd_was_closed(STDOUT_FILENO))
		err = csv_writer_open(name, w->options->force, &w->csv);
	tell_refusal(name, err);
	return err ? STATUS_OWN_FAILURE : 0;
}

static int open_csv_pattern(struct watch *w, const char *pattern)
{
	char *name;
	int status;

	if (filename_expand(pattern, w->main_pid, &name) != 0) {
		warn("--output: '%s': a %% must be followed by p, h, r or %%", pattern);
		return STATUS_OWN_FAILURE;
	}
	status = open_csv(w, name);
	free(name);
	return status;
}

int watch_output_open(struct watch *w, pid_t main_pid)
{
	int status = ending_check(w->options, main_pid);

	w->main_pid = main_pid;
	if (status == 0 && w->options->output)
		status = open_csv_pattern(w, w->options->output);
	return status ? status : ending_check_apart(w->options, main_pid, w->csv);
}

static bool tell_trouble(struct watch *w)
{
	enum csv_trouble trouble = csv_writer_trouble(w->csv);

	if (trouble == CSV_FINE || w->csv_told)
		return true;
	w->csv_told = true;
	if (trouble == CSV_CANNOT_WRITE)
		warn("--output: cannot write '%s': %s; rows are lost, watching goes on", w->options->output,
		     strerror(csv_writer_error(w->csv)));
	return trouble != CSV_READER_GONE;
}

bool watch_output_row(struct watch *w)
{
	if (!w->csv)
		return true;
	csv_writer_row(w->csv, &w->sample);
	return tell_trouble(w);
}

static void tell_lost_rows(struct watch *w)
{
	enum csv_trouble trouble = w->csv ? csv_writer_trouble(w->csv) : CSV_FINE;
	char count[UNITS_TEXT_MAX];

	if (!w->csv || csv_writer_lost(w->csv) == 0 || trouble == CSV_READER_GONE || trouble == CSV_GIVEN_UP)
		return;
	w->rows_lost = true;
	warn("--output: %s row%s could not be written to '%s'", units_count(count, csv_writer_lost(w->csv)),
	     csv_writer_lost(w->csv) == 1 ? "" : "s", w->options->output);
}

void watch_output_close(struct watch *w)
{
	int err;

	if (w->csv && w->start_ns) /* rows may still wait for the GPU driver's answer */
		csv_writer_columns(w->csv, NULL, 0);
	tell_lost_rows(w);
	if (!w->start_ns)
		csv_writer_discard(w->csv);
	err = w->start_ns ? csv_writer_close(w->csv) : 0;
	w->rows_lost = w->rows_lost || err;
	if (err)
		warn("--output: '%s': %s", w->options->output, strerror(-err));
}
