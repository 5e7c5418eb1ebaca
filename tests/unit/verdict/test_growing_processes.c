/* SPDX-License-Identifier: MIT */
/* The tree is made up: host_count and host_process (function and struct) are the test's own. */
#define host_count   made_count
#define host_process made_process
#include "verdict/growing_processes.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct made_process tree[128];
static size_t tree_n;

size_t made_count(const struct host *h)
{
	(void)h;
	return tree_n;
}

void made_process(const struct host *h, size_t index, struct made_process *out)
{
	(void)h;
	*out = tree[index];
}

static void put(pid_t pid, uint64_t held, bool root)
{
	tree[tree_n] = (struct made_process){.pid = pid,
					     .live = true,
					     .root = root,
					     .held_bytes = held / 2,
					     .mapped_bytes = held,
					     .seen_ticks = 1000};
	snprintf(tree[tree_n].name, sizeof(tree[tree_n].name), "p%d", (int)pid);
	tree_n++;
}

static void look(struct growing_processes *c, int64_t epoch, int64_t ms)
{
	struct sample s = {.epoch = epoch, .elapsed_ms = ms};

	growing_processes_look(c, NULL, &s);
}

static void the_one_that_grows_is_found(void **state)
{
	struct growing_processes *c = growing_processes_new();
	struct growing_process top[3];

	(void)state;
	for (int epoch = 0; epoch < 12; epoch++) {
		tree_n = 0;
		put(10, 500000000, true);
		put(11, 100000000 + (uint64_t)epoch * 3000000, false);
		put(12, 100000000 + (uint64_t)epoch * 1000000, false);
		put(100 + epoch, 100000000, false); /* a worker of one epoch */
		look(c, epoch, epoch * 1000);
		look(c, epoch, epoch * 1000 + 500);
	}
	assert_int_equal(growing_processes_top(c, true, 0, top, 3), 2);
	assert_int_equal(top[0].pid, 11);
	assert_string_equal(top[0].name, "p11");
	assert_false(top[0].root);
	assert_true(top[0].slope > 2.99e6 && top[0].slope < 3.01e6);
	assert_true(top[0].share > 0.74 && top[0].share < 0.76);
	assert_int_equal(top[1].pid, 12);
	growing_processes_top(c, true, 40e6, top, 3); /* others came and stayed */
	assert_true(top[0].share > 0.07 && top[0].share < 0.08);
	assert_int_equal(growing_processes_top(c, true, 0, top, 1), 1);
	assert_int_equal(top[0].pid, 11);
	growing_processes_free(c);
}

static void without_epochs_it_is_per_second(void **state)
{
	struct growing_processes *c = growing_processes_new();
	struct growing_process top;

	(void)state;
	for (int64_t ms = 0; ms < 60000; ms += 200) {
		tree_n = 0;
		put(10, 1000000 + (uint64_t)ms * 50, true);
		look(c, -1, ms);
	}
	assert_int_equal(growing_processes_top(c, false, 0, &top, 1), 1);
	assert_true(top.root);
	assert_true(top.slope > 49900 && top.slope < 50100);
	assert_int_equal(top.looks, 11);
	growing_processes_free(c);
}

static void a_reused_number_is_another_process(void **state)
{
	struct growing_processes *c = growing_processes_new();
	struct growing_process top;

	(void)state;
	for (int epoch = 0; epoch < 12; epoch++) {
		tree_n = 0;
		put(10, 1000000 + (uint64_t)epoch * 1000000, true);
		tree[0].seen_ticks = epoch < 6 ? 100 + (uint64_t)epoch : (uint64_t)epoch;
		look(c, epoch, epoch * 1000);
	}
	assert_int_equal(growing_processes_top(c, true, 0, &top, 1), 1);
	assert_int_equal(top.looks, 6);
	growing_processes_free(c);
}

static void a_large_tree_is_followed_in_part(void **state)
{
	struct growing_processes *c = growing_processes_new();
	struct growing_process top[3];

	(void)state;
	for (int epoch = 0; epoch < 12; epoch++) {
		tree_n = 0;
		for (int i = 0; i < 128; i++)
			put(1 + i, 1000000 + (uint64_t)(i == 20 ? epoch * 1000000 : 0), i == 0);
		look(c, epoch, epoch * 1000);
	}
	assert_int_equal(growing_processes_top(c, true, 0, top, 3), 1);
	assert_int_equal(top[0].pid, 21);
	growing_processes_free(c);
}

/* New workers stand before the old process in the tree, and there are more of them than free places. */
static void newcomers_take_no_living_place(void **state)
{
	struct growing_processes *c = growing_processes_new();
	struct growing_process top;

	(void)state;
	for (int epoch = 0; epoch < 40; epoch++) {
		tree_n = 0;
		put(10, 500000000, true);
		for (int i = 0; i < (epoch < 20 ? 4 : 8); i++)
			put(100 + epoch * 8 + i, 100000000, false);
		if (epoch >= 15)
			put(11, 100000000 + (uint64_t)epoch * 3000000, false);
		look(c, epoch, epoch * 1000);
	}
	assert_int_equal(growing_processes_top(c, true, 0, &top, 1), 1);
	assert_int_equal(top.pid, 11);
	assert_int_equal(top.looks, 25);
	growing_processes_free(c);
}

/* Epochs end after the tenth; another process grows from then on. */
static void by_time_it_may_be_another_one(void **state)
{
	struct growing_processes *c = growing_processes_new();
	struct growing_process top;

	(void)state;
	for (int t = 0; t < 200; t++) {
		tree_n = 0;
		put(10, 100000000 + (uint64_t)(t < 10 ? t : 10) * 1000000, true);
		put(11, 100000000 + (uint64_t)(t > 10 ? t - 10 : 0) * 1000000, false);
		look(c, t < 10 ? t : 10, t * 1000);
	}
	assert_int_equal(growing_processes_top(c, true, 0, &top, 1), 1);
	assert_int_equal(top.pid, 10);
	assert_int_equal(growing_processes_top(c, false, 0, &top, 1), 1);
	assert_int_equal(top.pid, 11);
	assert_true(top.slope > 900000 && top.slope < 1100000);
	growing_processes_free(c);
}

static void setup_does_not_count(void **state)
{
	struct growing_processes *c = growing_processes_new();
	struct growing_process top;

	(void)state;
	for (int64_t ms = 0; ms < 60000; ms += 1000) {
		tree_n = 0;
		put(10, 1000000 + (uint64_t)(ms < 30000 ? ms : 30000) * 50000, true);
		look(c, ms < 30000 ? -1 : (ms - 30000) / 3000, ms);
	}
	assert_int_equal(growing_processes_top(c, true, 0, &top, 1), 0);
	growing_processes_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_one_that_grows_is_found),
	    cmocka_unit_test(without_epochs_it_is_per_second),
	    cmocka_unit_test(a_reused_number_is_another_process),
	    cmocka_unit_test(a_large_tree_is_followed_in_part),
	    cmocka_unit_test(newcomers_take_no_living_place),
	    cmocka_unit_test(by_time_it_may_be_another_one),
	    cmocka_unit_test(setup_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
