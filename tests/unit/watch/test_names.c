/* SPDX-License-Identifier: MIT */
/* The processes, the folder, the judge and the clock are made up: who is asked, and how often the judge is. */
#define clock_mono_ns told_ns
#include "watch/names.c"
#undef clock_mono_ns

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MAIN = 100, WORKER = 200 };

static struct series_verdict host = {.kind = SERIES_HOST};
static struct run_verdict verdict = {.n = 1, .series = &host};
static pid_t grows;
static bool worker_lives;
static int judged, asked;
static uint64_t held_bytes; /* 0 unknown */
static int64_t now_ns;

int64_t told_ns(void)
{
	return now_ns;
}

const struct run_verdict *judge_run(struct judge *j)
{
	(void)j;
	judged++;
	return &verdict;
}

struct reading judge_host_bytes(const struct judge *j, const struct sample *s)
{
	(void)j;
	(void)s;
	return (struct reading){held_bytes, held_bytes > 0};
}

void growth_place_find(const struct growth_place *w, const struct series_verdict *of,
		       struct growth_place_findings *out)
{
	(void)w;
	(void)of;
	*out = (struct growth_place_findings){.n_processes = grows ? 1 : 0};
	out->processes[0] = (struct growing_process){.pid = grows, .live = true, .share = 1};
}

size_t host_count(const struct host *h)
{
	(void)h;
	return 2;
}

void host_process(const struct host *h, size_t index, struct host_process *out)
{
	(void)h;
	*out = (struct host_process){.pid = index ? WORKER : MAIN, .live = !index || worker_lives};
}

bool host_lives(const struct host *h, pid_t pid)
{
	(void)h;
	return pid == MAIN || (pid == WORKER && worker_lives);
}

int explain_folder_open(struct explain_folder **out)
{
	*out = (struct explain_folder *)&verdict;
	return 0;
}

int explain_folder_open_shared(struct explain_folder **out, uid_t owner)
{
	(void)owner;
	return explain_folder_open(out);
}

void explain_folder_close(struct explain_folder *f)
{
	(void)f;
}

const char *explain_folder_python_path(const struct explain_folder *f)
{
	(void)f;
	return NULL;
}

size_t explain_folder_pids(const struct explain_folder *f, pid_t *pids, size_t max)
{
	(void)f;
	(void)max;
	*pids = MAIN;
	return 1;
}

bool explain_folder_has(const struct explain_folder *f, pid_t pid)
{
	(void)f;
	return pid == MAIN;
}

int explain_folder_claim(struct explain_folder *f, pid_t pid)
{
	(void)f;
	(void)pid;
	return 0;
}

int explain_folder_ask(const struct explain_folder *f, pid_t pid, const char *word)
{
	(void)f;
	(void)word;
	asked = pid;
	return 0;
}

int explain_folder_fd(const struct explain_folder *f)
{
	(void)f;
	return -1;
}

int explain_folder_answer(struct explain_folder *f, pid_t pid, char **text)
{
	(void)f;
	(void)pid;
	(void)text;
	return -ENOENT;
}

/* A worker grows that cannot be asked. */
static int set_up(void **state)
{
	static struct watch_names n;

	grows = WORKER;
	worker_lives = true;
	judged = asked = 0;
	held_bytes = 0;
	now_ns = NS_PER_S;
	watch_names_open(&n, NULL, NULL, NULL, NULL);
	*state = &n;
	return 0;
}

static void where_nobody_can_be_asked_the_judge_is_once_in_an_epoch(void **state)
{
	struct sample s = {.epoch = 3};

	for (int tick = 0; tick < 1000; tick++) {
		watch_names_tick(*state, &s, true, false);
		now_ns += NS_PER_S;
	}
	assert_int_equal(judged, 1);
	assert_int_equal(asked, 0);
}

/* Ten ticks in an epoch, each of which holds more than the last. The judge thinks that this is nothing. */
static void rise(struct watch_names *n, int tick, int64_t tick_ns)
{
	struct sample s = {.epoch = tick / 10};

	held_bytes = (uint64_t)(s.epoch + 1) << 20;
	watch_names_tick(n, &s, false, false);
	now_ns += tick_ns;
}

static void what_rises_long_is_judged_once_in_an_epoch(void **state)
{
	for (int tick = 0; tick < 200; tick++) {
		rise(*state, tick, NS_PER_S);
		assert_int_equal(judged, tick / 10 < LONG_RISE_EPOCHS ? 0 : tick / 10 - LONG_RISE_EPOCHS + 1);
	}
}

/* Epochs of 100 ms. */
static void what_rises_long_is_not_judged_twice_in_a_second(void **state)
{
	for (int tick = 0; tick < 10 * LONG_RISE_EPOCHS + 300; tick++) {
		rise(*state, tick, NS_PER_S / 100);
		assert_int_equal(judged,
				 tick < 10 * LONG_RISE_EPOCHS ? 0 : (tick - 10 * LONG_RISE_EPOCHS) / 100 + 1);
	}
}

static void a_worker_that_has_ended_keeps_nobody_from_being_asked(void **state)
{
	struct watch_names *n = *state;

	watch_names_tick(n, &(struct sample){.epoch = 3}, true, false);
	assert_int_equal(watch_names_found(n)->mute, WORKER);
	grows = 0;
	watch_names_epoch(n, 4, -1);
	assert_int_equal(asked, 0); /* it lives, and is not judged to grow just now */
	worker_lives = false;
	watch_names_epoch(n, 40, -1);
	assert_int_equal(watch_names_found(n)->mute, 0);
	assert_int_equal(asked, MAIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(where_nobody_can_be_asked_the_judge_is_once_in_an_epoch, set_up),
	    cmocka_unit_test_setup(what_rises_long_is_judged_once_in_an_epoch, set_up),
	    cmocka_unit_test_setup(what_rises_long_is_not_judged_twice_in_a_second, set_up),
	    cmocka_unit_test_setup(a_worker_that_has_ended_keeps_nobody_from_being_asked, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
