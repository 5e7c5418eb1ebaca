/* SPDX-License-Identifier: MIT */
/* When snapshots are asked for: three at ends of epochs once there is growth, and three more, further apart, where these
 * have found nothing. Knows no files and no words of reports. */
#include "watch/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/msg.h"

enum {
	EPOCHS_APART = 2,   /* so that one that comes a little early still sees growth */
	FURTHER = 3,        /* times as far apart in the second round */
	COUNTERS_FIRST = 2, /* epochs before a framework's counters are asked for */
};
#define TIME_APART_NS     (10 * NS_PER_S)
#define SHORTEST_APART_NS (NS_PER_S / 2)

static void begin(struct watch_names *n, const struct host *host, struct judge *judge,
		  const struct growth_place *where, pid_t attached)
{
	*n = (struct watch_names){
	    .host = host, .begun_ns = clock_mono_ns(), .attached = attached, .count_epoch = COUNTERS_FIRST};
	long_rise_init(&n->rise, judge);
	asked_process_init(&n->who, host, judge, where, attached != 0);
	snapshots_init(&n->snapshots, judge, &n->ends);
}

/* Takes the answer that is awaited, if it is there. arg: the struct watch_names. */
static void hear(void *arg)
{
	struct watch_names *n = arg;
	char *text = NULL;

	if (explain_folder_answer(n->folder, n->question.pid, &text) == -ENOENT)
		return;
	if (n->question.pid)
		snapshots_take_answer(&n->snapshots, &n->question, text, clock_mono_ns());
	free(text);
	question_end(&n->question);
}

static void await_answers(struct watch_names *n, struct loop *loop)
{
	n->loop = loop;
	if (explain_folder_fd(n->folder) >= 0)
		loop_add(loop, explain_folder_fd(n->folder), hear, n);
}

void watch_names_open(struct watch_names *n, struct loop *loop, const struct host *host, struct judge *judge,
		      const struct growth_place *where)
{
	int err;

	begin(n, host, judge, where, 0);
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

	begin(n, host, judge, where, pid);
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

const struct explanation *watch_names_found(struct watch_names *n)
{
	return n->folder ? snapshots_explain(&n->snapshots, n->wanted, &n->who, &n->question) : NULL;
}

/* True: it has been asked. One that is busy or gone is tried again at the next epoch's end. */
static bool ask(struct watch_names *n, pid_t pid, enum question_kind kind)
{
	return question_ask(&n->question, n->folder, pid, kind, clock_mono_ns());
}

static bool waits(const struct watch_names *n)
{
	return question_waits(&n->question, clock_mono_ns());
}

static bool in_round(const struct watch_names *n)
{
	return n->snapshots.in_round > 0;
}

/* How long the run takes: so far, or by the epochs that are left of those it plans. */
static int64_t whole_ms(struct watch_names *n, int64_t planned)
{
	int64_t so_far = clock_mono_ns() - n->begun_ns, left = planned - epoch_ends_now(&n->ends);

	return (so_far + (left > 0 ? left * epoch_ends_length_ns(&n->ends) : 0)) / NS_PER_MS;
}

/* True: its objects are known in number; else it is asked for that now. */
static bool is_counted(struct watch_names *n, pid_t pid)
{
	if (pid && pid != n->snapshots.counted)
		ask(n, pid, QUESTION_COUNT);
	return pid && pid == n->snapshots.counted;
}

static void ask_for_snapshot(struct watch_names *n, int64_t planned)
{
	struct snapshots *s = &n->snapshots;
	pid_t pid;

	if (in_round(n) && !host_lives(n->host, n->question.last))
		snapshots_leave_round(s, LEFT_BY_PROCESS); /* another is asked */
	pid = in_round(n) ? n->question.last : asked_process_find(&n->who, n->folder);
	if (!is_counted(n, pid))
		return;
	if (!snapshots_afford(s, whole_ms(n, planned)))
		snapshots_leave_for_cost(s);
	else if (ask(n, pid, in_round(n) ? QUESTION_SNAPSHOT : QUESTION_AFRESH))
		snapshots_asked(s);
	else
		snapshots_leave_round(s, LEFT_UNANSWERED);
}

/* One that has ended answers no more; what it said last is there. One that was waited for in vain may have become another
 * program: what it holds is its own again. */
static void hear_the_dead(struct watch_names *n)
{
	pid_t pid = n->question.pid;
	bool vain = pid && !waits(n);

	if (!pid || (!vain && host_lives(n->host, pid)))
		return;
	hear(n);
	if (n->question.pid)
		snapshots_leave_round(&n->snapshots, vain ? LEFT_UNANSWERED : LEFT_BY_PROCESS);
	question_end(&n->question);
}

static bool more_wanted(const struct watch_names *n)
{
	return n->wanted && snapshots_want_more(&n->snapshots);
}

static int64_t apart(const struct watch_names *n)
{
	return n->snapshots.rounds > 1 ? FURTHER : 1;
}

/* Epochs until the next one: more where they are short, fewer where few are left. */
static int64_t epochs_apart(struct watch_names *n, int64_t planned)
{
	int64_t length = epoch_ends_length_ns(&n->ends), step = EPOCHS_APART * apart(n),
		left = planned - epoch_ends_now(&n->ends);

	if (length > 0 && step * length < SHORTEST_APART_NS)
		step = SHORTEST_APART_NS / length + 1;
	if (planned > 0 && left > 0 && step > left / SNAPSHOTS_PER_ROUND)
		step = left / SNAPSHOTS_PER_ROUND;
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
	ask(n, in_round(n) ? n->question.last : asked_process_largest(&n->who, n->folder), QUESTION_COUNTERS);
}

/* Before the epoch ends at whose end the first snapshot is due: they are all to come as soon after their epochs' ends, and
 * the first question takes a program longer. */
static void look_ahead(struct watch_names *n, const struct sample *s)
{
	if (waits(n) || !more_wanted(n) || in_round(n) || n->snapshots.counted)
		return;
	if (epoch_end_is_next(&n->ahead, s->epoch, clock_mono_ns())) /* who grows is asked of the judge */
		is_counted(n, asked_process_find(&n->who, n->folder));
}

bool watch_names_disturbs(const struct watch_names *n)
{
	bool asked = n->question.pid && n->question.kind != QUESTION_COUNTERS;

	return n->folder && (asked || snapshots_disturb(&n->snapshots));
}

/* Once: which of the user's processes is of this tree, and can be asked. */
static void look_for_python(struct watch_names *n)
{
	pid_t pid = asked_process_largest(&n->who, n->folder);

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
		hear(n);
	hear_the_dead(n);
	long_rise_push(&n->rise, s);
	n->wanted = n->wanted || firm || long_rise_counts(&n->rise, s, clock_mono_ns());
	look_ahead(n, s);
	look_at_time(n, s);
	look_at_counters(n, gpu);
}

void watch_names_finish(struct watch_names *n)
{
	if (!n->folder)
		return;
	hear(n);
	asked_process_look(&n->who, n->folder);
}
