/* SPDX-License-Identifier: MIT */
#include "base/xalloc.c"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>

#include <cmocka.h>

static atomic_int closed, asked;

static void close_all(void)
{
	atomic_fetch_add(&closed, 1);
	pthread_exit(NULL); /* so that the test lives to tell */
}

static void *ask_for_too_much(void *arg)
{
	(void)arg;
	atomic_store(&asked, gettid());
	return xcalloc(SIZE_MAX / 2, 1);
}

/* The letter of its state; 0: it has ended. */
static char state_of(int tid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state;
}

/* Behind the view that it would close is the main thread, which may be drawing. */
static void a_thread_without_memory_sleeps_and_closes_nothing(void **state)
{
	pthread_t thread;

	(void)state;
	xalloc_on_failure(close_all);
	assert_int_equal(pthread_create(&thread, NULL, ask_for_too_much, NULL), 0);
	while (!atomic_load(&asked))
		usleep(1000);
	for (char c = 'R'; c != 'S' && c != 0;) {
		usleep(1000);
		c = state_of(atomic_load(&asked));
	}
	assert_int_equal(atomic_load(&closed), 0);
	assert_int_equal(pthread_tryjoin_np(thread, NULL), EBUSY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_thread_without_memory_sleeps_and_closes_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
