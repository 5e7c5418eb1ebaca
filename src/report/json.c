/* SPDX-License-Identifier: MIT */
/* The report as JSON: the keys are a contract (memwatch(1)); unknown is null. Knows no files. */
#include "report/report.h"

#include <string.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "report/gpu.h"
#include "report/names.h"
#include "verdict/advice.h"
#include "verdict/forecast.h"
#include "verdict/sentences.h"

static void slopes(struct json_out *j, const struct verdict *v)
{
	json_real_if(j, "slope_bytes_per_epoch", v->slope_known && v->per_epoch, v->slope_bytes_per_epoch);
	json_real_if(j, "slope_bytes_per_s", v->slope_known, v->slope_bytes_per_s);
	json_real_if(j, "slope_low", v->slope_known, v->slope_low);
	json_real_if(j, "slope_high", v->slope_known, v->slope_high);
}

static void levels(struct json_out *j, const struct verdict *v)
{
	json_real(j, "jump_bytes", v->jump_bytes);
	json_real_if(j, "onset_s", v->onset_ms >= 0, (double)v->onset_ms / MS_PER_S);
	json_int_if(j, "onset_epoch", v->onset_epoch >= 0, v->onset_epoch);
	json_int(j, "first_bytes", (int64_t)v->first_bytes);
	json_int(j, "last_bytes", (int64_t)v->last_bytes);
	json_int(j, "peak_bytes", (int64_t)v->peak_bytes);
	json_int_if(j, "plateau_bytes", v->plateau_bytes > 0, (int64_t)v->plateau_bytes);
}

static void json_forecast(struct json_out *j, const struct series_verdict *s)
{
	json_int_if(j, "limit_bytes", s->limit_bytes > 0, (int64_t)s->limit_bytes);
	json_real_if(j, "full_in_s", s->full_in_s >= 0, s->full_in_s);
	json_real_if(j, "full_in_epochs", s->full_in_epochs >= 0, s->full_in_epochs);
	json_string(j, "outlook", forecast_outlook_name(s->end.outlook));
	json_int_if(j, "planned_epochs", s->end.epochs >= 0, s->end.epochs);
	json_real_if(j, "end_bytes", s->end.known, s->end.bytes);
	json_real_if(j, "end_low", s->end.known, s->end.low);
	json_real_if(j, "end_high", s->end.known, s->end.high);
}

static void advice(struct json_out *j, const struct run_verdict *run, int i)
{
	const char *lines[ADVICE_MAX];
	int n = advice_lines(run, i, lines);

	json_open(j, "advice", '[');
	for (int k = 0; k < n; k++)
		json_string(j, NULL, lines[k]);
	json_close(j, ']');
}

static void parts(struct json_out *j, const struct series_verdict *s)
{
	json_open(j, "parts", '[');
	for (int k = 0; k < s->n_parts; k++) {
		json_open(j, NULL, '{');
		json_string(j, "name", judge_part_name(s->parts[k].part));
		json_real(j, "slope", s->parts[k].slope);
		json_real(j, "share", s->parts[k].share);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void heap_part(struct json_out *j, const char *name, const struct heap_part *p, bool slope_known)
{
	json_open(j, name, '{');
	json_int(j, "first_bytes", (int64_t)p->first_bytes);
	json_int(j, "last_bytes", (int64_t)p->last_bytes);
	json_real_if(j, "slope_bytes_per_epoch", slope_known, p->slope);
	json_close(j, '}');
}

/* What the program has in malloc's heaps, what it freed there, what is elsewhere; left out where it is not known. */
static void heap(struct json_out *j, const struct heap_split *h)
{
	if (!h->known)
		return;
	json_open(j, "heap", '{');
	heap_part(j, "used", &h->used, h->slope_known);
	heap_part(j, "free", &h->unused, h->slope_known);
	heap_part(j, "outside", &h->outside, h->slope_known);
	json_close(j, '}');
}

static void series(struct json_out *j, const struct report_head *head, const struct run_verdict *run, int i)
{
	const struct series_verdict *s = &run->series[i];
	char reason[SENTENCE_MAX];

	json_open(j, NULL, '{');
	json_string(j, "name", s->name);
	json_string(j, "verdict", detector_shape_name(s->v.shape));
	json_bool(j, "firm", s->v.firm);
	slopes(j, &s->v);
	levels(j, &s->v);
	json_forecast(j, s);
	if (s->fits.bytes > 0) {
		json_real(j, "slope_bytes_per_fit", s->fits.bytes);
		json_real_if(j, "full_in_fits", s->full_in_fits >= 0, s->full_in_fits);
	}
	json_string(j, "reason", sentence_reason(reason, s, TENSE_ANY));
	advice(j, run, i);
	parts(j, s);
	heap(j, &s->heap);
	report_names_json(j, head, s);
	json_close(j, '}');
}

static void processes(struct json_out *j, const struct growth_place_findings *w)
{
	json_open(j, "processes", '[');
	for (int i = 0; i < w->n_processes; i++) {
		const struct growing_process *p = &w->processes[i];

		json_open(j, NULL, '{');
		json_int(j, "pid", p->pid);
		json_string(j, "name", p->name);
		json_bool(j, "main", p->root);
		json_int(j, "held_bytes", (int64_t)p->held_bytes);
		json_real(j, w->per_epoch ? "slope_bytes_per_epoch" : "slope_bytes_per_s", p->slope);
		json_real(j, "share", p->share);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void mappings(struct json_out *j, const struct growth_place_findings *w)
{
	json_open(j, "mappings", '[');
	for (int i = 0; i < w->n_mappings; i++) {
		json_open(j, NULL, '{');
		json_int(j, "pid", w->mappings_pid);
		json_string(j, "name", w->mappings[i].name);
		json_int(j, "held_bytes", (int64_t)w->mappings[i].bytes);
		json_int(j, "change_bytes", w->mappings[i].change);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* null: the kernel gives no account of it. */
static void pressure(struct json_out *j, const struct shortage *s)
{
	if (!s->known) {
		json_null(j, "pressure");
		return;
	}
	json_open(j, "pressure", '{');
	json_real_if(j, "since_s", s->found, (double)s->since_ms / MS_PER_S);
	json_int_if(j, "since_epoch", s->since_epoch >= 0, s->since_epoch);
	json_real_if(j, "until_s", s->until_ms >= 0, (double)s->until_ms / MS_PER_S);
	json_real(j, "stalled_share", s->stalled_share);
	json_real_if(j, "epoch_s_before", s->epoch_s_before >= 0, s->epoch_s_before);
	json_real_if(j, "epoch_s_after", s->epoch_s_after >= 0, s->epoch_s_after);
	json_real_if(j, "major_faults_per_s", s->faults_per_s >= 0, s->faults_per_s);
	json_int_if(j, "swapped_bytes", s->found, (int64_t)s->swapped_bytes);
	json_close(j, '}');
}

void report_json_run(struct json_out *j, const char *file, const struct report_head *head,
		     const struct run_verdict *run)
{
	json_open(j, NULL, '{');
	if (file)
		json_string(j, "file", file);
	else
		json_string(j, "memwatch", MEMWATCH_VERSION);
	if (head->tool)
		json_string(j, "tool", head->tool);
	json_string(j, "command", head->command);
	json_int_if(j, "pid", head->pid >= 0, head->pid);
	json_real(j, "duration_s", (double)run->duration_ms / MS_PER_S);
	json_int_if(j, "epochs", run->epochs >= 0, run->epochs);
	json_open(j, "series", '[');
	for (int i = 0; i < run->n; i++)
		series(j, head, run, i);
	json_close(j, ']');
	report_gpu_json(j, head);
	json_string(j, "verdict",
		    run->worst < 0 ? NULL : detector_shape_name(run->series[run->worst].v.shape));
	pressure(j, &run->shortage);
	if (head->heap_why && *head->heap_why)
		json_string(j, "heap_unknown", head->heap_why);
	if (head->from)
		epoch_source_json(j, head->from, head->fits);
	report_explain_json(j, head);
	if (head->where) {
		processes(j, head->where);
		mappings(j, head->where);
		json_int_if(j, "oom_kills", head->oom_kills >= 0, head->oom_kills);
	}
	json_close(j, '}');
}

bool report_json_wrote(const char *head)
{
	static const char sign[] = "{\"memwatch\":\"";

	return strncmp(head, sign, sizeof(sign) - 1) == 0;
}

void report_json(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	struct json_out j = {.f = out};

	report_json_run(&j, NULL, head, run);
	fputc('\n', out);
}
