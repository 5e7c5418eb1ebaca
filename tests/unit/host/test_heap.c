/* SPDX-License-Identifier: MIT */
/* What walks may cost; walks of a tree of which a process ends, or one is stuck in the kernel: a process may hold the lock of its mappings,
 * and nobody can say for how long. No program holds it for long enough to be tested with, so the walk is replaced. */
#define heap_process_walk stuck_walk
#define heap_process_look counted_look
#include "host/heap.c"
#undef heap_process_walk
#undef heap_process_look

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
	h->targets[0] = (struct target){.pid = getpid(), .looked_at = true};
	h->count = 1;
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
	struct target targets[] = {{.pid = getpid(), .mapped_bytes = 1000},
				   {.pid = INT_MAX, .mapped_bytes = 500}};
	struct result large = {0}, small = {0};
	struct heap *h = heap_new();

	(void)state;
	gets_stuck = false;
	walk_tree(h, targets, 2, NS_PER_S, &large);
	assert_int_equal(large.state, HEAP_GONE);
	targets[1].mapped_bytes = 10;
	walk_tree(h, targets, 2, NS_PER_S, &small);
	assert_int_equal(small.state, HEAP_KNOWN);
	heap_free(h);
}

/* Ends of epochs all the time, each walk and each look as dear as the last: what they take in a minute. */
static int64_t spent_in_a_minute(int64_t epoch_ns, int64_t walk_ns, int64_t look_ns)
{
	struct heap *h = heap_new();
	int64_t spent = 0;

	for (int64_t now = NS_PER_S; now < 61 * NS_PER_S; now += epoch_ns) {
		struct result r = {.cpu_ns = walk_ns};

		add_credit(h, now);
		h->count = 1;
		if (!is_due(h, now, HEAP_AT_EPOCH_END)) {
			r = (struct result){.quick = true,
					    .cpu_ns = walk_ns / 4}; /* where much is free, pages take long */
			if (!is_quick_due(h, HEAP_AT_EPOCH_END, epoch_ns / COST_SHARE))
				continue;
		}
		if (r.cpu_ns > limit_ns(h))
			r = (struct result){.state = HEAP_OVER_BUDGET, .cpu_ns = limit_ns(h)};
		r.look_ns = h->looks * look_ns;
		note_result(h, &r);
		h->look_cost_ns = look_ns;
		plan_looks(h, now, epoch_ns);
		spent += r.cpu_ns + r.look_ns;
	}
	heap_free(h);
	return spent;
}

static void walks_take_at_most_a_hundredth_of_a_core(void **state)
{
	(void)state;
	for (int64_t ms = 1; ms < 100; ms += 3) {
		int64_t spent =
		    spent_in_a_minute(30 * ms * NS_PER_MS, (100 - ms) * NS_PER_MS, ms * NS_PER_MS / 40);

		assert_true(spent <= 60 * NS_PER_S / 100);
		assert_true(spent >= 60 * NS_PER_S / 500); /* and it is used */
	}
}

/* A whole walk takes what ten ends of epochs earn. */
static void where_a_walk_is_too_dear_large_blocks_are_read(void **state)
{
	struct heap *h = heap_new();
	int walks = 0, quick = 0;

	(void)state;
	h->count = 1;
	for (int64_t now = NS_PER_S; now < 41 * NS_PER_S; now += 400 * NS_PER_MS) {
		struct result r = {.cpu_ns = 32 * NS_PER_MS};

		add_credit(h, now);
		if (!is_due(h, now, HEAP_AT_EPOCH_END)) {
			if (!is_quick_due(h, HEAP_AT_EPOCH_END, 400 * NS_PER_MS / COST_SHARE))
				continue;
			r = (struct result){.quick = true, .cpu_ns = NS_PER_MS / 2};
		}
		r.look_ns = h->looks * h->look_cost_ns;
		note_result(h, &r);
		plan_looks(h, now, 400 * NS_PER_MS);
		walks += !r.quick;
		quick += r.quick;
	}
	heap_free(h);
	assert_true(walks >= 3);
	assert_true(quick >= 80);
}

/* The walk is waited for, then all looks of an epoch that may last as long. */
static void looks_are_taken_all_through_an_epoch(void **state)
{
	struct heap *h = heap_new();
	int left = LOOKS_MAX;

	(void)state;
	gets_stuck = false;
	assert_true(start_thread(h));
	pthread_mutex_lock(&h->lock);
	h->credit_ns = NS_PER_S;
	h->targets[0] = (struct target){.pid = getpid(), .looked_at = true};
	plan_looks(h, clock_mono_ns(), NS_PER_S);
	assert_int_equal(h->looks, LOOKS_MAX);
	h->look_pause_ns = LOOK_LEAST_NS;
	h->next_look_ns = 0;
	pthread_cond_signal(&h->wake);
	while (left > 0) {
		pthread_mutex_unlock(&h->lock);
		sched_yield();
		pthread_mutex_lock(&h->lock);
		left = h->looks;
	}
	pthread_mutex_unlock(&h->lock);
	heap_free(h);
	assert_true(looked >= LOOKS_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(walks_take_at_most_a_hundredth_of_a_core),
	    cmocka_unit_test(a_worker_that_has_just_ended_leaves_the_tree_unknown),
	    cmocka_unit_test(where_a_walk_is_too_dear_large_blocks_are_read),
	    cmocka_unit_test(looks_are_taken_all_through_an_epoch),
	    cmocka_unit_test(a_walk_that_ends_is_waited_for),
	    cmocka_unit_test(a_walk_that_is_stuck_does_not_keep_memwatch),
	};

	sem_init(&begun, 0, 0);
	sem_init(&go_on, 0, 0);
	sem_init(&ended, 0, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
