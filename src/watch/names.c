/* SPDX-License-Identifier: MIT */
/* Three snapshots at the ends of epochs, once there is growth; a second round of three, further apart, where the first
 * has found nothing. Knows no files and no words of reports. */
#include "watch/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/msg.h"

enum {
	RISES = 10,        /* epochs in a row that are as good as firm growth */
	RISE_BYTES = 4096, /* each by a page at least */
	ROUNDS = 2,
	PER_ROUND = 3,      /* snapshots: at most six in all */
	EPOCHS_APART = 2,   /* so that one that comes a little early still sees growth */
	FURTHER = 3,        /* times as far apart in the second round */
	COUNTERS_FIRST = 2, /* epochs before a framework's counters are asked for */
};
#define ANSWER_WAIT_NS    (30 * NS_PER_S)
#define TIME_APART_NS     (10 * NS_PER_S)
#define SHORTEST_APART_NS (NS_PER_S / 2)
#define SHARE_FOUND       0.2
#define SHARE_MOST        0.5

static void on_answer(void *arg);

static void begin(struct watch_names *n, const struct host *host, struct judge *judge,
		  const struct growth_place *where)
{
	*n = (struct watch_names){.host = host,
				  .judge = judge,
				  .where = where,
				  .begun_ns = clock_mono_ns(),
				  .rise_epoch = -1,
				  .count_epoch = COUNTERS_FIRST};
}

static void await_answers(struct watch_names *n, struct loop *loop)
{
	n->loop = loop;
	if (explain_folder_fd(n->folder) >= 0)
		loop_add(loop, explain_folder_fd(n->folder), on_answer, n);
}

void watch_names_open(struct watch_names *n, struct loop *loop, const struct host *host, struct judge *judge,
		      const struct growth_place *where)
{
	int err;

	begin(n, host, judge, where);
	err = explain_folder_open(&n->folder);
	if (!err) {
		await_answers(n, loop);
		return;
	}
	n->folder = NULL;
	warn("--explain: no private folder can be made (%s): the run goes on without names", strerror(-err));
}

static void say_without(pid_t pid)
{
	warn(
	    "--explain: process %d cannot be asked: no Python there has run the lines of 'memwatch hook', or "
	    "memwatch was not on its PATH; it is watched without names",
	    (int)pid);
}

void watch_names_attach(struct watch_names *n, struct loop *loop, const struct host *host,
			struct judge *judge, const struct growth_place *where, pid_t pid)
{
	char path[32];
	struct stat st;

	begin(n, host, judge, where);
	n->attached = pid;
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (stat(path, &st) == 0 && explain_folder_open_shared(&n->folder, st.st_uid) == 0) {
		await_answers(n, loop);
		return;
	}
	n->folder = NULL;
	say_without(pid);
}

void watch_names_close(struct watch_names *n)
{
	if (n->folder && explain_folder_fd(n->folder) >= 0)
		loop_remove(n->loop, explain_folder_fd(n->folder));
	explain_folder_close(n->folder);
	n->folder = NULL;
}

const char *watch_names_python_path(const struct watch_names *n)
{
	return n->folder ? explain_folder_python_path(n->folder) : NULL;
}

const struct explanation *watch_names_found(const struct watch_names *n)
{
	return n->folder ? &n->found : NULL;
}

/* The process of the tree that holds most, of those that can be asked; 0 none. */
static pid_t choose(struct watch_names *n)
{
	uint64_t most = 0;
	pid_t any, chosen = 0;

	n->found.reached = n->found.reached || explain_folder_pids(n->folder, &any, 1) > 0;
	for (size_t i = 0; i < host_count(n->host); i++) {
		struct host_process p;

		host_process(n->host, i, &p);
		if (p.live && p.held_bytes >= most && explain_folder_has(n->folder, p.pid)) {
			most = p.held_bytes;
			chosen = p.pid;
		}
	}
	return chosen;
}

/* The process that has most of the host's growth; 0: none has, or it is not known. */
static pid_t grower(const struct watch_names *n)
{
	const struct run_verdict *run = judge_run(n->judge);
	struct growth_place_findings found;

	for (int i = 0; i < run->n; i++) {
		if (run->series[i].kind != SERIES_HOST)
			continue;
		growth_place_find(n->where, &run->series[i], &found);
		if (found.n_processes > 0 && found.processes[0].live &&
		    found.processes[0].share >= SHARE_MOST)
			return found.processes[0].pid;
	}
	return 0;
}

static bool lives(const struct watch_names *n, pid_t pid)
{
	for (size_t i = 0; i < host_count(n->host); i++) {
		struct host_process p;

		host_process(n->host, i, &p);
		if (p.live && p.pid == pid)
			return true;
	}
	return false;
}

/* Who is to say what grows: another than the one that grows would answer that nothing does. 0: nobody can. */
static pid_t whom(struct watch_names *n)
{
	pid_t asked = choose(n), grows = grower(n);

	if (grows)
		n->found.mute = explain_folder_has(n->folder, grows) ? 0 : grows;
	else if (!lives(n, n->found.mute))
		n->found.mute = 0;
	if (n->found.mute)
		return 0;
	return grows ? grows : asked;
}

static struct epoch_end *end_at(struct watch_names *n, int64_t index)
{
	return &n->ends[index % EPOCH_ENDS];
}

/* Epochs finished at the last end; -1 before the first. */
static int64_t epoch_now(struct watch_names *n)
{
	return n->n_ends > 0 ? end_at(n, n->n_ends - 1)->epoch : -1;
}

/* Epochs finished at that moment, as far back as is remembered. */
static int64_t epoch_at(struct watch_names *n, int64_t time_ns)
{
	int64_t i = n->n_ends, oldest = n->n_ends > EPOCH_ENDS ? n->n_ends - EPOCH_ENDS : 0;

	while (i > oldest && end_at(n, i - 1)->time_ns > time_ns)
		i--;
	return i > oldest ? end_at(n, i - 1)->epoch : -1;
}

/* How long an epoch takes; 0 unknown. */
static int64_t epoch_length_ns(struct watch_names *n)
{
	int64_t oldest = n->n_ends > EPOCH_ENDS ? n->n_ends - EPOCH_ENDS : 0;
	struct epoch_end *from = end_at(n, oldest), *to = end_at(n, n->n_ends - 1);

	return n->n_ends - oldest > 1 && to->epoch > from->epoch
		   ? (to->time_ns - from->time_ns) / (to->epoch - from->epoch)
		   : 0;
}

/* True: it has been asked. One that is busy or gone is tried again at the next epoch's end. */
static bool ask(struct watch_names *n, pid_t pid, enum names_question question, const char *word)
{
	if (!pid || explain_folder_claim(n->folder, pid) == -EBUSY ||
	    explain_folder_ask(n->folder, pid, word) != 0)
		return false;
	n->asked = n->found.pid = pid;
	n->question = question;
	n->asked_ns = clock_mono_ns();
	return true;
}

/* It is begun again later. */
static void leave_round(struct watch_names *n, enum explain_left why)
{
	n->rounds -= n->in_round > 0;
	n->in_round = 0;
	n->found.left = why;
}

/* How long the run takes: so far, or by the epochs that are left of those it plans. */
static int64_t whole_ms(struct watch_names *n, int64_t planned)
{
	int64_t so_far = clock_mono_ns() - n->begun_ns, left = planned - epoch_now(n);

	return (so_far + (left > 0 ? left * epoch_length_ns(n) : 0)) / NS_PER_MS;
}

/* False: it would take too much of the run's time. */
static bool affords(struct watch_names *n, int64_t planned)
{
	bool begun = n->in_round > 0;
	struct explain_moment m = {n->rounds - begun, n->in_round, PER_ROUND, whole_ms(n, planned)};

	return explain_budget_allows(&n->budget, &m);
}

/* True: its objects are known in number; else it is asked for that now. */
static bool is_counted(struct watch_names *n, pid_t pid)
{
	if (pid && pid != n->counted)
		ask(n, pid, ASKED_COUNT, "count\n");
	return pid && pid == n->counted;
}

static void ask_for_snapshot(struct watch_names *n, int64_t planned)
{
	pid_t pid;

	if (n->in_round > 0 && !lives(n, n->found.pid))
		leave_round(n, LEFT_BY_PROCESS); /* another is asked */
	pid = n->in_round > 0 ? n->found.pid : whom(n);
	if (!is_counted(n, pid))
		return;
	if (!affords(n, planned)) {
		n->found.dear_ms = n->budget.expected_ms;
		leave_round(n, LEFT_FOR_COST);
		return;
	}
	if (!ask(n, pid, ASKED_SNAPSHOT, n->in_round == 0 ? "afresh\n" : "snapshot\n")) {
		leave_round(n, LEFT_UNANSWERED);
		return;
	}
	n->found.left = LEFT_AT_END;
	n->rounds += n->in_round == 0;
	n->in_round++;
}

static bool waits(const struct watch_names *n)
{
	return n->asked && clock_mono_ns() - n->asked_ns < ANSWER_WAIT_NS;
}

/* One that has ended answers no more; what it said last is there. One that was waited for in vain may have become another
 * program: what it holds is its own again. */
static void hear_the_dead(struct watch_names *n)
{
	bool vain = n->asked && !waits(n);

	if (!n->asked || (!vain && lives(n, n->asked)))
		return;
	on_answer(n);
	if (n->asked)
		leave_round(n, vain ? LEFT_UNANSWERED : LEFT_BY_PROCESS);
	n->asked = 0;
}

static bool more_wanted(const struct watch_names *n)
{
	return n->found.wanted && n->found.snapshots < ROUNDS * PER_ROUND &&
	       (n->in_round > 0 || n->rounds < ROUNDS);
}

static int64_t apart(const struct watch_names *n)
{
	return n->rounds > 1 ? FURTHER : 1;
}

/* Epochs until the next one: more where they are short, fewer where few are left. */
static int64_t epochs_apart(struct watch_names *n, int64_t planned)
{
	int64_t length = epoch_length_ns(n), step = EPOCHS_APART * apart(n), left = planned - epoch_now(n);

	if (length > 0 && step * length < SHORTEST_APART_NS)
		step = SHORTEST_APART_NS / length + 1;
	if (planned > 0 && left > 0 && step > left / PER_ROUND)
		step = left / PER_ROUND;
	return step > 0 ? step : 1;
}

void watch_names_epoch(struct watch_names *n, int64_t finished, int64_t planned)
{
	if (!n->folder || finished <= epoch_now(n))
		return;
	*end_at(n, n->n_ends++) = (struct epoch_end){finished, clock_mono_ns()};
	hear_the_dead(n);
	if (waits(n) || !more_wanted(n) || finished < n->due_epoch)
		return;
	ask_for_snapshot(n, planned);
	n->due_epoch = finished + epochs_apart(n, planned);
}

/* Once for each epoch, with what its last row held. */
static void look_at_level(struct watch_names *n, const struct sample *s)
{
	struct reading held = judge_host_bytes(n->judge, s);

	if (s->epoch < 0 || s->epoch == n->rise_epoch || !held.ok)
		return;
	n->rises = n->rise_epoch >= 0 && held.bytes >= n->level + RISE_BYTES ? n->rises + 1 : 0;
	n->rise_epoch = s->epoch;
	n->level = held.bytes;
}

static void look_at_time(struct watch_names *n, const struct sample *s)
{
	int64_t now = clock_mono_ns(), step = s->elapsed_ms * (NS_PER_MS / 8);

	if (s->epoch >= 0 || waits(n) || !more_wanted(n) || now < n->due_ns)
		return;
	ask_for_snapshot(n, -1);
	n->due_ns = now + apart(n) * (step > TIME_APART_NS ? step : TIME_APART_NS);
}

/* What the frameworks count on GPUs is asked for seldom, and takes no snapshot. */
static void look_at_counters(struct watch_names *n, bool gpu)
{
	if (!gpu || epoch_now(n) < n->count_epoch || waits(n))
		return;
	n->count_epoch = 2 * epoch_now(n);
	ask(n, n->in_round > 0 ? n->found.pid : choose(n), ASKED_COUNTERS, "counters\n");
}

/* To ask the judge takes long: once in an epoch, and not twice in a second. */
static bool may_look(struct epoch_end *last, const struct sample *s)
{
	int64_t now_ns = clock_mono_ns();

	if (last->time_ns > 0 &&
	    ((s->epoch >= 0 && s->epoch == last->epoch) || now_ns - last->time_ns < NS_PER_S))
		return false;
	*last = (struct epoch_end){s->epoch, now_ns};
	return true;
}

/* Before the epoch ends at whose end the first snapshot is due: they are all to come as soon after their epochs' ends, and
 * the first question takes a program longer. */
static void look_ahead(struct watch_names *n, const struct sample *s)
{
	if (!waits(n) && more_wanted(n) && n->in_round == 0 && !n->counted && may_look(&n->ahead, s))
		is_counted(n, whom(n));
}

/* What rises by pages may be nothing: the judge must think so, too. */
static bool has_risen_long(const struct watch_names *n)
{
	const struct run_verdict *run;

	if (n->rises < RISES)
		return false;
	run = judge_run(n->judge);
	for (int i = 0; i < run->n; i++)
		if (run->series[i].v.shape == SHAPE_GROWTH || run->series[i].v.rises)
			return true;
	return false;
}

bool watch_names_disturbs(const struct watch_names *n)
{
	return n->folder &&
	       ((n->asked && n->question != ASKED_COUNTERS) || n->in_round > 0 || n->n_ends < n->clear_from);
}

/* Once: which of the user's processes is of this tree, and can be asked. */
static void look_for_python(struct watch_names *n)
{
	pid_t pid = choose(n);

	n->looked = true;
	if (pid && explain_folder_claim(n->folder, pid) != -EBUSY)
		return;
	if (pid)
		warn("--explain: process %d is asked by another memwatch already, and can be by one at a "
		     "time; it is watched without names",
		     (int)pid);
	else
		say_without(n->attached);
	watch_names_close(n);
}

void watch_names_tick(struct watch_names *n, const struct sample *s, bool firm, bool gpu)
{
	if (n->folder && n->attached && !n->looked)
		look_for_python(n);
	if (!n->folder)
		return;
	if (explain_folder_fd(n->folder) < 0)
		on_answer(n);
	hear_the_dead(n);
	look_at_level(n, s);
	n->found.wanted = n->found.wanted || firm || has_risen_long(n);
	look_ahead(n, s);
	look_at_time(n, s);
	look_at_counters(n, gpu);
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

/* Enough to stop asking: the greater part of what there was to find. */
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
	if (a->snapshots < PER_ROUND)
		return;
	n->in_round = 0;
	tell(n);
	if (found_enough(n))
		n->rounds = ROUNDS;
}

/* The process says when it was; one that cannot have been then was when it was asked. */
static void note_moment(struct watch_names *n, const struct explain_answer *a)
{
	bool possible = a->moment_ns >= n->asked_ns && a->moment_ns <= clock_mono_ns();
	int64_t time_ns = possible ? a->moment_ns : n->asked_ns;

	n->last = (struct epoch_end){epoch_at(n, time_ns), time_ns};
	if (a->snapshots == 1)
		n->first = n->last;
}

/* It would be no better the next time. */
static void ask_no_more(struct watch_names *n)
{
	n->rounds = ROUNDS;
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
		leave_round(n, LEFT_BY_PROCESS);
		return;
	}
	e->snapshots++;
	e->total_ms += a->worked_ms;
	n->clear_from = n->n_ends > 0 ? n->n_ends + 1 : 0;
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

static void on_answer(void *arg)
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

void watch_names_finish(struct watch_names *n)
{
	pid_t pids[1];

	if (!n->folder)
		return;
	on_answer(n);
	n->found.reached = n->found.reached || n->attached || explain_folder_pids(n->folder, pids, 1) > 0;
}
