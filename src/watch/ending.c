/* SPDX-License-Identifier: MIT */
/* The end of a run in words and files. Decides nothing. */
#include "watch/ending.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/filename.h"
#include "base/msg.h"
#include "base/outfile.h"
#include "base/status.h"
#include "base/units.h"
#include "report/file.h"

void ending_say(const struct report_head *head, const struct run_verdict *run)
{
	struct report_charts charts = report_charts_for(STDERR_FILENO, head->symbols);
	struct report_head bare = *head; /* the summary's first line is its title */
	char *text = NULL, *rest, *line;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	bare.title = NULL;
	bare.charts = &charts;
	report_text(f, &bare, run);
	fclose(f);
	for (rest = text; (line = strsep(&rest, "\n")) && rest;)
		say_plain(line);
	free(text);
}

static int expand(const char *pattern, pid_t pid, char **name)
{
	if (filename_expand(pattern, pid, name) == 0)
		return 0;
	warn("--report: '%s': a %% must be followed by p, h, r or %%", pattern);
	return -EINVAL;
}

/* COMMAND waits for its start and still has the streams that memwatch was given. */
bool ending_is_taken(const struct options *o, const char *option, const char *name, pid_t pid)
{
	const char *stream;

	if (strcmp(name, "-") == 0)
		return false;
	if (o->epochs_log && outfile_same(name, o->epochs_log)) {
		warn("%s: '%s' is the log that --epochs reads", option, name);
		return true;
	}
	stream = o->argv ? outfile_stream(name, pid) : NULL;
	if (!stream)
		stream = outfile_stream(name, 0);
	if (stream)
		warn("%s: '%s' is the file that %s goes to", option, name, stream);
	for (size_t i = 0; !stream && i < o->pid_count; i++) {
		stream = outfile_stream(name, o->pids[i]);
		if (stream)
			warn("%s: '%s' is the file that %s of process %d goes to", option, name, stream,
			     (int)o->pids[i]);
	}
	return stream;
}

int ending_check(const struct options *o, pid_t pid)
{
	char *names[REPORTS_MAX];
	size_t count = 0;
	int err = 0;

	while (!err && count < o->report_count) {
		err = expand(o->reports[count], pid, &names[count]);
		if (!err)
			err = report_file_check(names[count++], o->force);
	}
	if (!err)
		err = report_file_check_apart((const char *const *)names, count);
	while (count > 0)
		free(names[--count]);
	return err ? STATUS_OWN_FAILURE : 0;
}

static bool clashes(const struct options *o, const char *name, pid_t pid, const struct csv_writer *csv)
{
	bool same = csv && csv_writer_is(csv, name);

	if (same)
		warn("--report: '%s' is the file that the samples go to", name);
	return same || ending_is_taken(o, "--report", name, pid);
}

int ending_check_apart(const struct options *o, pid_t pid, const struct csv_writer *csv)
{
	for (size_t i = 0; i < o->report_count; i++) {
		bool clash;
		char *name;

		if (expand(o->reports[i], pid, &name) != 0)
			return STATUS_OWN_FAILURE;
		clash = clashes(o, name, pid, csv);
		free(name);
		if (clash)
			return STATUS_OWN_FAILURE;
	}
	return 0;
}

static int write_one(const char *pattern, bool force, const struct report_head *head,
		     const struct run_verdict *run)
{
	char *name;
	int err = expand(pattern, (pid_t)head->pid, &name);

	if (err)
		return err;
	err = report_file_write(name, force, head, run);
	if (!err)
		report_file_say_written(name);
	free(name);
	return err;
}

int ending_write(const struct options *o, const struct report_head *head, const struct run_verdict *run)
{
	int status = 0;

	for (size_t i = 0; i < o->report_count; i++)
		if (write_one(o->reports[i], o->force, head, run) != 0)
			status = STATUS_OWN_FAILURE;
	if (!msg_flush_stdout())
		status = STATUS_OWN_FAILURE;
	return status;
}

void ending_remember(struct ending_last *last, const struct sample *s)
{
	struct reading held = s->v[CH_HELD].ok ? s->v[CH_HELD] : s->v[CH_RSS];

	if (held.ok && held.bytes > 0)
		*last = (struct ending_last){held, s->v[CH_LIMIT], s->v[CH_AVAILABLE]};
}

static void put_last(FILE *out, const struct ending_last *l)
{
	char held[UNITS_TEXT_MAX], left[UNITS_TEXT_MAX], limit[UNITS_TEXT_MAX];

	if (!l->held.ok)
		return;
	fprintf(out, "  last sample: %s held%s%s%s%s\n", units_bytes(held, l->held.bytes),
		l->limit.ok ? " of a limit of " : "", l->limit.ok ? units_bytes(limit, l->limit.bytes) : "",
		l->available.ok ? "; the machine had left " : "",
		l->available.ok ? units_bytes(left, l->available.bytes) : "");
}

static void put_killed(FILE *out, const struct oom_kills *kills)
{
	switch (oom_answer(kills)) {
	case OOM_CGROUP:
		fputs("  killed by the kernel: the memory limit of its cgroup was reached\n", out);
		break;
	case OOM_MACHINE:
		fputs("  killed by SIGKILL while the kernel's out-of-memory killer was at work: "
		      "the machine ran out of memory\n",
		      out);
		break;
	case OOM_NO:
		fputs("  killed by SIGKILL, and not by the kernel's out-of-memory killer: somebody sent it\n",
		      out);
		break;
	case OOM_UNKNOWN:
		fputs(
		    "  killed by SIGKILL; whether by the kernel's out-of-memory killer cannot be read here\n",
		    out);
		break;
	}
}

/* A worker, say, while the run went on. Where the cgroup's own count is known, other kills on the machine were
 * others' business. False: nothing to tell. */
static bool put_others_killed(FILE *out, const struct oom_kills *kills, bool ended)
{
	bool here = kills->cgroup >= 0;
	int64_t n = here ? kills->cgroup : kills->machine;
	char count[UNITS_TEXT_MAX];

	if (n <= 0)
		return false;
	fprintf(out, "  the kernel's out-of-memory killer killed %s process%s %s%s\n",
		units_count(count, (uint64_t)n), n == 1 ? "" : "es",
		here ? "of its cgroup" : "on this machine meanwhile",
		ended  ? ": perhaps this one"
		: here ? ""
		       : "; whether of this run cannot be read here");
	return true;
}

void ending_put_oom(FILE *out, const struct oom_kills *kills, enum ending_fate fate,
		    const struct ending_last *last)
{
	bool told = fate == FATE_KILLED;

	if (told)
		put_killed(out, kills);
	else
		told = put_others_killed(out, kills, fate == FATE_ENDED);
	if (told && (fate == FATE_KILLED || fate == FATE_ENDED))
		put_last(out, last);
}

void ending_put_left(FILE *out, int64_t left)
{
	char count[UNITS_TEXT_MAX];

	if (left > 0)
		fprintf(out, "  %s process%s it started %s not ended with it\n",
			units_count(count, (uint64_t)left), left == 1 ? "" : "es",
			left == 1 ? "has" : "have");
}

bool ending_ran_out(const struct oom_kills *kills, enum ending_fate fate)
{
	return kills->cgroup > 0 || (fate == FATE_KILLED && oom_answer(kills) == OOM_MACHINE);
}
