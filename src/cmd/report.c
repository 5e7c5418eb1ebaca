/* SPDX-License-Identifier: MIT */
/* Reads each file, judges it, writes what was asked for. The verdict is the data here, so it goes to standard
 * output; what is wrong with a file goes to standard error. */
#include "cmd/commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/msg.h"
#include "base/plain_text.h"
#include "base/status.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cmd/recorded.h"
#include "compare/odd_one.h"
#include "report/file.h"
#include "report/markdown.h"
#include "report/report.h"
#include "verdict/gate.h"
#include "verdict/judge.h"
#include "verdict/sentences.h"

struct outcome {
	size_t unread; /* files that could not be judged: a gate must not pass on them */
	size_t judged;
	bool untimed; /* one at least has no times: --interval was for it */
	bool failed;  /* something --fail-on asks for was seen */
	bool cannot_write;
	enum shape worst;
	int worst_rank;
	double worst_slope;
	const char *worst_file;
	struct odd_candidate *candidates; /* several files: those judged, and their names */
	const char **candidate_files;
	struct json_out json; /* several files: one document */
};

/* Who is shown each row of a file. */
struct readers {
	struct judge *judge;
	struct history *history;
	struct epoch_table *table; /* NULL: none asked for */
	bool tabled;               /* it was written, with rows */
	struct recorded_epochs epochs;
};

/* Pushes the rows up to `until`. 0 or -errno: the file could not be read to its end. */
static int push_all(struct recording *r, struct readers *to, int64_t until_ms)
{
	const struct sample *s;
	int rc;

	while ((rc = recording_next(r, &s)) > 0) {
		struct reading held;

		if (until_ms >= 0 && s->elapsed_ms > until_ms)
			return 0;
		judge_push(to->judge, s);
		recorded_epochs_push(&to->epochs, s);
		held = judge_host_bytes(to->judge, s);
		history_push(to->history, s, held);
		if (to->table)
			epoch_table_push(to->table, s, held);
	}
	return rc;
}

/* "run.dat (mprof)"; the caller frees it. */
static char *title_of(const char *file, const char *tool)
{
	return tool ? xasprintf("%s (%s)", file, tool) : xstrdup(file);
}

/* Behind a table in Markdown the words are text, which Markdown is too. */
static void write_stdout(const struct report_request *q, const char *file, const struct report_head *head,
			 const struct run_verdict *run, bool tabled, struct outcome *o)
{
	bool many = q->file_count > 1;

	if (q->json && many)
		report_json_run(&o->json, file, head, run);
	else if (q->json)
		report_json(stdout, head, run);
	else if (many)
		report_text_line(stdout, head->title, run, head->over);
	else if (q->out_count == 0 && q->epochs_table == EPOCHS_AS_MARKDOWN && !tabled)
		report_markdown(stdout, head, run);
	else if (q->out_count == 0)
		report_file_write("-", false, head, run);
	if (many && q->epochs_table)
		putchar('\n'); /* the next table is a paragraph of its own */
}

/* Who reads along sees the verdict that goes into files, and so does who reads a log of what failed; standard output has what
 * was asked for. */
static void say_verdict(const struct report_request *q, const struct run_verdict *run, bool over)
{
	char line[SENTENCE_MAX];

	if (!q->json && report_file_none_shown(q->out, q->out_count) &&
	    (isatty(STDERR_FILENO) || gate_fails(run, q->fail_on)))
		note("%s", sentence_line(line, &run->series[run->worst], over ? TENSE_OVER : TENSE_NOW));
}

static void write_outputs(const struct report_request *q, const char *file, const char *tool,
			  const struct run_verdict *run, const struct readers *read, struct outcome *o)
{
	struct epochs_found from;
	char *title = title_of(file, tool);
	struct report_head head = {.pid = -1,
				   .title = title,
				   .tool = tool,
				   .from = &from,
				   .history = read->history,
				   .symbols = q->symbols,
				   .over = q->until_ms < 0};

	epoch_source_run(&from, run, &read->epochs);
	say_verdict(q, run, head.over);
	for (size_t i = 0; i < q->out_count; i++)
		if (report_file_write(q->out[i], q->force, &head, run) != 0)
			o->cannot_write = true;
		else
			report_file_say_written(q->out[i]);
	if (q->epochs_table != EPOCHS_AS_CSV)
		write_stdout(q, file, &head, run, read->tabled, o);
	free(title);
}

static struct odd_candidate candidate_of(const struct run_verdict *run)
{
	struct odd_candidate c = {.grows = run->series[run->worst].v.shape == SHAPE_GROWTH};

	for (int i = 0; i < run->n; i++) {
		const struct verdict *v = &run->series[i].v;
		bool host = strcmp(run->series[i].name, "host") == 0;

		c.levels[host ? ODD_HOST : ODD_GPUS] +=
		    (double)(v->plateau_bytes ? v->plateau_bytes : v->last_bytes);
	}
	return c;
}

/* Of two that grow, the faster. */
static bool is_worse(const struct verdict *v, const struct outcome *o)
{
	int rank = judge_rank(v);

	return rank > o->worst_rank ||
	       (rank == o->worst_rank && v->shape == SHAPE_GROWTH && v->slope_bytes_per_s > o->worst_slope);
}

static void take_outcome(const struct report_request *q, const char *file, const struct run_verdict *run,
			 struct outcome *o)
{
	const struct series_verdict *worst = &run->series[run->worst];

	o->candidate_files[o->judged] = file;
	o->candidates[o->judged] = candidate_of(run);
	o->failed = o->failed || gate_fails(run, q->fail_on);
	if (o->judged++ > 0 && !is_worse(&worst->v, o))
		return;
	o->worst_rank = judge_rank(&worst->v);
	o->worst_slope = worst->v.slope_bytes_per_s;
	o->worst = worst->v.shape;
	o->worst_file = file;
}

static struct epoch_table *open_table(const struct report_request *q, const char *file,
				      const struct channel *channels, int n)
{
	const char *title = q->file_count > 1 ? file : NULL;

	return q->epochs_table ? epoch_table_new(stdout, q->epochs_table, title, channels, n) : NULL;
}

/* Whether there is one. */
static bool close_table(const struct report_request *q, const char *file, struct epoch_table *table)
{
	bool filled = table && epoch_table_rows(table) > 0;

	if (!table)
		return false;
	epoch_table_end(table);
	if (!filled)
		warn("%s: no epoch was finished, so there is no table", file);
	else if (q->epochs_table != EPOCHS_AS_CSV)
		putchar('\n');
	epoch_table_free(table);
	return filled;
}

static void open_readers(const struct report_request *q, const char *file, const struct recording *r,
			 struct readers *to)
{
	int n;
	const struct channel *channels = recording_channels(r, &n);

	*to = (struct readers){.judge = judge_new(), .history = history_new(RECORDED_SPANS)};
	judge_channels(to->judge, channels, n);
	judge_limit(to->judge, q->limit_bytes);
	history_channels(to->history, channels, n);
	to->table = open_table(q, file, channels, n);
}

static void close_readers(struct readers *to)
{
	judge_free(to->judge);
	history_free(to->history);
}

/* Of several files one may have no times. */
static bool is_idle_interval(const struct report_request *q, const char *file, const struct recording *r)
{
	bool idle = q->log.interval_ns > 0 && q->file_count == 1 && recording_has_times(r);

	if (idle)
		recorded_refuse_interval(file);
	return idle;
}

static void judge_file(const struct report_request *q, const char *file, struct outcome *o)
{
	struct recording *r = recorded_open(file, file, &q->log);
	const struct run_verdict *run;
	struct readers to;
	const char *lacking;
	int err;

	if (!r || is_idle_interval(q, file, r)) {
		recording_close(r);
		o->unread++;
		return;
	}
	o->untimed = o->untimed || !recording_has_times(r);
	open_readers(q, file, r, &to);
	err = push_all(r, &to, q->until_ms);
	to.tabled = close_table(q, file, to.table);
	judge_lost(to.judge, recording_damage(r)->rows);
	run = judge_run(to.judge);
	lacking = run->n > 0 ? NULL : q->until_ms >= 0 ? "no samples up to that moment" : "no samples";
	recorded_tell(file, r, err, lacking);
	if (lacking) {
		o->unread++;
	} else {
		write_outputs(q, file, recording_tool(r), run, &to, o);
		take_outcome(q, file, run, o);
	}
	close_readers(&to);
	recording_close(r);
}

static void open_document(const struct report_request *q, struct outcome *o)
{
	o->json.f = stdout;
	if (!q->json || q->file_count < 2)
		return;
	json_open(&o->json, NULL, '{');
	json_string(&o->json, "memwatch", MEMWATCH_VERSION);
	json_open(&o->json, "runs", '[');
}

/* "rank3.csv grows, the others do not"; buf is of SENTENCE_MAX bytes. */
static const char *odd_words(const struct outcome *o, const struct odd_one *odd, char *buf)
{
	char level[UNITS_TEXT_MAX], from[UNITS_TEXT_MAX], to[UNITS_TEXT_MAX];

	if (odd->reason == ODD_GROWS)
		return "grows, the others do not";
	if (odd->reason == ODD_GROWS_NOT)
		return "does not grow, the others do";
	snprintf(buf, SENTENCE_MAX, "came to %s%s; the others lie between %s and %s",
		 units_bytes(level, (uint64_t)o->candidates[odd->which].levels[odd->place]),
		 odd->place == ODD_GPUS ? " on GPUs" : "", units_bytes(from, (uint64_t)odd->low),
		 units_bytes(to, (uint64_t)odd->high));
	return buf;
}

static void put_odd_one(const struct report_request *q, struct outcome *o)
{
	struct odd_one odd = odd_one_find(o->candidates, (int)o->judged);
	char words[SENTENCE_MAX];

	if (!q->json) {
		if (odd.reason != ODD_NONE)
			plain_line(stdout, "odd one out: %s %s", o->candidate_files[odd.which],
				   odd_words(o, &odd, words));
		return;
	}
	if (odd.reason == ODD_NONE) {
		json_null(&o->json, "odd_one_out");
		return;
	}
	json_open(&o->json, "odd_one_out", '{');
	json_string(&o->json, "file", o->candidate_files[odd.which]);
	json_string(&o->json, "reason", odd_words(o, &odd, words));
	json_close(&o->json, '}');
}

static void close_document(const struct report_request *q, struct outcome *o)
{
	const char *worst = o->judged ? detector_shape_name(o->worst) : NULL;

	if (q->file_count < 2)
		return;
	if (q->json) {
		json_close(&o->json, ']');
		json_string(&o->json, "verdict", worst);
		put_odd_one(q, o);
		json_close(&o->json, '}');
		putchar('\n');
	} else if (o->judged) {
		put_odd_one(q, o);
		plain_line(stdout, "worst: %s (%s)", worst, o->worst_file);
	}
}

static bool can_write(const struct report_request *q)
{
	for (size_t i = 0; i < q->out_count; i++) {
		if (q->file_count > 1 && strcmp(q->out[i], "-") != 0) {
			warn("--report: '%s' can hold the report of one FILE only", q->out[i]);
			return false;
		}
		if (report_file_check(q->out[i], q->force) != 0)
			return false;
	}
	return report_file_check_apart(q->out, q->out_count) == 0 &&
	       report_file_check_streams(q->out, q->out_count) == 0;
}

int cmd_report(const struct report_request *q)
{
	struct outcome o = {0};

	if (!can_write(q))
		return STATUS_OWN_FAILURE;
	o.candidates = xcalloc(q->file_count, sizeof(*o.candidates));
	o.candidate_files = xcalloc(q->file_count, sizeof(*o.candidate_files));
	open_document(q, &o);
	for (size_t i = 0; i < q->file_count; i++)
		judge_file(q, q->files[i], &o);
	close_document(q, &o);
	if (q->log.interval_ns > 0 && o.unread == 0 && !o.untimed) {
		recorded_refuse_interval("every FILE");
		o.unread = q->file_count;
	}
	free(o.candidates);
	free(o.candidate_files);
	if (!msg_flush_stdout() || o.cannot_write || o.unread > 0)
		return STATUS_OWN_FAILURE;
	return o.failed ? STATUS_FAIL_ON : 0;
}
