/* SPDX-License-Identifier: MIT */
#include "host/cgroup.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "fakeproc.h"

#define MB (UINT64_C(1) << 20)

struct limit_case {
	const char *title;
	const char *mountinfo; /* %1$s is the made root */
	const char *group;     /* of the process */
	const char *files[6];  /* path and text in turn */
	uint64_t want;
};

#define V2_AT(root, at) "30 23 0:26 " root " %1$s/" at " rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_AT(root, at) "31 23 0:27 " root " %1$s/" at " rw,nosuid - cgroup cgroup rw,memory\n"

static const struct limit_case cases[] = {
    {"version 2, the group itself",
     V2_AT("/", "cg"),
     "0::/a/b\n",
     {"cg/a/b/memory.max", "104857600\n", "cg/a/memory.max", "max\n"},
     100 * MB},
    {"version 2, a parent is tighter",
     V2_AT("/", "cg"),
     "0::/a/b\n",
     {"cg/a/b/memory.max", "104857600\n", "cg/a/memory.max", "52428800\n"},
     50 * MB},
    {"version 2, no limit",
     V2_AT("/", "cg"),
     "0::/a/b\n",
     {"cg/a/b/memory.max", "max\n", "cg/a/memory.max", "max\n"},
     UINT64_MAX},
    {"version 2, top group in a container",
     V2_AT("/", "cg"),
     "0::/\n",
     {"cg/memory.max", "104857600\n"},
     100 * MB},
    {"version 1",
     V1_AT("/", "mem"),
     "5:cpu:/z\n4:memory:/a\n0::/\n",
     {"mem/a/memory.limit_in_bytes", "104857600\n"},
     100 * MB},
    {"version 1 among other controllers",
     "31 23 0:27 / %1$s/mem rw - cgroup cgroup rw,cpu,memory,pids\n",
     "4:cpu,memory,pids:/a\n",
     {"mem/a/memory.limit_in_bytes", "104857600\n"},
     100 * MB},
    {"version 1 mounted from a group, as in containers",
     V1_AT("/docker/abc", "mem"),
     "4:memory:/docker/abc/sub\n",
     {"mem/sub/memory.limit_in_bytes", "9223372036854771712\n", "mem/memory.limit_in_bytes", "104857600\n"},
     100 * MB},
    {"another group with the same beginning",
     V1_AT("/docker/abc", "mem"),
     "4:memory:/docker/abcdef\n",
     {"mem/memory.limit_in_bytes", "104857600\n", "mem/def/memory.limit_in_bytes", "1\n"},
     UINT64_MAX},
    {"outside of what is mounted",
     V2_AT("/", "cg"),
     "0::/../../x\n",
     {"cg/memory.max", "104857600\n"},
     UINT64_MAX},
    {"both versions, the tighter counts",
     V2_AT("/", "cg") V1_AT("/", "mem"),
     "4:memory:/a\n0::/b\n",
     {"mem/a/memory.limit_in_bytes", "52428800\n", "cg/b/memory.max", "104857600\n"},
     50 * MB},
    {"a blank in the path",
     V2_AT("/", "c\\040g"),
     "0::/a b\n",
     {"c g/a b/memory.max", "104857600\n"},
     100 * MB},
    {"the group has been removed",
     V2_AT("/", "cg"),
     "0::/a/b (deleted)\n",
     {"cg/a/memory.max", "104857600\n"},
     100 * MB},
    {"a colon in the group", V2_AT("/", "cg"), "0::/a:b\n", {"cg/a:b/memory.max", "104857600\n"}, 100 * MB},
    {"nothing mounted", "22 1 0:20 / /proc rw - proc proc rw\n", "0::/a\n", {NULL}, UINT64_MAX},
    {"not the memory controller",
     "31 23 0:27 / %1$s/mem rw - cgroup cgroup rw,cpu,memoryx\n",
     "4:memoryx:/\n",
     {"mem/memory.limit_in_bytes", "1\n"},
     UINT64_MAX},
    {"rubbish", "x\n\n - \n - cgroup2\n", "\n::\n7\n", {NULL}, UINT64_MAX},
};

static void the_tightest_group_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct limit_case *c = &cases[i];
		struct cgroup cg;
		uint64_t got;

		fake_new();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
		fake_write("self/mountinfo", c->mountinfo, fake_root);
#pragma GCC diagnostic pop
		fake_write("5000000/cgroup", "%s", c->group);
		for (int f = 0; f < 6 && c->files[f]; f += 2)
			fake_write(c->files[f], "%s", c->files[f + 1]);
		assert_int_equal(cgroup_open(&cg, fake_root), 0);
		assert_int_equal(cgroup_limit(&cg, fake_root, FAKE, &got), 0);
		if (got != c->want)
			fail_msg("%s: %llu", c->title, (unsigned long long)got);
		cgroup_close(&cg);
		fake_remove("");
	}
}

static void a_process_that_is_gone_is_an_error(void **state)
{
	struct cgroup cg;
	uint64_t got;

	(void)state;
	fake_new();
	assert_int_equal(cgroup_open(&cg, fake_root), -ENOENT);
	fake_write("self/mountinfo", "%s", "");
	assert_int_equal(cgroup_open(&cg, fake_root), 0);
	assert_int_equal(cgroup_limit(&cg, fake_root, FAKE, &got), -ENOENT);
	cgroup_close(&cg);
	fake_remove("");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_tightest_group_counts),
	    cmocka_unit_test(a_process_that_is_gone_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
