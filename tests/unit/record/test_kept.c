/* SPDX-License-Identifier: MIT */
#include "record/kept.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static char root[] = "/tmp/test_kept.XXXXXX";
static char folder[64];

static int make_root(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	snprintf(folder, sizeof(folder), "%s/a/b/memwatch", root);
	return 0;
}

static int remove_root(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static const char *values[2];

static char *env(const char *name)
{
	return (char *)values[strcmp(name, "HOME") == 0];
}

static void the_folder_is_that_of_the_xdg_specification(void **state)
{
	static const struct {
		const char *state, *home, *folder;
	} cases[] = {
	    {"/s", "/home/u", "/s/memwatch"},
	    {NULL, "/home/u", "/home/u/.local/state/memwatch"},
	    {"", "/home/u", "/home/u/.local/state/memwatch"},
	    {"relative", "/home/u", "/home/u/.local/state/memwatch"},
	    {NULL, NULL, NULL},
	    {NULL, "", NULL},
	    {NULL, "/", NULL},
	    {NULL, "relative", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *found;

		values[0] = cases[i].state;
		values[1] = cases[i].home;
		found = kept_folder(env);
		assert_int_equal(!found, !cases[i].folder);
		if (found)
			assert_string_equal(found, cases[i].folder);
		free(found);
	}
}

/* A run of one row that has ended; its file is changed `second` seconds into 2026. */
static void run_once(int second, pid_t pid)
{
	struct timespec at[2] = {{.tv_sec = 1767225600 + second}, {.tv_sec = 1767225600 + second}};
	int fd = kept_create(folder, 1767225600 + second, pid);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "x\n", 2), 2);
	assert_int_equal(futimens(fd, at), 0);
	close(fd);
}

static size_t files(void)
{
	int fd = open_folder(folder);
	size_t n;

	free(list(fd, &n));
	close(fd);
	return n;
}

static void only_the_last_runs_stay(void **state)
{
	char *paths[KEPT_RUNS];
	size_t n;

	(void)state;
	for (int i = 0; i < 1000; i++)
		run_once(i, 100 + i);
	assert_int_equal(files(), KEPT_RUNS);
	n = kept_newest(folder, paths, KEPT_RUNS);
	assert_int_equal(n, KEPT_RUNS);
	assert_non_null(strstr(paths[0], "/memwatch/20260101T001639Z-1099.csv"));
	assert_non_null(strstr(paths[9], "/memwatch/20260101T001630Z-1090.csv"));
	while (n > 0)
		free(paths[--n]);
}

static void a_run_that_goes_on_is_neither_removed_nor_the_last_one(void **state)
{
	int running = kept_create(folder, 1767225600, 7);
	char *paths[2];

	(void)state;
	assert_int_equal(write(running, "x\n", 2), 2);
	for (int i = 2000; i < 2020; i++)
		run_once(i, 8);
	assert_int_equal(files(), KEPT_RUNS + 1);
	assert_int_equal(kept_newest(folder, paths, 1), 1);
	assert_non_null(strstr(paths[0], "T003339Z-8.csv"));
	free(paths[0]);
	close(running);
	assert_int_equal(kept_newest(folder, paths, 1), 1);
	assert_non_null(strstr(paths[0], "T000000Z-7.csv")); /* written just now */
	free(paths[0]);
}

static void names_are_never_taken_twice(void **state)
{
	int a = kept_create(folder, 1767225600, 42), b = kept_create(folder, 1767225600, 42);
	struct stat st;

	(void)state;
	assert_true(a >= 0 && b >= 0);
	assert_int_equal(fstat(a, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat(folder, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	close(a);
	close(b);
}

static void others_files_are_left_alone(void **state)
{
	static const char *const names[] = {"notes.txt", "20260101T000000Z-1.csv.bak", "20260101-1.csv",
					    "2026010xT000000Z-1.csv"};
	char path[128];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		f = fopen(path, "w");
		assert_non_null(f);
		fputs("mine\n", f);
		fclose(f);
	}
	for (int i = 3000; i < 3030; i++)
		run_once(i, 9);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		assert_int_equal(access(path, F_OK), 0);
	}
}

static void a_folder_that_cannot_be_is_an_error_and_nothing_else(void **state)
{
	char link[96], *path;

	(void)state;
	assert_true(kept_create("/proc/none/memwatch", 0, 1) < 0);
	assert_int_equal(kept_newest("/proc/none/memwatch", &path, 1), 0);
	snprintf(link, sizeof(link), "%s/link", root);
	assert_int_equal(symlink("/tmp", link), 0);
	assert_true(kept_create(link, 0, 1) < 0); /* somebody else's choice of where */
}

static void a_run_belongs_to_the_process_that_lived_then(void **state)
{
	static const struct {
		const char *name;
		bool is;
	} rows[] = {
	    {"20261118T020501Z-4711.csv", true},  {"20261118T020501Z-4711-2.csv", true},
	    {"20261118T020459Z-4711.csv", false}, {"20261118T020502Z-4711.csv", false},
	    {"20261118T020501Z-471.csv", false},  {"20261118T020501Z-47110.csv", false},
	};
	const int64_t at_s = 1794967501; /* 2026-11-18 02:05:01 UTC */

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(is_of_process(rows[i].name, 4711, at_s - 1, at_s + 1), rows[i].is);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_folder_is_that_of_the_xdg_specification),
	    cmocka_unit_test(only_the_last_runs_stay),
	    cmocka_unit_test(a_run_belongs_to_the_process_that_lived_then),
	    cmocka_unit_test(a_run_that_goes_on_is_neither_removed_nor_the_last_one),
	    cmocka_unit_test(names_are_never_taken_twice),
	    cmocka_unit_test(others_files_are_left_alone),
	    cmocka_unit_test(a_folder_that_cannot_be_is_an_error_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
