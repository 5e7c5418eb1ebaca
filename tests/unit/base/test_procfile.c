/* SPDX-License-Identifier: MIT */
#include "base/procfile.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define KB UINT64_C(1024)

#define HEAD                                                                                                 \
	"Name:\tpython3\nUmask:\t0022\nState:\tS "                                                           \
	"(sleeping)\nTgid:\t6810\nNgid:\t0\nPid:\t6810\nPPid:\t6795\n"                                       \
	"Uid:\t0\t0\t0\t0\nFDSize:\t256\nGroups:\t \n"
#define MEMORY                                                                                               \
	"VmPeak:\t    3060 kB\nVmHWM:\t    1728 kB\nVmRSS:\t    1728 kB\nRssAnon:\t     112 kB\nRssFile:\t " \
	"   1600 kB\n"                                                                                       \
	"RssShmem:\t      16 kB\nVmData:\t     360 kB\nVmPTE:\t      48 kB\nVmSwap:\t       8 kB\n"
#define TAIL "HugetlbPages:\t       0 kB\nThreads:\t7\nSigQ:\t0/96343\n"

struct status_case {
	const char *text;
	int result;
	struct proc_status want;
};

static const struct status_case statuses[] = {
    {HEAD MEMORY TAIL,
     0,
     {.rss = 1728 * KB,
      .anon = 112 * KB,
      .file = 1600 * KB,
      .shmem = 16 * KB,
      .swap = 8 * KB,
      .threads = 7,
      .state = 'S',
      .mm = true,
      .split = true}},
    /* a zombie and a kernel thread have no memory lines */
    {"Name:\tx\nState:\tZ (zombie)\nTgid:\t5\nPPid:\t1\nThreads:\t1\n", 0, {.threads = 1, .state = 'Z'}},
    {"Name:\tkworker/0:1\nUmask:\t0000\nState:\tI (idle)\nThreads:\t1\n", 0, {.threads = 1, .state = 'I'}},
    /* before Linux 4.5 and in gVisor: a sum only */
    {"Name:\tx\nState:\tR (running)\nVmRSS:\t 100 kB\nVmSwap:\t 4 kB\nThreads:\t2\n",
     0,
     {.rss = 100 * KB, .swap = 4 * KB, .threads = 2, .state = 'R', .mm = true}},
    /* without swap support */
    {"Name:\tx\nState:\tR (running)\nVmRSS:\t 100 kB\nRssAnon:\t 60 kB\nRssFile:\t 40 kB\nRssShmem:\t 0 "
     "kB\nThreads:\t2\n",
     0,
     {.rss = 100 * KB,
      .anon = 60 * KB,
      .file = 40 * KB,
      .threads = 2,
      .state = 'R',
      .mm = true,
      .split = true}},
    /* a name cannot begin a line: the kernel writes its newlines as \n */
    {"Name:\tVmRSS:\\nVmRSS:\t9 kB\nState:\tS (sleeping)\nVmRSS:\t 100 kB\nThreads:\t2\n",
     0,
     {.rss = 100 * KB, .threads = 2, .state = 'S', .mm = true}},
    /* more than fits: held at the largest value, never wrapped round */
    {"State:\tS\nVmRSS:\t99999999999999999999999 kB\nRssAnon:\t18446744073709551615 kB\nRssFile:\t 0 "
     "kB\nRssShmem:\t 0 kB\n"
     "Threads:\t99999999999\n",
     0,
     {.rss = UINT64_MAX, .anon = UINT64_MAX, .threads = INT32_MAX, .state = 'S', .mm = true, .split = true}},
    {"", -EINVAL, {0}},
    {"State:\t", -EINVAL, {0}},
    {HEAD MEMORY, -EINVAL, {0}},
    {HEAD MEMORY "Threads:\tx\n", -EINVAL, {0}},
    {"\n\n\n", -EINVAL, {0}},
};

static void status_equal(const struct proc_status *a, const struct proc_status *b)
{
	assert_int_equal(a->rss, b->rss);
	assert_int_equal(a->anon, b->anon);
	assert_int_equal(a->file, b->file);
	assert_int_equal(a->shmem, b->shmem);
	assert_int_equal(a->swap, b->swap);
	assert_int_equal(a->threads, b->threads);
	assert_int_equal(a->state, b->state);
	assert_int_equal(a->mm, b->mm);
	assert_int_equal(a->split, b->split);
}

static void status_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
		const struct status_case *c = &statuses[i];
		struct proc_hints hints = {0};
		struct proc_status got;

		assert_int_equal(proc_parse_status(c->text, strlen(c->text), &hints, &got), c->result);
		if (c->result == 0)
			status_equal(&got, &c->want);
	}
}

/* Hints left by one file never change what is read from another. */
static void hints_change_nothing(void **state)
{
	const size_t n = sizeof(statuses) / sizeof(*statuses);

	(void)state;
	for (size_t i = 0; i < n * n; i++) {
		const struct status_case *first = &statuses[i / n], *second = &statuses[i % n];
		struct proc_hints hints = {0};
		struct proc_status got;

		proc_parse_status(first->text, strlen(first->text), &hints, &got);
		assert_int_equal(proc_parse_status(second->text, strlen(second->text), &hints, &got),
				 second->result);
		if (second->result == 0)
			status_equal(&got, &second->want);
	}
}

static void hints_spare_the_walk(void **state)
{
	struct proc_hints hints = {0}, again;
	struct proc_status got;

	(void)state;
	assert_int_equal(proc_parse_status(HEAD MEMORY TAIL, sizeof(HEAD MEMORY TAIL) - 1, &hints, &got), 0);
	assert_true(hints.rss && hints.swap && hints.threads);
	again = hints;
	assert_int_equal(proc_parse_status(HEAD MEMORY TAIL, sizeof(HEAD MEMORY TAIL) - 1, &again, &got), 0);
	assert_memory_equal(&hints, &again, sizeof(hints));
}

/* Every file cut off at every byte, in a buffer of exactly that size, after hints from the whole one. */
static void a_file_may_end_anywhere(void **state)
{
	static const char rollup[] =
	    "1-2 ---p 0 00:00 0 [rollup]\nRss: 1740 kB\nPss:  327 kB\nPss_Anon: 108 kB\n"
	    "Pss_Shmem: 4 kB\nPrivate_Dirty: 9 kB\nAnonymous: 108 kB\nSwapPss: 0 kB\n";
	static const char stat[] = "6810 (foo) Z) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20\n";
	static const char limits[] =
	    "Limit Soft Limit Hard Limit Units\nMax address space unlimited unlimited bytes\n";
	static const char text[] = HEAD MEMORY TAIL;
	static const char *const all[] = {text, rollup, stat, limits, "0.58 0.29 0.13 3/97 10368\n"};
	struct proc_hints whole = {0};
	struct proc_status status;

	(void)state;
	proc_parse_status(text, sizeof(text) - 1, &whole, &status);
	for (size_t f = 0; f < sizeof(all) / sizeof(*all); f++) {
		for (size_t len = 0; len <= strlen(all[f]); len++) {
			char *copy = malloc(len ? len : 1);
			const char *at = copy;
			struct proc_hints hints = whole;
			struct proc_identity id;
			struct proc_rollup r;
			uint64_t v;
			pid_t pid;

			memcpy(copy, all[f], len);
			proc_parse_status(copy, len, &hints, &status);
			proc_parse_identity(copy, len, &id);
			proc_parse_rollup(copy, len, &r);
			proc_parse_start(copy, len, &v);
			proc_parse_layout(copy, len, &(struct proc_layout){0});
			proc_parse_limit_as(copy, len, &v);
			proc_parse_last_pid(copy, len, &v);
			while (proc_next_pid(&at, copy + len, &pid))
				assert_true(at <= copy + len);
			free(copy);
		}
	}
}

static void identity_is_read(void **state)
{
	struct proc_identity id;
	const char *zombie = "Name:\ta name longer than fifteen\nState:\tZ (zombie)\nTgid:\t77\nPPid:\t1\n";

	(void)state;
	assert_int_equal(proc_parse_identity(HEAD, sizeof(HEAD) - 1, &id), 0);
	assert_string_equal(id.name, "python3");
	assert_int_equal(id.tgid, 6810);
	assert_int_equal(id.ppid, 6795);
	assert_int_equal(id.state, 'S');
	assert_int_equal(proc_parse_identity(zombie, strlen(zombie), &id), 0);
	assert_string_equal(id.name, "a name longer t");
	assert_int_equal(id.state, 'Z');
	assert_int_equal(proc_parse_identity("Name:\tx\nState:\tS\n", 17, &id), -EINVAL);
}

static void the_name_in_stat_may_hold_anything(void **state)
{
	static const char *const names[] = {"sh", "foo) Z", ") R 1 2 3", "))))", "a b c d e f g",
					    "",   "(",      ") "};
	uint64_t start;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char buf[256];
		int n = snprintf(buf, sizeof(buf),
				 "12 (%s) S 1 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 4242 23 24\n",
				 names[i]);

		start = 0;
		assert_int_equal(proc_parse_start(buf, (size_t)n, &start), 0);
		assert_int_equal(start, 4242);
	}
	assert_int_equal(proc_parse_start("12 (x) S 1 2", 12, &start), -EINVAL);
	assert_int_equal(proc_parse_start("", 0, &start), -EINVAL);
}

static void the_layout_is_read_where_it_is_told(void **state)
{
	static const char head[] =
	    "12 (a) 26 27 28) S 1 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 4242 23 24 25 ";
	static const char tail[] = " 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 ";
	char buf[512];
	struct proc_layout l;
	int n = snprintf(buf, sizeof(buf), "%s94000 27 140700%s95000 48 49 50 51 0\n", head, tail);

	(void)state;
	assert_int_equal(proc_parse_layout(buf, (size_t)n, &l), 0);
	assert_int_equal(l.code, 94000);
	assert_int_equal(l.stack, 140700);
	assert_int_equal(l.brk, 95000);
	assert_int_equal(l.start_ticks, 4242);
	n = snprintf(buf, sizeof(buf), "%s1 1 0%s0 0 0 0 0 0\n", head, tail); /* another user's */
	assert_int_equal(proc_parse_layout(buf, (size_t)n, &l), -EINVAL);
	assert_int_equal(proc_parse_layout(head, sizeof(head) - 1, &l), -EINVAL);
}

static void rollup_is_read(void **state)
{
	static const char text[] =
	    "55e-7ff ---p 00000000 00:00 0    [rollup]\nRss:    1740 kB\nPss:     327 kB\n"
	    "Pss_Dirty: 1 kB\nPss_Anon:  108 kB\nPss_File:  200 kB\nPss_Shmem: 19 kB\n"
	    "Private_Dirty: 77 kB\nAnonymous: 120 kB\nSwap: 6 kB\nSwapPss: 3 kB\n";
	static const char old[] =
	    "55e-7ff ---p 00000000 00:00 0    [rollup]\nRss:    1740 kB\nPss:     327 kB\n";
	struct proc_rollup r;

	(void)state;
	assert_int_equal(proc_parse_rollup(text, sizeof(text) - 1, &r), 0);
	assert_int_equal(r.pss, 327 * KB);
	assert_int_equal(r.pss_anon, 108 * KB);
	assert_int_equal(r.pss_shmem, 19 * KB);
	assert_int_equal(r.anonymous, 120 * KB);
	assert_int_equal(r.private_dirty, 77 * KB);
	assert_int_equal(r.swap_pss, 3 * KB);
	assert_true(r.parts);
	assert_int_equal(proc_parse_rollup(old, sizeof(old) - 1, &r), 0);
	assert_int_equal(r.pss, 327 * KB);
	assert_false(r.parts);
	assert_int_equal(proc_parse_rollup("Rss: 1 kB\n", 10, &r), -EINVAL);
}

static void address_space_limit_is_read(void **state)
{
	static const struct {
		const char *text;
		int result;
		uint64_t want;
	} cases[] = {
	    {"Max cpu time  unlimited  unlimited  seconds\nMax address space    1073741824   2147483648   "
	     "bytes\n",
	     0, UINT64_C(1) << 30},
	    {"Max address space         unlimited            unlimited            bytes\n", 0, UINT64_MAX},
	    {"Max address space         what               unlimited            bytes\n", -EINVAL, 0},
	    {"Max open files 1024 1024 files\n", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t v = 0;

		assert_int_equal(proc_parse_limit_as(cases[i].text, strlen(cases[i].text), &v),
				 cases[i].result);
		if (cases[i].result == 0)
			assert_int_equal(v, cases[i].want);
	}
}

static void lists_of_pids(void **state)
{
	static const struct {
		const char *text;
		int count;
		pid_t last;
	} cases[] = {
	    {"", 0, 0},
	    {" ", 0, 0},
	    {"7 ", 1, 7},
	    {"7", 1, 7},
	    {"1 22 4194304 ", 3, 4194304},
	    {"1 99999999999 3 ", 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *at = cases[i].text, *end = at + strlen(at);
		pid_t pid = 0, got;
		int n = 0;

		for (; proc_next_pid(&at, end, &got); n++)
			pid = got;
		assert_int_equal(n, cases[i].count);
		assert_int_equal(pid, cases[i].last);
	}
}

static void last_pid_is_the_last_field(void **state)
{
	uint64_t v;

	(void)state;
	assert_int_equal(proc_parse_last_pid("0.58 0.29 0.13 3/97 10368\n", 26, &v), 0);
	assert_int_equal(v, 10368);
	assert_int_equal(proc_parse_last_pid("rubbish\n", 8, &v), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(status_is_read),
	    cmocka_unit_test(hints_change_nothing),
	    cmocka_unit_test(hints_spare_the_walk),
	    cmocka_unit_test(a_file_may_end_anywhere),
	    cmocka_unit_test(identity_is_read),
	    cmocka_unit_test(the_name_in_stat_may_hold_anything),
	    cmocka_unit_test(the_layout_is_read_where_it_is_told),
	    cmocka_unit_test(rollup_is_read),
	    cmocka_unit_test(address_space_limit_is_read),
	    cmocka_unit_test(lists_of_pids),
	    cmocka_unit_test(last_pid_is_the_last_field),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
