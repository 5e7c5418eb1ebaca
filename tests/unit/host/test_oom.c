/* SPDX-License-Identifier: MIT */
#include "host/oom.c"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>

static char root[] = "/tmp/test_oom.XXXXXX";
static char proc[64], cgroup[64];

static void put(const char *dir, const char *file, const char *text)
{
	char name[256];
	FILE *f;

	snprintf(name, sizeof(name), "%s/%s", dir, file);
	for (char *p = name + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(name, 0777);
		*p = '/';
	}
	f = fopen(name, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int make_root(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(cgroup, sizeof(cgroup), "%s/cgroup", root);
	return 0;
}

static int remove_root(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static void counters_before_and_after(void **state)
{
	static const struct {
		const char *membership, *file, *before, *after, *vmstat_before, *vmstat_after;
		enum oom_answer answer;
		int count;
	} cases[] = {
	    {"0::/job\n", "job/memory.events", "low 0\noom 1\noom_kill 0\n", "low 0\noom 2\noom_kill 1\n",
	     "oom_kill 0\n", "oom_kill 1\n", OOM_CGROUP, 1},
	    {"3:cpu:/\n5:memory:/job\n0::/x\n", "memory/job/memory.oom_control", "under_oom 0\noom_kill 4\n",
	     "under_oom 0\noom_kill 5\n", "a 1\noom_kill 0\n", "a 2\noom_kill 0\n", OOM_CGROUP, 1},
	    {"0::/outer/path\n", "memory.events", "oom_kill 0\n", "oom_kill 1\n", "oom_kill 0\n",
	     "oom_kill 1\n", OOM_CGROUP, 1},
	    {"0::/job\n", "job/memory.events", "oom_kill 7\n", "oom_kill 7\n", "oom_kill 3\n", "oom_kill 4\n",
	     OOM_MACHINE, 0},
	    {"0::/job\n", "job/memory.events", "oom_kill 7\n", "oom_kill 7\n", "oom_kill 3\n", "oom_kill 3\n",
	     OOM_NO, 0},
	    {"0::/none\n", "other", "", "", "x_oom_kill 9\n", "x_oom_kill 10\n", OOM_UNKNOWN, -1},
	    {"", "other", "", "", "oom_kill 3\n", "oom_kill 5\n", OOM_MACHINE, -1},
	    {"", "other", "", "", "oom_kill 0\n", "oom_kill 0\n", OOM_NO, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char job[128];
		struct oom_kills kills;
		struct oom o;

		snprintf(job, sizeof(job), "%s/%zu", cgroup, i);
		put(proc, "42/cgroup", cases[i].membership);
		put(proc, "vmstat", cases[i].vmstat_before);
		put(job, cases[i].file, cases[i].before);
		oom_open(&o, proc);
		oom_add(&o, proc, job, 42);
		oom_add(&o, proc, job, 42); /* counted once */
		put(proc, "vmstat", cases[i].vmstat_after);
		put(job, cases[i].file, cases[i].after);
		oom_since(&o, &kills);
		assert_int_equal(oom_answer(&kills), cases[i].answer);
		assert_int_equal(oom_count(&kills), cases[i].count);
		oom_close(&o);
	}
}

static void every_cgroup_counts(void **state)
{
	struct oom_kills kills;
	struct oom o;

	(void)state;
	put(proc, "vmstat", "oom_kill 0\n");
	put(proc, "42/cgroup", "0::/one\n");
	put(proc, "43/cgroup", "0::/two\n");
	put(proc, "44/cgroup", "0::/none\n");
	put(cgroup, "one/memory.events", "oom_kill 3\n");
	put(cgroup, "two/memory.events", "oom_kill 5\n");
	oom_open(&o, proc);
	oom_add(&o, proc, cgroup, 42);
	oom_add(&o, proc, cgroup, 43);
	oom_since(&o, &kills);
	assert_int_equal(kills.cgroup, 0);
	oom_add(&o, proc, cgroup, 44); /* of which nothing is known */
	oom_since(&o, &kills);
	assert_int_equal(kills.cgroup, -1);
	put(cgroup, "two/memory.events", "oom_kill 6\n");
	oom_since(&o, &kills);
	assert_int_equal(kills.cgroup, 1);
	oom_close(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(counters_before_and_after),
	    cmocka_unit_test(every_cgroup_counts),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
