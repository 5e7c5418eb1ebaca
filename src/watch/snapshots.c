/* SPDX-License-Identifier: MIT */
/* Snapshots are taken in rounds, each of which ends in a comparison. Knows how long they took, the names that come of them, and
 * not when the next one is due. */
#include "watch/snapshots.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/msg.h"

#define SHARE_FOUND 0.2 /* of the growth */

void snapshots_init(struct snapshots *s, struct judge *judge, const struct epoch_ends *ends)
{
	*s = (struct snapshots){.judge = judge, .ends = ends};
}

bool snapshots_want_more(const struct snapshots *s)
{
	return s->found.snapshots < SNAPSHOT_ROUNDS * SNAPSHOTS_PER_ROUND &&
	       (s->in_round > 0 || s->rounds < SNAPSHOT_ROUNDS);
}

bool snapshots_afford(const struct snapshots *s, int64_t whole_ms)
{
	bool begun = s->in_round > 0;
	struct explain_moment m = {s->rounds - begun, s->in_round, SNAPSHOTS_PER_ROUND, whole_ms};

	return explain_budget_allows(&s->budget, &m);
}

void snapshots_asked(struct snapshots *s)
{
	s->found.left = LEFT_AT_END;
	s->rounds += s->in_round == 0;
	s->in_round++;
}

void snapshots_leave_round(struct snapshots *s, enum explain_left why)
{
	s->rounds -= s->in_round > 0;
	s->in_round = 0;
	s->found.left = why;
}

void snapshots_leave_for_cost(struct snapshots *s)
{
	s->found.dear_ms = s->budget.expected_ms;
	snapshots_leave_round(s, LEFT_FOR_COST);
}

/* Said once, by the first that explains something. */
static void tell(struct snapshots *s)
{
	const struct run_verdict *run = judge_run(s->judge);
	struct named_growth named[NAMED_MAX];
	char line[SENTENCE_MAX];

	for (int i = 0; i < run->n && !s->told; i++) {
		const struct series_verdict *series = &run->series[i];

		if (explanation_named(&s->found, series, named) == 0)
			continue;
		note("%s: %s", series->name,
		     explanation_sentence(line, &named[0], explanation_per_epoch(&s->found, series)));
		s->told = true;
	}
}

/* Enough to stop asking: one name explains much of the growth, or is that of a graph, whose bytes Python does not tell. */
static bool found_enough(const struct snapshots *s)
{
	const struct run_verdict *run = judge_run(s->judge);
	struct named_growth named[NAMED_MAX];

	for (int i = 0; i < run->n; i++)
		if (explanation_named(&s->found, &run->series[i], named) > 0 &&
		    (named[0].what->graph || named[0].share >= SHARE_FOUND))
			return true;
	return false;
}

static void take_comparison(struct snapshots *s, const struct explain_answer *a)
{
	bool epochs = s->first.epoch >= 0 && s->last.epoch > s->first.epoch;

	s->found.growth = *a;
	s->found.epochs = epochs ? (double)(s->last.epoch - s->first.epoch) : 0;
	s->found.seconds = (double)(s->last.time_ns - s->first.time_ns) / (double)NS_PER_S;
	if (a->snapshots < SNAPSHOTS_PER_ROUND)
		return;
	s->in_round = 0;
	tell(s);
	if (found_enough(s))
		s->rounds = SNAPSHOT_ROUNDS;
}

/* The process says when it was; one that cannot have been then was when it was asked. */
static void note_moment(struct snapshots *s, const struct question *q, const struct explain_answer *a,
			int64_t now_ns)
{
	bool possible = a->moment_ns >= q->asked_ns && a->moment_ns <= now_ns;
	int64_t time_ns = possible ? a->moment_ns : q->asked_ns;

	s->last = (struct epoch_end){epoch_ends_at(s->ends, time_ns), time_ns};
	if (a->snapshots == 1)
		s->first = s->last;
}

/* It would be no better the next time. */
static void ask_no_more(struct snapshots *s)
{
	s->rounds = SNAPSHOT_ROUNDS;
	s->in_round = 0;
}

static void take_trouble(struct snapshots *s, const struct explain_answer *a)
{
	memcpy(s->found.trouble, a->failed[0] ? a->failed : a->refused, sizeof(s->found.trouble));
	ask_no_more(s);
}

static void take_count(struct snapshots *s, const struct question *q, const struct explain_answer *a)
{
	s->counted = q->pid;
	s->budget.expected_ms = a->expected_ms;
	s->budget.spent_ms += a->worked_ms;
}

static void take_snapshot(struct snapshots *s, const struct question *q, const struct explain_answer *a,
			  int64_t now_ns)
{
	struct explanation *e = &s->found;

	s->budget.expected_ms = a->worked_ms;
	s->budget.spent_ms += a->worked_ms;
	if (a->snapshots == 0) { /* the program ends */
		snapshots_leave_round(s, LEFT_BY_PROCESS);
		return;
	}
	e->snapshots++;
	e->total_ms += a->worked_ms;
	s->clear_from = s->ends->n > 0 ? s->ends->n + 1 : 0;
	e->objects = a->objects > e->objects ? a->objects : e->objects;
	e->longest_ms = a->took_ms > e->longest_ms ? a->took_ms : e->longest_ms;
	detail("--explain: a snapshot of %lld objects in process %d took %.3f s", (long long)a->objects,
	       (int)q->pid, (double)a->took_ms / MS_PER_S);
	note_moment(s, q, a, now_ns);
	if (a->snapshots > 1)
		take_comparison(s, a);
}

void snapshots_take_answer(struct snapshots *s, const struct question *q, char *text, int64_t now_ns)
{
	struct explain_answer a;

	if (!text || explain_answer_parse(text, &a) != 0) {
		snprintf(s->found.trouble, sizeof(s->found.trouble), "the answer of process %d is damaged",
			 (int)q->pid);
		ask_no_more(s);
		return;
	}
	s->found.latest = a;
	if (q->kind == QUESTION_COUNTERS)
		return;
	if (a.failed[0] || a.refused[0])
		take_trouble(s, &a);
	else if (q->kind == QUESTION_COUNT)
		take_count(s, q, &a);
	else
		take_snapshot(s, q, &a, now_ns);
}

bool snapshots_disturb(const struct snapshots *s)
{
	return s->in_round > 0 || s->ends->n < s->clear_from;
}

const struct explanation *snapshots_explain(struct snapshots *s, bool wanted, const struct asked_process *who,
					    const struct question *q)
{
	s->found.wanted = wanted;
	s->found.reached = who->reached;
	s->found.mute = who->mute;
	s->found.pid = q->last;
	return &s->found;
}
