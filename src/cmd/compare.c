/* SPDX-License-Identifier: MIT */
/* Reads all files, then compares the sides. What cannot be read makes the whole fail: a gate must not pass on it. */
#include "cmd/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/status.h"
#include "base/xalloc.h"
#include "cmd/recorded.h"
#include "compare/sentence.h"
#include "report/file.h"
#include "series/history.h"
#include "verdict/judge.h"

/* One run as it was read: what it comes to and, for pictures, what it looked like. */
struct loaded {
	struct run_figures *figures; /* NULL: nothing is in it, which was said */
	struct history *history;
	bool has_times;
};

static int push_all(struct recording *r, struct judge *j, const struct loaded *to)
{
	const struct sample *s;
	int rc;

	while ((rc = recording_next(r, &s)) > 0) {
		struct reading host;

		judge_push(j, s);
		host = judge_host_bytes(j, s);
		run_figures_push(to->figures, s, host);
		history_push(to->history, s, host);
	}
	return rc;
}

static void unload(struct loaded *l)
{
	run_figures_free(l->figures);
	history_free(l->history);
	*l = (struct loaded){0};
}

/* One now and then is no news. */
static void tell_missed(const char *called, const struct run_figures *r)
{
	if (r->epochs > 0 && r->epochs_missed * 10 > r->epochs)
		note("%s: %" PRId64 " of %" PRId64
		     " epochs have no sample: they are too short for it; record with a shorter --interval",
		     called, r->epochs_missed, r->epochs);
}

static struct loaded load(const char *file, const char *called, const struct log_request *log)
{
	struct recording *r = recorded_open(file, called, log);
	struct loaded l = {0};
	const struct channel *channels;
	const struct run_verdict *run;
	struct judge *j;
	uint64_t lost;
	int err, n;

	if (!r)
		return l;
	channels = recording_channels(r, &n);
	l = (struct loaded){run_figures_new(channels, n), history_new(RECORDED_SPANS),
			    recording_has_times(r)};
	history_channels(l.history, channels, n);
	j = judge_new();
	judge_channels(j, channels, n);
	err = push_all(r, j, &l);
	lost = recording_damage(r)->rows;
	judge_lost(j, lost);
	run = judge_run(j);
	recorded_tell(called, r, err, run->n > 0 ? NULL : "no samples");
	if (run->n > 0) {
		run_figures_finish(l.figures, run, lost);
		tell_missed(called, l.figures);
	} else {
		unload(&l);
	}
	judge_free(j);
	recording_close(r);
	return l;
}

/* All that was compared; what lies in files is borrowed. */
struct outcome {
	const struct compare_request *q;
	const struct run_figures **figures;
	const struct history **histories;
	struct compared *all;
	int n;
};

static void compare_sides(struct outcome *o, size_t base, size_t new_from, size_t new_count)
{
	const struct compare_request *q = o->q;
	struct compared *to = &o->all[o->n++];

	to->c = compare_runs(o->figures, (int)base, o->figures + new_from, (int)new_count);
	to->regressed = xcalloc((size_t)to->c->n + 1, GATED_FIGURES * sizeof(*to->regressed));
	to->head = (struct comparison_head){
	    .base = q->names ? q->names : q->files,
	    .new = q->names ? q->names + 1 : q->files + new_from,
	    .base_count = q->names ? 1 : (int)base,
	    .new_count = q->names ? 1 : (int)new_count,
	    .limit = &q->limit,
	    .regressed = to->regressed,
	    .regressed_count = compare_regressions(to->c, &q->limit, to->regressed),
	    .gated = q->fail_on_regression,
	};
}

static void compare_all(struct outcome *o)
{
	const struct compare_request *q = o->q;

	if (q->base_count > 0)
		compare_sides(o, q->base_count, q->base_count, q->file_count - q->base_count);
	for (size_t i = 1; q->base_count == 0 && i < q->file_count; i++)
		compare_sides(o, 1, i, 1);
}

/* False: it could not be written, which was said. */
static bool write_file(const struct compare_request *q, const char *name, const struct comparison_report *r)
{
	if (comparison_file_write(name, q->force, r) != 0)
		return false;
	report_file_say_written(name);
	return true;
}

/* Who reads along sees what goes into files. */
static void say_sentences(const struct comparison_report *r)
{
	char sentence[SENTENCE_MAX];

	for (int i = 0; i < r->n; i++) {
		note("%s", compare_sentence(sentence, r->all[i].c));
		if (compare_doubt(sentence, r->all[i].c)[0])
			note("%s", sentence);
	}
}

static bool writes_files_only(const struct compare_request *q)
{
	return !q->json && !q->markdown && report_file_none_shown(q->out, q->out_count);
}

/* False: a file could not be written, which was said. */
static bool write_all(const struct compare_request *q, const struct comparison_report *r)
{
	bool all = true;

	if (q->json)
		comparison_json(stdout, r);
	else if (q->markdown)
		comparison_markdown(stdout, r);
	else if (q->out_count == 0)
		comparison_text(stdout, r);
	else if (writes_files_only(q) && isatty(STDERR_FILENO))
		say_sentences(r);
	for (size_t i = 0; i < q->out_count; i++)
		all = write_file(q, q->out[i], r) && all;
	return all;
}

/* A status that fails a build says why, also where all words went into files. */
static void say_regressions(const struct outcome *o)
{
	char words[SENTENCE_MAX];

	for (int i = 0; i < o->n; i++) {
		const struct comparison_head *head = &o->all[i].head;

		for (int k = 0; k < head->regressed_count; k++)
			note("regression: %s",
			     compare_regression(words, o->all[i].c, &head->regressed[k], head->limit));
	}
}

/* A gate does not pass on what was not shown to be as good, nor is that a regression. */
static int gate_status(const struct outcome *o)
{
	bool regressed = false, unknown = false;

	for (int i = 0; i < o->n; i++) {
		regressed = regressed || o->all[i].head.regressed_count > 0;
		unknown = unknown || o->all[i].c->result == COMPARISON_UNKNOWN;
	}
	if (regressed) {
		if (writes_files_only(o->q))
			say_regressions(o);
		return STATUS_FAIL_ON;
	}
	if (!unknown)
		return 0;
	warn("--fail-on regression: cannot be told from so little");
	return STATUS_OWN_FAILURE;
}

static int compare_loaded(const struct compare_request *q, const struct loaded *runs)
{
	struct outcome o = {.q = q,
			    .figures = xcalloc(q->file_count, sizeof(struct run_figures *)),
			    .histories = xcalloc(q->file_count, sizeof(struct history *)),
			    .all = xcalloc(q->file_count, sizeof(*o.all))};
	bool written;
	int status = 0;

	for (size_t i = 0; i < q->file_count; i++) {
		o.figures[i] = runs[i].figures;
		o.histories[i] = runs[i].history;
	}
	compare_all(&o);
	written = write_all(q, &(struct comparison_report){o.all, o.n, o.histories});
	if (!msg_flush_stdout() || !written)
		status = STATUS_OWN_FAILURE;
	else if (q->fail_on_regression)
		status = gate_status(&o);
	for (int i = 0; i < o.n; i++) {
		compare_free(o.all[i].c);
		free(o.all[i].regressed);
	}
	free(o.all);
	free(o.figures);
	free(o.histories);
	return status;
}

bool cmd_compare_can_write(const struct compare_request *q)
{
	for (size_t i = 0; i < q->out_count; i++)
		if (report_file_check(q->out[i], q->force) != 0)
			return false;
	return report_file_check_apart(q->out, q->out_count) == 0 &&
	       report_file_check_streams(q->out, q->out_count) == 0;
}

int cmd_compare(const struct compare_request *q)
{
	struct loaded *runs;
	int status = STATUS_OWN_FAILURE;
	bool all = true, timed = true;

	if (!cmd_compare_can_write(q))
		return STATUS_OWN_FAILURE;
	runs = xcalloc(q->file_count, sizeof(*runs));
	for (size_t i = 0; i < q->file_count; i++) {
		runs[i] = load(q->files[i], q->called ? q->called[i] : q->files[i], &q->log);
		all = all && runs[i].figures;
		timed = timed && runs[i].has_times;
	}
	if (all && timed && q->log.interval_ns > 0)
		recorded_refuse_interval("every FILE");
	else if (all)
		status = compare_loaded(q, runs);
	for (size_t i = 0; i < q->file_count; i++)
		unload(&runs[i]);
	free(runs);
	return status;
}
