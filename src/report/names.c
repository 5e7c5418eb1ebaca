/* SPDX-License-Identifier: MIT */
/* Puts an explanation into reports; which names matter and their words are explain/explanation.c's. */
#include "report/names.h"

#include "base/json_out.h"
#include "base/plain_text.h"
#include "explain/explanation.h"

void report_names_effort(FILE *out, const struct report_head *head)
{
	char text[SENTENCE_MAX];

	if (head->names && explanation_effort(text, head->names)[0])
		plain_line(out, "  %s", text);
}

void report_names_text(FILE *out, const struct report_head *head, const struct series_verdict *s)
{
	const struct explanation *e = head->names;
	struct named_growth named[NAMED_MAX];
	int n = e ? explanation_named(e, s, named) : 0;
	char text[SENTENCE_MAX];

	for (int i = 0; i < n; i++)
		plain_line(out, "  %s", explanation_sentence(text, &named[i], explanation_per_epoch(e, s)));
}

void report_names_rest(FILE *out, const struct report_head *head, const struct run_verdict *run,
		       const struct series_verdict *s)
{
	char lines[EXPLANATION_LINES][SENTENCE_MAX];
	int n = head->names ? explanation_rest(head->names, run, s, lines) : 0;

	for (int i = 0; i < n; i++)
		plain_line(out, "  %s", lines[i]);
	if (s->kind == SERIES_HOST)
		report_names_effort(out, head);
}

static void put_name(struct json_out *j, const struct named_growth *n, bool per_epoch)
{
	const struct grown_name *g = n->what;

	json_open(j, NULL, '{');
	json_string(j, "name", g->name[0] ? g->name : NULL);
	json_string(j, "place", g->place[0] ? g->place : NULL);
	json_string(j, "kind", g->kind);
	json_string(j, "of", g->of);
	json_string(j, "detail", g->detail[0] ? g->detail : NULL);
	json_real_if(j, "per_epoch", per_epoch, n->count);
	json_real_if(j, "bytes_per_epoch", per_epoch, n->bytes);
	json_real_if(j, "bytes_per_s", !per_epoch, n->bytes / 60);
	json_string(j, "device", g->device[0] ? g->device : NULL);
	json_real_if(j, "share", n->share >= 0, n->share);
	json_bool(j, "graph", g->graph);
	json_real_if(j, "nodes_per_epoch", per_epoch && g->nodes > 0, n->nodes);
	json_close(j, '}');
}

void report_names_json(struct json_out *j, const struct report_head *head, const struct series_verdict *s)
{
	struct named_growth named[NAMED_MAX];
	int n;

	if (!head->names)
		return;
	n = explanation_named(head->names, s, named);
	json_open(j, "names", '[');
	for (int i = 0; i < n; i++)
		put_name(j, &named[i], explanation_per_epoch(head->names, s));
	json_close(j, ']');
}

static void put_types(struct json_out *j, const struct explain_answer *a)
{
	json_open(j, "types", '[');
	for (int i = 0; i < a->n_types; i++) {
		json_open(j, NULL, '{');
		json_string(j, "name", a->types[i].name);
		json_int(j, "more", a->types[i].count);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_pools(struct json_out *j, const struct explain_answer *a)
{
	json_open(j, "pools", '[');
	for (int i = 0; i < a->n_pools; i++) {
		const struct memory_pool *p = &a->pools[i];

		json_open(j, NULL, '{');
		json_string(j, "framework", p->framework);
		json_string(j, "device", p->device);
		json_int(j, "used_bytes", (int64_t)p->used_bytes);
		json_int_if(j, "reserved_bytes", p->reserved.ok, (int64_t)p->reserved.bytes);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void report_explain_json(struct json_out *j, const struct report_head *head)
{
	const struct explanation *e = head->names;

	if (!e)
		return;
	json_open(j, "explain", '{');
	json_bool(j, "reached", e->reached);
	json_int_if(j, "pid", e->pid > 0, e->pid);
	json_int(j, "snapshots", e->snapshots);
	json_int_if(j, "objects", e->snapshots > 0, e->objects);
	json_real_if(j, "longest_s", e->snapshots > 0, (double)e->longest_ms / 1000);
	json_real_if(j, "cpu_s", e->snapshots > 0, (double)e->total_ms / 1000);
	json_string(j, "trouble", e->trouble[0] ? e->trouble : NULL);
	put_types(j, &e->growth);
	put_pools(j, &e->latest);
	json_close(j, '}');
}
