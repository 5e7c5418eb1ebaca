/* SPDX-License-Identifier: MIT */
#include "host/pss.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "fakeproc.h"

enum { ROOT = FAKE, TICK_MS = 100 };

static struct tree tree;
static struct pss pss;
static int64_t wall_ns;      /* what the clock says */
static int64_t read_cost_ns; /* of one process: each is followed by a look at the clock */
static int64_t spent_ns;

int64_t clock_mono_ns(void)
{
	wall_ns += read_cost_ns;
	spent_ns += read_cost_ns;
	return wall_ns;
}

static void fake_rollup(int pid, unsigned pss_kib)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/smaps_rollup", pid);
	fake_write(path,
		   "1-2 ---p 0 00:00 0 [rollup]\nRss: 10 kB\nPss: %u kB\nPss_Anon: 1 kB\nPss_Shmem: 0 kB\n"
		   "Anonymous: 10 kB\n",
		   pss_kib);
}

/* ROOT and its children, count in all. */
static void family(int count)
{
	char list[1000] = "";

	for (int i = 1; i < count; i++)
		sprintf(list + strlen(list), "%d ", ROOT + i);
	for (int i = 0; i < count; i++) {
		fake_live(ROOT + i, i ? ROOT : 1, 10, i ? "" : list);
		fake_rollup(ROOT + i, 7);
	}
	tree_add_root(&tree, ROOT);
	tree_discover(&tree, 1);
}

static int setup(void **state)
{
	(void)state;
	fake_new();
	pss = (struct pss){0};
	read_cost_ns = 10 * NS_PER_US;
	wall_ns = spent_ns = 0;
	return tree_init(&tree, fake_root, true, 1000, NULL);
}

static int teardown(void **state)
{
	(void)state;
	tree_free(&tree);
	fake_remove("");
	return 0;
}

/* Passes completed in the given time. cost_ns: what the rest of each tick takes. */
static int passes(int64_t from_ms, int64_t to_ms, int64_t cost_ns)
{
	int n = 0;

	for (int64_t ms = from_ms; ms < to_ms; ms += TICK_MS)
		n += pss_step(&pss, &tree, ms * NS_PER_MS, ms ? TICK_MS * NS_PER_MS : 0, cost_ns) == PSS_DONE;
	return n;
}

static void a_pass_sums_the_tree(void **state)
{
	(void)state;
	family(3);
	assert_int_equal(pss_step(&pss, &tree, 1, 0, 0), PSS_DONE);
	assert_int_equal(pss.sum_bytes, 21 * 1024);
	assert_false(pss.unknown);
	assert_true(tree.members[2].shared.next_ok);
}

static void a_lone_process_is_read_from_the_second_tick_on(void **state)
{
	(void)state;
	family(1);
	assert_int_equal(pss_step(&pss, &tree, 1, 0, 0), PSS_IDLE);
	assert_int_equal(pss_step(&pss, &tree, NS_PER_MS, NS_PER_MS, 0), PSS_DONE);
}

static void at_most_once_a_second(void **state)
{
	(void)state;
	family(2);
	assert_int_equal(passes(0, 10000, NS_PER_S), 10);
}

/* 40 ms a pass: one in 4 s, 1 % of a core. */
static void at_most_a_hundredth_of_a_core(void **state)
{
	(void)state;
	read_cost_ns = 20 * NS_PER_MS;
	family(2);
	assert_in_range(passes(0, 100000, NS_PER_S), 23, 25);
	assert_int_equal(pss.spent_ns, 40 * NS_PER_MS);
}

/* Ticks that cost 10 us each: passes of 0.05 ms take no more than a sixteenth of that, so one in 8 s. */
static void at_most_a_sixteenth_of_what_sampling_costs(void **state)
{
	int n;

	(void)state;
	read_cost_ns = 25 * NS_PER_US;
	family(2);
	n = passes(0, 80000, 10 * NS_PER_US);
	assert_in_range(n, 9, 11);
}

static void never_more_seldom_than_ten_seconds_for_that(void **state)
{
	(void)state;
	read_cost_ns = NS_PER_MS;
	family(4);
	assert_int_equal(passes(0, 100000, 1), 10);
}

static void an_epochs_end_brings_one_forward(void **state)
{
	(void)state;
	read_cost_ns = NS_PER_MS;
	family(4);
	assert_int_equal(passes(0, 3000, 1), 1);
	pss.wanted = true;
	assert_int_equal(passes(3000, 3100, 1), 1);
	pss.wanted = true; /* but not past the hard limits */
	assert_int_equal(passes(3100, 4000, 1), 0);
	assert_int_equal(passes(4000, 4100, 1), 1);
}

/* Forks that are not known yet are read as often as a hundredth of a core allows. */
static void a_hurry_waits_for_its_cost_alone(void **state)
{
	(void)state;
	read_cost_ns = NS_PER_MS;
	family(2);
	assert_int_equal(passes(0, 2000, 1), 1);
	pss.hurry = true;
	assert_int_equal(passes(2000, 4000, 1), 10);
	pss.hurry = false;
	assert_int_equal(passes(4000, 6000, 1), 0);
}

static void so_does_a_change_in_the_tree_once_it_is_over(void **state)
{
	(void)state;
	read_cost_ns = NS_PER_MS;
	family(4);
	assert_int_equal(passes(0, 2000, 1), 1);
	for (int64_t ms = 2000; ms < 4000; ms += 500) {
		tree.changes++;
		assert_int_equal(passes(ms, ms + 500, 1), 0);
	}
	assert_int_equal(passes(4000, 6000, 1), 1);
}

/* A long pass is cut into slices of a tenth of the time between ticks. */
static void a_long_pass_is_spread_over_ticks(void **state)
{
	enum { COUNT = 30 };

	(void)state;
	read_cost_ns = 4 * NS_PER_MS;
	family(COUNT);
	pss.pass = 1; /* not the first, which may take longer */
	pss.begun_ns = -100 * NS_PER_S;
	for (int tick = 1; tick < COUNT / 3; tick++) {
		int64_t before = spent_ns;

		assert_int_equal(pss_step(&pss, &tree, tick * NS_PER_S / 10, NS_PER_S / 10, 0), PSS_RUNNING);
		assert_in_range((spent_ns - before) / NS_PER_MS, 8, 20);
	}
	assert_int_equal(pss_step(&pss, &tree, NS_PER_S, NS_PER_S / 10, 0), PSS_DONE);
	assert_int_equal(pss.sum_bytes, COUNT * 7 * 1024);
	assert_int_equal(pss.spent_ns / NS_PER_MS, COUNT * 4);
}

static void one_that_cannot_be_read_leaves_the_sum_unknown(void **state)
{
	char path[64];

	(void)state;
	family(3);
	snprintf(path, sizeof(path), "%d/smaps_rollup", ROOT + 1);
	fake_remove(path);
	assert_int_equal(pss_step(&pss, &tree, 1, 0, 0), PSS_DONE);
	assert_true(pss.unknown);
	assert_int_equal(pss.error, ENOENT);
	assert_true(tree.members[0].shared.next_ok); /* what is known of the others is of use */
	assert_false(tree.members[1].shared.next_ok);
}

int main(void)
{
#define WITH_PROC(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    WITH_PROC(a_pass_sums_the_tree),
	    WITH_PROC(a_lone_process_is_read_from_the_second_tick_on),
	    WITH_PROC(at_most_once_a_second),
	    WITH_PROC(at_most_a_hundredth_of_a_core),
	    WITH_PROC(at_most_a_sixteenth_of_what_sampling_costs),
	    WITH_PROC(never_more_seldom_than_ten_seconds_for_that),
	    WITH_PROC(an_epochs_end_brings_one_forward),
	    WITH_PROC(a_hurry_waits_for_its_cost_alone),
	    WITH_PROC(so_does_a_change_in_the_tree_once_it_is_over),
	    WITH_PROC(a_long_pass_is_spread_over_ticks),
	    WITH_PROC(one_that_cannot_be_read_leaves_the_sum_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
