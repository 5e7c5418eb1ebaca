/* SPDX-License-Identifier: MIT */
/* Walks of a tree of which a process ends, or one is stuck in the kernel: a process may hold the lock of its mappings,
 * and nobody can say for how long. No program holds it for long enough to be tested with, so the walk is replaced. */
#define heap_process_walk stuck_walk
#define heap_process_look counted_look
#include "host/heap.c"
#include "host/heap_tree.c"
#undef heap_process_walk
#undef heap_process_look

#include <limits.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static sem_t begun, go_on, ended;
static bool gets_stuck;
static _Atomic int looked;

enum heap_state stuck_walk(struct heap_reader *r, int dir_fd, pid_t pid, bool own_pages,
			   const struct heap_limits *limits, struct heap_sizes *out, struct heap_cost *cost)
{
	(void)r;
	(void)dir_fd;
	(void)pid;
	(void)own_pages;
	(void)limits;
	*out = (struct heap_sizes){0};
	*cost = (struct heap_cost){0};
	if (!gets_stuck)
		return HEAP_KNOWN;
	sem_post(&begun);
	sem_wait(&go_on);
	sem_post(&ended);
	return HEAP_KNOWN;
}

enum heap_state counted_look(struct heap_reader *r, pid_t pid, const struct heap_limits *limits,
			     struct heap_cost *cost)
{
	(void)r;
	(void)pid;
	(void)limits;
	*cost = (struct heap_cost){0};
	looked++;
	return HEAP_KNOWN;
}

static struct heap *walking(void)
{
	struct heap *h = heap_new();

	gets_stuck = true;
	assert_true(start_thread(h));
	pthread_mutex_lock(&h->lock);
	h->targets.list[0] = (struct heap_target){.pid = getpid(), .looked_at = true};
	h->targets.count = 1;
	h->asked = true;
	pthread_cond_signal(&h->wake);
	pthread_mutex_unlock(&h->lock);
	sem_wait(&begun);
	return h;
}

static void a_walk_that_is_stuck_does_not_keep_memwatch(void **state)
{
	static struct heap *volatile left_behind; /* so that leak checkers still find it */
	int still;

	(void)state;
	left_behind = walking();
	heap_free(left_behind);
	assert_int_equal(sem_getvalue(&ended, &still), 0);
	assert_int_equal(still, 0);
	sem_post(&go_on); /* what it uses is still there */
	sem_wait(&ended);
}

static void a_walk_that_ends_is_waited_for(void **state)
{
	struct heap *h = walking();

	(void)state;
	sem_post(&go_on);
	heap_free(h);
	assert_int_equal(sem_trywait(&ended), 0);
}

/* It is part of what was held in the tick: without it, its memory would seem to be outside of the heaps. */
static void a_worker_that_has_just_ended_leaves_the_tree_unknown(void **state)
{
	struct heap_targets targets = {
	    .count = 2,
	    .list = {{.pid = getpid(), .mapped_bytes = 1000}, {.pid = INT_MAX, .mapped_bytes = 500}}};
	struct heap_figures large = {0}, small = {0};
	_Atomic bool quit = false;

	(void)state;
	gets_stuck = false;
	heap_tree_walk(NULL, &targets, NS_PER_S, &quit, &large);
	assert_int_equal(large.end.state, HEAP_GONE);
	targets.list[1].mapped_bytes = 10;
	heap_tree_walk(NULL, &targets, NS_PER_S, &quit, &small);
	assert_int_equal(small.end.state, HEAP_KNOWN);
}

/* The walk is waited for, then all looks of an epoch that may last as long. */
static void looks_are_taken_all_through_an_epoch(void **state)
{
	struct heap *h = heap_new();
	int left = HEAP_LOOKS_MAX;

	(void)state;
	gets_stuck = false;
	assert_true(start_thread(h));
	pthread_mutex_lock(&h->lock);
	h->targets.list[0] = (struct heap_target){.pid = getpid(), .looked_at = true};
	heap_looks_plan(&h->looks, 0, 0, NS_PER_S);
	pthread_cond_signal(&h->wake);
	while (left > 0) {
		pthread_mutex_unlock(&h->lock);
		sched_yield();
		pthread_mutex_lock(&h->lock);
		left = h->looks.left;
	}
	pthread_mutex_unlock(&h->lock);
	heap_free(h);
	assert_true(looked >= HEAP_LOOKS_MAX - 1);
}

/* What a program takes while it comes up was not there at looks before, and stays. */
static void the_first_epoch_is_not_looked_at(void **state)
{
	struct heap *h = heap_new();
	int first, later;

	(void)state;
	gets_stuck = false;
	h->fresh = true; /* a result that waits: nothing is asked for */
	heap_ask(h, NULL, 0, clock_mono_ns(), HEAP_AT_FIRST_EPOCH);
	pthread_mutex_lock(&h->lock);
	first = h->looks.left;
	pthread_mutex_unlock(&h->lock);
	heap_ask(h, NULL, 0, clock_mono_ns() + NS_PER_S, HEAP_AT_EPOCH_END);
	pthread_mutex_lock(&h->lock);
	later = h->looks.left;
	pthread_mutex_unlock(&h->lock);
	heap_free(h);
	assert_int_equal(first, 0);
	assert_true(later > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_worker_that_has_just_ended_leaves_the_tree_unknown),
	    cmocka_unit_test(looks_are_taken_all_through_an_epoch),
	    cmocka_unit_test(the_first_epoch_is_not_looked_at),
	    cmocka_unit_test(a_walk_that_ends_is_waited_for),
	    cmocka_unit_test(a_walk_that_is_stuck_does_not_keep_memwatch),
	};

	sem_init(&begun, 0, 0);
	sem_init(&go_on, 0, 0);
	sem_init(&ended, 0, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
