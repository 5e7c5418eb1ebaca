/* SPDX-License-Identifier: MIT */
/* The number of processes over a run. */
#include "series/process_count.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 4, EPOCHS = 20 };

/* Processes in a row of an epoch. */
static int64_t one_more_each(int epoch, int row)
{
	return 1 + epoch + (row > 2);
}

static int64_t one_more_in_five(int epoch, int row)
{
	(void)row;
	return 3 + epoch / 5;
}

static int64_t one_step(int epoch, int row)
{
	(void)row;
	return epoch < 10 ? 1 : 9;
}

static int64_t workers_of_one_epoch(int epoch, int row)
{
	(void)epoch;
	return row == 0 ? 1 : 9;
}

static int64_t unknown(int epoch, int row)
{
	(void)epoch;
	(void)row;
	return -1;
}

static const struct {
	int64_t (*procs)(int epoch, int row);
	bool rises;
	int64_t from, to;
} cases[] = {
    {one_more_each, true, 1, 20},        {one_more_in_five, true, 3, 6}, {one_step, false, 0, 0},
    {workers_of_one_epoch, false, 0, 0}, {unknown, false, 0, 0},
};

static void only_a_rise_to_the_end_is_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct process_count c;
		int64_t from, to;

		process_count_init(&c);
		for (int r = 0; r < 8; r++)
			process_count_push(&c, r, -1, 100 + r); /* set-up */
		for (int epoch = 0; epoch < EPOCHS; epoch++)
			for (int r = 0; r < ROWS; r++)
				process_count_push(&c, epoch * 1000 + r, epoch, cases[i].procs(epoch, r));
		process_count_push(&c, 30000, EPOCHS, 1); /* tear-down */
		if (cases[i].procs == unknown)
			process_count_init(&c);
		assert_int_equal(process_count_rises(&c, &from, &to), cases[i].rises);
		if (cases[i].rises) {
			assert_int_equal(from, cases[i].from);
			assert_int_equal(to, cases[i].to);
		}
	}
}

static void without_epochs_every_row_counts(void **state)
{
	struct process_count c;
	int64_t from, to;

	(void)state;
	process_count_init(&c);
	for (int i = 0; i < 300; i++)
		process_count_push(&c, i * 100, -1, 2 + i / 20);
	assert_true(process_count_rises(&c, &from, &to));
	assert_int_equal(from, 2);
	assert_int_equal(to, 16);
	process_count_init(&c);
	for (int i = 0; i < 300; i++)
		process_count_push(&c, i * 100, -1, i < 10 ? 1 : 9); /* workers are started, and stay */
	assert_false(process_count_rises(&c, &from, &to));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_a_rise_to_the_end_is_one),
	    cmocka_unit_test(without_epochs_every_row_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
