/* SPDX-License-Identifier: MIT */
/* What attach and wrap do alike when the watching is over. */
#include "watch/closing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "command/target.h"
#include "explain/hook.h"
#include "report/file.h"
#include "verdict/gate.h"
#include "watch/ending.h"

static bool fails(const struct watch *w, const struct run_verdict *run, bool retained)
{
	unsigned fail_on = w->options->fail_on;

	return gate_fails(run, fail_on) || (retained && (fail_on & FAIL_ON_RETAINED));
}

/* With a COMMAND the status is that one's; memwatch's own trouble was said and stays out of it. */
static int status_of(const struct watch *w, bool failed, bool written)
{
	if (!w->options->argv && (!written || w->rows_lost))
		return STATUS_OWN_FAILURE;
	return failed ? STATUS_FAIL_ON : 0;
}

static void say_summary(const struct watch *w, const char *how)
{
	struct host_totals totals;
	struct heap_facts heap;
	struct summary_end end = {
	    .command = w->command,
	    .others = w->others ? w->others : "",
	    .pid = w->main_pid,
	    .duration_ns = watch_elapsed_ns(w),
	    .interval_ns = w->options->interval_ns,
	    .missed = w->ticker.missed,
	    .how = how,
	    .stopped_by = w->options->argv ? w->stopped_by : NULL,
	    .stopped_ns = w->stopped_ns,
	    .unbuffered = w->unbuffered,
	    .kept = keeping_works(w->keeping),
	};

	heap_facts(w->heap, &heap);
	end.heap_walks = heap.walks;
	end.heap_cpu_ns = heap.cpu_ns;
	host_totals(w->host, &totals);
	end.processes_seen = totals.processes_seen;
	summary_say(&w->summary, &end);
}

/* The host's verdict comes first, if it has one. */
static const struct series_verdict *host_of(const struct run_verdict *run)
{
	return run->n > 0 && run->series[0].kind == SERIES_HOST ? &run->series[0] : NULL;
}

/* Attached to a Python that grows: who runs it again can have more. */
static void put_names_hint(FILE *out, const struct watch *w, const struct series_verdict *host)
{
	if (w->options->argv || w->names.folder || !host || host->v.shape != SHAPE_GROWTH ||
	    !strstr(w->command, "python"))
		return;
	fputs("  what grows can be named the next time: memwatch --explain -- COMMAND\n"
	      "  or by memwatch --explain --pid PID, if the script begins with these two lines:\n"
	      "    " HOOK_IMPORT "\n"
	      "    " HOOK_RUN "\n",
	      out);
}

/* What stands between title and epochs; to be freed. NULL: no memory for it. */
static char *put_notes(const struct watch *w, const struct oom_kills *kills, enum ending_fate fate,
		       const struct run_verdict *run)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	ending_put_oom(f, kills, fate, &w->last);
	ending_put_left(f, w->left);
	put_names_hint(f, w, host_of(run));
	fclose(f);
	return text;
}

/* What a report of a run needs, and where it is while it does. */
struct findings {
	struct growth_place_findings where;
	struct epochs_found from;
	struct heap_facts heap;
	char title[TARGET_COMMAND_MAX + 32];
};

static struct report_head head_of(struct watch *w, const struct run_verdict *run, struct findings *f)
{
	heap_facts(w->heap, &f->heap);
	growth_place_find(w->where, host_of(run), &f->where);
	watch_epochs_from(&w->epochs, run, &f->from);
	snprintf(f->title, sizeof(f->title), "%s (pid %d)", w->command, (int)w->main_pid);
	return (struct report_head){.command = w->command,
				    .pid = w->main_pid,
				    .title = f->title,
				    .history = w->history,
				    .symbols = w->options->symbols,
				    .where = &f->where,
				    .from = &f->from,
				    .fits = &w->epochs.fits,
				    .names = watch_names_found(&w->names),
				    .gpu = w->gpu.gpu,
				    .gpu_numbers = w->gpu.numbers,
				    .heap_why = f->heap.known ? NULL : f->heap.why,
				    .oom_kills = -1};
}

int watch_save_report(struct watch *w, const char *name)
{
	const struct run_verdict *run = judge_run(w->judge);
	struct findings found;
	struct report_head head = head_of(w, run, &found);

	head.ended = "still running";
	return report_file_write(name, false, &head, run);
}

/* Most of what grows on the host has a name. */
static bool is_named(const struct explanation *names, const struct series_verdict *host)
{
	struct named_growth named[NAMED_MAX];
	int n = names && host ? explanation_named(names, host, named) : 0;
	double share = 0;

	for (int i = 0; i < n; i++)
		share += named[i].share;
	return share >= 0.5;
}

void watch_end_run(struct watch *w, const char *how, enum ending_fate fate, struct watch_end *out)
{
	bool written, failed, retained = w->tree_gone && watch_gpu_say_retained(&w->gpu);
	const struct run_verdict *run;
	struct oom_kills kills;
	struct findings found;
	struct report_head head;
	char *notes;

	watch_names_finish(&w->names);
	oom_since(&w->oom, &kills);
	judge_ran_out(w->judge, ending_ran_out(&kills, fate));
	watch_epochs_end_fits(&w->epochs);
	judge_finished(w->judge, watch_epochs_finished(&w->epochs));
	run = judge_run(w->judge);
	if (is_named(watch_names_found(&w->names), host_of(run)))
		judge_named(w->judge);
	head = head_of(w, run, &found);
	head.ended = how;
	head.over = fate != FATE_RUNS;
	head.oom_kills = oom_count(&kills);
	head.notes = notes = put_notes(w, &kills, fate, run);
	say_summary(w, how);
	ending_say(&head, run);
	failed = fails(w, run, retained);
	written = ending_write(w->options, &head, run) == 0;
	free(notes);
	out->driver_hangs = !watch_close(w);
	out->status = status_of(w, failed, written);
}
