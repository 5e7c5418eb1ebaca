/* SPDX-License-Identifier: MIT */
/* Reads all files, then compares the sides. What cannot be read makes the whole fail: a gate must not pass on it. */
#include "cmd/compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json_out.h"
#include "base/msg.h"
#include "base/status.h"
#include "base/xalloc.h"
#include "cmd/recorded.h"
#include "report/comparison.h"
#include "verdict/judge.h"

static int push_all(struct recording *r, struct judge *j, struct run_figures *figures)
{
	const struct sample *s;
	int rc;

	while ((rc = recording_next(r, &s)) > 0) {
		judge_push(j, s);
		run_figures_push(figures, s, judge_host_bytes(j, s));
	}
	return rc;
}

/* NULL, with the reason said, when there is nothing in it. */
static struct run_figures *load(const char *file, const char *called, const struct log_request *log)
{
	struct recording *r = recorded_open(file, called, log);
	struct run_figures *figures;
	const struct channel *channels;
	const struct run_verdict *run;
	struct judge *j;
	uint64_t lost;
	int err, n;

	if (!r)
		return NULL;
	channels = recording_channels(r, &n);
	figures = run_figures_new(channels, n);
	j = judge_new();
	judge_channels(j, channels, n);
	err = push_all(r, j, figures);
	lost = recording_damage(r)->rows;
	judge_lost(j, lost);
	run = judge_run(j);
	recorded_tell(called, r, err, run->n > 0 ? NULL : "no samples");
	if (run->n > 0) {
		run_figures_finish(figures, run, lost);
	} else {
		run_figures_free(figures);
		figures = NULL;
	}
	judge_free(j);
	recording_close(r);
	return figures;
}

struct outcome {
	bool regressed, unknown;
	struct json_out json;
};

static void put(const struct compare_request *q, const struct comparison_head *head,
		const struct comparison *c, bool part, struct outcome *o)
{
	o->regressed = o->regressed || head->regressed_count > 0;
	o->unknown = o->unknown || c->result == COMPARISON_UNKNOWN;
	if (q->json)
		comparison_json(&o->json, head, c, part);
	else if (q->markdown)
		comparison_markdown(stdout, head, c);
	else
		comparison_text(stdout, head, c);
}

static void compare_sides(const struct compare_request *q, const struct run_figures *const *runs, size_t base,
			  size_t new_from, size_t new_count, struct outcome *o)
{
	struct comparison *c = compare_runs(runs, (int)base, runs + new_from, (int)new_count);
	struct regressed_figure *regressed = xcalloc((size_t)c->n + 1, GATED_FIGURES * sizeof(*regressed));
	struct comparison_head head = {
	    .base = q->names ? q->names : q->files,
	    .new = q->names ? q->names + 1 : q->files + new_from,
	    .base_count = q->names ? 1 : (int)base,
	    .new_count = q->names ? 1 : (int)new_count,
	    .limit = &q->limit,
	    .regressed = regressed,
	    .regressed_count = compare_regressions(c, &q->limit, regressed),
	    .gated = q->fail_on_regression,
	};
	bool part = q->base_count == 0 && q->file_count > 2;

	if (part && new_from > 1 && !q->json)
		putchar('\n');
	put(q, &head, c, part, o);
	free(regressed);
	compare_free(c);
}

static void compare_all(const struct compare_request *q, const struct run_figures *const *runs,
			struct outcome *o)
{
	bool many = q->base_count == 0 && q->file_count > 2;

	o->json.f = stdout;
	if (q->json && many) {
		json_open(&o->json, NULL, '{');
		json_string(&o->json, "memwatch", MEMWATCH_VERSION);
		json_open(&o->json, "comparisons", '[');
	}
	if (q->base_count > 0)
		compare_sides(q, runs, q->base_count, q->base_count, q->file_count - q->base_count, o);
	for (size_t i = 1; q->base_count == 0 && i < q->file_count; i++)
		compare_sides(q, runs, 1, i, 1, o);
	if (q->json && many) {
		json_close(&o->json, ']');
		json_close(&o->json, '}');
	}
	if (q->json)
		putchar('\n');
}

/* A gate does not pass on what was not shown to be as good, nor is that a regression. */
static int gate_status(const struct outcome *o)
{
	if (o->regressed)
		return STATUS_FAIL_ON;
	if (!o->unknown)
		return 0;
	warn("--fail-on regression: cannot be told from so little");
	return STATUS_OWN_FAILURE;
}

int cmd_compare(const struct compare_request *q)
{
	struct run_figures **runs = xcalloc(q->file_count, sizeof(struct run_figures *));
	struct outcome o = {0};
	bool all = true;

	for (size_t i = 0; i < q->file_count; i++) {
		runs[i] = load(q->files[i], q->called ? q->called[i] : q->files[i], &q->log);
		all = all && runs[i];
	}
	if (all)
		compare_all(q, (const struct run_figures *const *)runs, &o);
	for (size_t i = 0; i < q->file_count; i++)
		run_figures_free(runs[i]);
	free(runs);
	if (!msg_flush_stdout() || !all)
		return STATUS_OWN_FAILURE;
	return q->fail_on_regression ? gate_status(&o) : 0;
}
