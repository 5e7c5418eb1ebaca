/* SPDX-License-Identifier: MIT */
/* What attach and wrap do alike when the watching is over. */
#include "watch_end.h"

#include "ending.h"
#include "status.h"

static bool fails(const struct watch *w, const struct run_verdict *run, bool retained)
{
	unsigned fail_on = w->options->fail_on;

	return judge_fails(run, fail_on) || (retained && (fail_on & FAIL_ON_RETAINED));
}

/* With a COMMAND the status is that one's; memwatch's own trouble was said and stays out of it. */
static int status_of(const struct watch *w, bool failed, bool written)
{
	if (!w->options->argv && (!written || w->rows_lost))
		return STATUS_OWN_FAILURE;
	return failed ? STATUS_FAIL_ON : 0;
}

void watch_end_run(struct watch *w, const char *how, const struct oom *killed, struct watch_end *out)
{
	const struct run_verdict *run = judge_run(w->judge);
	struct where_findings where;
	struct epochs_found from;
	struct report_head head = {.command = w->command,
				   .pid = w->main_pid,
				   .where = &where,
				   .from = &from,
				   .fits = &w->epochs.fits,
				   .gpu = w->gpu.gpu,
				   .gpu_numbers = w->gpu.numbers};
	struct host_totals totals;
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
	};
	bool written, failed, retained = w->tree_gone && watch_gpu_say_retained(&w->gpu);

	where_find(w->where, &where);
	host_totals(w->host, &totals);
	end.processes_seen = totals.processes_seen;
	summary_say(&w->summary, &end);
	if (killed)
		ending_say_killed(killed, &w->last);
	watch_epochs_from(&w->epochs, run, &from);
	ending_say(&head, run);
	failed = fails(w, run, retained);
	written = ending_write(w->options, &head, run) == 0;
	out->driver_hangs = !watch_close(w);
	out->status = status_of(w, failed, written);
}
