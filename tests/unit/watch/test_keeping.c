/* SPDX-License-Identifier: MIT */
#include "record/kept.h"

/* A folder on a server that does not answer cannot be had in a test: whoever opens it waits here. */
static int create_or_hang(const char *folder, int64_t began_s, int pid);
#define kept_create create_or_hang
#include "watch/keeping.c"
#undef kept_create

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { PID = 4711 };

static atomic_bool hangs;

static int create_or_hang(const char *folder, int64_t began_s, int pid)
{
	while (atomic_load(&hangs))
		usleep(1000);
	return kept_create(folder, began_s, pid);
}

static char root[] = "/tmp/test_keeping.XXXXXX";

static int make_root(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	return setenv("XDG_STATE_HOME", root, 1);
}

static int remove_root(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

/* Waits for the thread as long as it takes: rows are many here, and the pipe must not lose any. */
static void push(struct keeping *k, int64_t ms, int64_t epoch, bool heap)
{
	struct sample s = {.n = CH_HOST_COUNT, .elapsed_ms = ms, .wall_ms = ms, .epoch = epoch, .procs = 1};
	uint64_t lost = csv_writer_lost(k->csv);

	for (int i = 0; i < CH_HOST_COUNT; i++)
		s.v[i] = (struct reading){123456789, i != CH_HEAP_USED || heap};
	do {
		lost = csv_writer_lost(k->csv);
		keeping_row(k, &s);
	} while (csv_writer_lost(k->csv) > lost && usleep(100) == 0);
}

/* The file of the only run there is; its rows, its size, and whether it ends with a whole row. */
struct file {
	long rows, bytes;
	bool whole;
};

static bool read_file(struct file *f)
{
	char *path, last = '\n';
	char *folder = kept_folder(getenv);
	FILE *in;
	int c;

	*f = (struct file){.rows = -1};
	if (kept_newest(folder, &path, 1) == 0) {
		free(folder);
		return false;
	}
	in = fopen(path, "r");
	for (; (c = getc(in)) != EOF; f->bytes++) {
		f->rows += c == '\n';
		last = (char)c;
	}
	f->whole = last == '\n';
	fclose(in);
	unlink(path);
	free(path);
	free(folder);
	return true;
}

static struct keeping *begin(void)
{
	struct keeping *k = keeping_new(PID);

	assert_non_null(k);
	keeping_columns(k, NULL, 0);
	return k;
}

static void all_rows_of_a_run_are_kept(void **state)
{
	struct keeping *k = begin();
	struct file f;

	(void)state;
	for (int i = 0; i < 1000; i++)
		push(k, 200 * i, i / 10, false);
	assert_true(keeping_works(k));
	assert_true(keeping_close(k));
	assert_true(read_file(&f));
	assert_int_equal(f.rows, 1000);
	assert_true(f.whole);
}

static void a_short_run_leaves_nothing(void **state)
{
	struct keeping *k = begin();
	struct file f;

	(void)state;
	for (int i = 0; i < 10; i++)
		push(k, 100 * i, -1, false);
	assert_false(keeping_works(k));
	assert_true(keeping_close(k));
	assert_false(read_file(&f));
}

static void a_long_run_is_thinned_and_bounded_but_no_epoch_is_lost(void **state)
{
	struct keeping *k = begin();
	struct file f;
	long rows = 0;

	(void)state;
	while (csv_writer_bytes(k->csv) < KEEPING_MOST_BYTES / STEPS * 3) {
		push(k, 200 * rows, rows / 1000, false);
		rows++;
	}
	assert_in_range(rows, KEEPING_MOST_BYTES / STEPS * 7 / 250, KEEPING_MOST_BYTES / STEPS * 7 / 100);
	push(k, 200 * rows, 1 << 20, false); /* an epoch's end */
	assert_int_equal(k->epoch, 1 << 20);
	for (; csv_writer_bytes(k->csv) < KEEPING_MOST_BYTES; rows += 7)
		push(k, 200 * rows, 1 << 21, true);
	for (int i = 0; i < 100; i++)
		push(k, 200 * (rows + i), i, true);
	assert_true(keeping_close(k));
	assert_true(read_file(&f));
	assert_in_range(f.bytes, KEEPING_MOST_BYTES, KEEPING_MOST_BYTES + 1024);
	assert_true(f.whole);
}

static void a_full_disk_ends_it_at_a_whole_row(void **state)
{
	struct rlimit before, small;
	struct keeping *k = begin();
	struct file f;

	(void)state;
	getrlimit(RLIMIT_FSIZE, &before);
	small = before;
	small.rlim_cur = 20000;
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 0; i < 5000; i++)
		push(k, 200 * i, 0, false);
	while (keeping_works(k))
		push(k, 1000000, 0, false);
	assert_true(keeping_close(k));
	setrlimit(RLIMIT_FSIZE, &before);
	assert_true(read_file(&f));
	assert_in_range(f.bytes, 1, 20000);
	assert_true(f.whole);
}

static void a_folder_that_cannot_be_made_only_keeps_nothing(void **state)
{
	struct keeping *k;

	(void)state;
	setenv("XDG_STATE_HOME", "/proc/none", 1);
	k = begin();
	for (int i = 0; i < 5000; i++)
		push(k, 200 * i, 0, false);
	while (!atomic_load(&k->error))
		usleep(1000);
	assert_false(keeping_works(k));
	assert_true(keeping_close(k));
	setenv("XDG_STATE_HOME", root, 1);
}

/* Twenty pipes full of rows go nowhere, and nobody waits for them. */
static void a_folder_that_hangs_holds_nobody_up(void **state)
{
	struct sample s = {.n = CH_HOST_COUNT, .elapsed_ms = KEEPING_LEAST_MS, .procs = 1};
	static struct keeping *k;
	struct file f;

	(void)state;
	atomic_store(&hangs, true);
	k = begin();
	for (int i = 0; i < 20000; i++)
		keeping_row(k, &s);
	assert_true(csv_writer_lost(k->csv) > 0);
	assert_false(keeping_close(k));
	atomic_store(&hangs, false);
	pthread_join(k->thread, NULL); /* memwatch would have ended */
	assert_true(read_file(&f));
	assert_true(f.whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_rows_of_a_run_are_kept),
	    cmocka_unit_test(a_short_run_leaves_nothing),
	    cmocka_unit_test(a_long_run_is_thinned_and_bounded_but_no_epoch_is_lost),
	    cmocka_unit_test(a_full_disk_ends_it_at_a_whole_row),
	    cmocka_unit_test(a_folder_that_cannot_be_made_only_keeps_nothing),
	    cmocka_unit_test(a_folder_that_hangs_holds_nobody_up),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
