/* SPDX-License-Identifier: MIT */
/* Answers, taken one by one: how long they took, the comparison they end, the names that are said. Asks nobody. */
#include "watch/names_answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/msg.h"

#define SHARE_FOUND 0.2 /* of the growth */

void names_answer_leave_round(struct watch_names *n, enum explain_left why)
{
	n->rounds -= n->in_round > 0;
	n->in_round = 0;
	n->found.left = why;
}

/* Said once, by the first that explains something. */
static void tell(struct watch_names *n)
{
	const struct run_verdict *run = judge_run(n->judge);
	struct named_growth named[NAMED_MAX];
	char line[SENTENCE_MAX];

	for (int i = 0; i < run->n && !n->told; i++) {
		const struct series_verdict *s = &run->series[i];

		if (explanation_named(&n->found, s, named) == 0)
			continue;
		note("%s: %s", s->name,
		     explanation_sentence(line, &named[0], explanation_per_epoch(&n->found, s)));
		n->told = true;
	}
}

/* Enough to stop asking: one name explains much of the growth, or is that of a graph, whose bytes Python does not tell. */
static bool found_enough(const struct watch_names *n)
{
	const struct run_verdict *run = judge_run(n->judge);
	struct named_growth named[NAMED_MAX];

	for (int i = 0; i < run->n; i++)
		if (explanation_named(&n->found, &run->series[i], named) > 0 &&
		    (named[0].what->graph || named[0].share >= SHARE_FOUND))
			return true;
	return false;
}

static void take_comparison(struct watch_names *n, const struct explain_answer *a)
{
	bool epochs = n->first.epoch >= 0 && n->last.epoch > n->first.epoch;

	n->found.growth = *a;
	n->found.epochs = epochs ? (double)(n->last.epoch - n->first.epoch) : 0;
	n->found.seconds = (double)(n->last.time_ns - n->first.time_ns) / (double)NS_PER_S;
	if (a->snapshots < NAMES_PER_ROUND)
		return;
	n->in_round = 0;
	tell(n);
	if (found_enough(n))
		n->rounds = NAMES_ROUNDS;
}

/* The process says when it was; one that cannot have been then was when it was asked. */
static void note_moment(struct watch_names *n, const struct explain_answer *a)
{
	bool possible = a->moment_ns >= n->asked_ns && a->moment_ns <= clock_mono_ns();
	int64_t time_ns = possible ? a->moment_ns : n->asked_ns;

	n->last = (struct epoch_end){epoch_ends_at(&n->ends, time_ns), time_ns};
	if (a->snapshots == 1)
		n->first = n->last;
}

/* It would be no better the next time. */
static void ask_no_more(struct watch_names *n)
{
	n->rounds = NAMES_ROUNDS;
	n->in_round = 0;
}

static void take_trouble(struct watch_names *n, const struct explain_answer *a)
{
	memcpy(n->found.trouble, a->failed[0] ? a->failed : a->refused, sizeof(n->found.trouble));
	ask_no_more(n);
}

static void take_count(struct watch_names *n, const struct explain_answer *a)
{
	n->counted = n->asked;
	n->budget.expected_ms = a->expected_ms;
	n->budget.spent_ms += a->worked_ms;
}

static void take_snapshot(struct watch_names *n, const struct explain_answer *a)
{
	struct explanation *e = &n->found;

	n->budget.expected_ms = a->worked_ms;
	n->budget.spent_ms += a->worked_ms;
	if (a->snapshots == 0) { /* the program ends */
		names_answer_leave_round(n, LEFT_BY_PROCESS);
		return;
	}
	e->snapshots++;
	e->total_ms += a->worked_ms;
	n->clear_from = n->ends.n > 0 ? n->ends.n + 1 : 0;
	e->objects = a->objects > e->objects ? a->objects : e->objects;
	e->longest_ms = a->took_ms > e->longest_ms ? a->took_ms : e->longest_ms;
	detail("--explain: a snapshot of %lld objects in process %d took %.3f s", (long long)a->objects,
	       (int)n->found.pid, (double)a->took_ms / MS_PER_S);
	note_moment(n, a);
	if (a->snapshots > 1)
		take_comparison(n, a);
}

/* NULL: it could not be read. */
static void take_answer(struct watch_names *n, char *text)
{
	struct explain_answer a;

	if (!text || explain_answer_parse(text, &a) != 0) {
		snprintf(n->found.trouble, sizeof(n->found.trouble), "the answer of process %d is damaged",
			 (int)n->asked);
		ask_no_more(n);
		return;
	}
	n->found.latest = a;
	if (n->question == ASKED_COUNTERS)
		return;
	if (a.failed[0] || a.refused[0])
		take_trouble(n, &a);
	else if (n->question == ASKED_COUNT)
		take_count(n, &a);
	else
		take_snapshot(n, &a);
}

void names_answer_hear(void *arg)
{
	struct watch_names *n = arg;
	char *text = NULL;

	if (explain_folder_answer(n->folder, n->asked, &text) == -ENOENT)
		return;
	if (n->asked)
		take_answer(n, text);
	free(text);
	n->asked = 0;
}
