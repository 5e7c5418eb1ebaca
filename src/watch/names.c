/* SPDX-License-Identifier: MIT */
/* When snapshots are asked for: three at ends of epochs once there is growth, and three more, further apart, where these
 * have found nothing. Knows no files and no words of reports. */
#include "watch/names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/msg.h"
#include "watch/asked_process.h"
#include "watch/names_answer.h"

enum {
	RISES = 10,         /* epochs in a row that are as good as firm growth */
	RISE_BYTES = 4096,  /* each by a page at least */
	EPOCHS_APART = 2,   /* so that one that comes a little early still sees growth */
	FURTHER = 3,        /* times as far apart in the second round */
	COUNTERS_FIRST = 2, /* epochs before a framework's counters are asked for */
};
#define ANSWER_WAIT_NS    (30 * NS_PER_S)
#define TIME_APART_NS     (10 * NS_PER_S)
#define SHORTEST_APART_NS (NS_PER_S / 2)

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
		loop_add(loop, explain_folder_fd(n->folder), names_answer_hear, n);
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

/* How long the run takes: so far, or by the epochs that are left of those it plans. */
static int64_t whole_ms(struct watch_names *n, int64_t planned)
{
	int64_t so_far = clock_mono_ns() - n->begun_ns, left = planned - epoch_ends_now(&n->ends);

	return (so_far + (left > 0 ? left * epoch_ends_length_ns(&n->ends) : 0)) / NS_PER_MS;
}

/* False: it would take too much of the run's time. */
static bool affords(struct watch_names *n, int64_t planned)
{
	bool begun = n->in_round > 0;
	struct explain_moment m = {n->rounds - begun, n->in_round, NAMES_PER_ROUND, whole_ms(n, planned)};

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

	if (n->in_round > 0 && !host_lives(n->host, n->found.pid))
		names_answer_leave_round(n, LEFT_BY_PROCESS); /* another is asked */
	pid = n->in_round > 0 ? n->found.pid : asked_process_find(n);
	if (!is_counted(n, pid))
		return;
	if (!affords(n, planned)) {
		n->found.dear_ms = n->budget.expected_ms;
		names_answer_leave_round(n, LEFT_FOR_COST);
		return;
	}
	if (!ask(n, pid, ASKED_SNAPSHOT, n->in_round == 0 ? "afresh\n" : "snapshot\n")) {
		names_answer_leave_round(n, LEFT_UNANSWERED);
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

	if (!n->asked || (!vain && host_lives(n->host, n->asked)))
		return;
	names_answer_hear(n);
	if (n->asked)
		names_answer_leave_round(n, vain ? LEFT_UNANSWERED : LEFT_BY_PROCESS);
	n->asked = 0;
}

static bool more_wanted(const struct watch_names *n)
{
	return n->found.wanted && n->found.snapshots < NAMES_ROUNDS * NAMES_PER_ROUND &&
	       (n->in_round > 0 || n->rounds < NAMES_ROUNDS);
}

static int64_t apart(const struct watch_names *n)
{
	return n->rounds > 1 ? FURTHER : 1;
}

/* Epochs until the next one: more where they are short, fewer where few are left. */
static int64_t epochs_apart(struct watch_names *n, int64_t planned)
{
	int64_t length = epoch_ends_length_ns(&n->ends), step = EPOCHS_APART * apart(n),
		left = planned - epoch_ends_now(&n->ends);

	if (length > 0 && step * length < SHORTEST_APART_NS)
		step = SHORTEST_APART_NS / length + 1;
	if (planned > 0 && left > 0 && step > left / NAMES_PER_ROUND)
		step = left / NAMES_PER_ROUND;
	return step > 0 ? step : 1;
}

void watch_names_epoch(struct watch_names *n, int64_t finished, int64_t planned)
{
	if (!n->folder || finished <= epoch_ends_now(&n->ends))
		return;
	epoch_ends_add(&n->ends, finished, clock_mono_ns());
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
	if (!gpu || epoch_ends_now(&n->ends) < n->count_epoch || waits(n))
		return;
	n->count_epoch = 2 * epoch_ends_now(&n->ends);
	ask(n, n->in_round > 0 ? n->found.pid : asked_process_largest(n), ASKED_COUNTERS, "counters\n");
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
		is_counted(n, asked_process_find(n));
}

/* What rises by pages may be nothing: the judge must think so, too. */
static bool has_risen_long(struct watch_names *n, const struct sample *s)
{
	const struct run_verdict *run;

	if (n->rises < RISES || !may_look(&n->risen, s))
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
	       ((n->asked && n->question != ASKED_COUNTERS) || n->in_round > 0 || n->ends.n < n->clear_from);
}

/* Once: which of the user's processes is of this tree, and can be asked. */
static void look_for_python(struct watch_names *n)
{
	pid_t pid = asked_process_largest(n);

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
		names_answer_hear(n);
	hear_the_dead(n);
	look_at_level(n, s);
	n->found.wanted = n->found.wanted || firm || has_risen_long(n, s);
	look_ahead(n, s);
	look_at_time(n, s);
	look_at_counters(n, gpu);
}

void watch_names_finish(struct watch_names *n)
{
	pid_t pids[1];

	if (!n->folder)
		return;
	names_answer_hear(n);
	n->found.reached = n->found.reached || n->attached || explain_folder_pids(n->folder, pids, 1) > 0;
}
