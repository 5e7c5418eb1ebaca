/* SPDX-License-Identifier: MIT */
#include "host/mappings.c"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define ENTRY(range, name, rss, anonymous, swap)                                                             \
	range " rw-p 00000000 00:00 0 " name "\nSize: 9999 kB\nRss: " rss                                    \
	      " kB\nPss: 1 kB\nAnonymous: " anonymous " kB\nAnonHugePages: 7 kB\nSwap: " swap                \
	      " kB\nSwapPss: 5 kB\nVmFlags: rd wr\n"

static const char smaps[] = ENTRY("55d0-55e0", "                         [heap]", "100", "90", "10")
    ENTRY("7f00-7f10", "", "40", "40", "0") ENTRY("7f10-7f20", "", "60", "60", "0")
	ENTRY("7f20-7f30", "                         /usr/lib/libtorch cpu.so", "5000", "8", "0")
	    ENTRY("7f30-7f40", "                         /dev/shm/torch_1 (deleted)", "300", "0", "0")
		ENTRY("a000-b000", "                         [anon: glibc: malloc]", "16", "16", "0");

static struct mappings *parsed(const char *text)
{
	struct mappings *m = calloc(1, sizeof(*m));
	FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");

	assert_non_null(f);
	parse(m, f);
	fclose(f);
	return m;
}

static void what_is_held_is_summed_by_name(void **state)
{
	static const struct {
		const char *name;
		uint64_t kib;
	} expected[] = {{"[heap]", 100},
			{"anonymous", 100},
			{"/usr/lib/libtorch cpu.so", 8},
			{"/dev/shm/torch_1 (deleted)", 300},
			{"[anon: glibc: malloc]", 16}};
	struct mappings *m = parsed(smaps);

	(void)state;
	assert_int_equal(m->n, 5);
	for (int i = 0; i < m->n; i++) {
		assert_string_equal(m->m[i].name, expected[i].name);
		assert_int_equal(m->m[i].bytes, expected[i].kib * KIB);
	}
	free(m);
}

/* As Linux 6.18 lists a heap that grows while it is read; its neighbour of the same name is another one. */
static void a_mapping_that_grows_meanwhile_counts_once(void **state)
{
	struct mappings *m =
	    parsed(ENTRY("7e00-7f00", "", "30", "30", "1") ENTRY("7f00-7f10", "", "40", "40", "2")
		       ENTRY("7f00-7f18", "", "55", "55", "3") ENTRY("7f18-7f20", "", "7", "7", "0"));

	(void)state;
	assert_int_equal(m->n, 1);
	assert_int_equal(m->m[0].bytes, (30 + 1 + 55 + 3 + 7) * KIB);
	free(m);
}

static void more_names_than_places_are_other(void **state)
{
	struct mappings *m;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	for (int i = 0; i < MAPPINGS_MAX + 10; i++)
		fprintf(f, "7%03x00-7%03x10 rw-p 0 00:00 0 /a/file%d\nAnonymous: 1 kB\n", i, i, i);
	fclose(f);
	m = parsed(text);
	assert_int_equal(m->n, MAPPINGS_MAX + 1);
	assert_string_equal(m->m[MAPPINGS_MAX].name, "other");
	assert_int_equal(m->m[MAPPINGS_MAX].bytes, 10 * KIB);
	free(m);
	free(text);
}

static void a_long_name_keeps_its_end(void **state)
{
	char text[6000] = "7f00-7f10 rw-p 0 00:00 0 /";
	struct mappings *m;

	(void)state;
	memset(text + strlen(text), 'x', 3000);
	strcat(text, "/end.so\nAnonymous: 4 kB\n");
	m = parsed(text);
	assert_int_equal(m->n, 1);
	assert_int_equal(strlen(m->m[0].name), MAPPING_NAME_MAX - 1);
	assert_string_equal(m->m[0].name + MAPPING_NAME_MAX - 1 - 7, "/end.so");
	assert_int_equal(m->m[0].bytes, 4 * KIB);
	free(m);
}

static void what_grew_comes_first(void **state)
{
	static const char later[] =
	    ENTRY("55d0-55e0", " [heap]", "100", "2000", "100") ENTRY("7f00-7f10", "", "40", "9000", "0")
		ENTRY("7f20-7f30", " /usr/lib/libtorch cpu.so", "5000", "9", "0")
		    ENTRY("7f30-7f40", " /dev/shm/torch_2", "4000", "0", "0");
	struct mappings *a = parsed(smaps), *b = parsed(later);
	struct mapping_growth g[3];

	(void)state;
	assert_int_equal(mappings_compare(a, b, g, 3), 3);
	assert_string_equal(g[0].name, "anonymous");
	assert_int_equal(g[0].change, 8900 * (int64_t)KIB);
	assert_string_equal(g[1].name, "/dev/shm/torch_2");
	assert_string_equal(g[2].name, "[heap]");
	assert_int_equal(mappings_compare(a, b, g, 1), 1);
	assert_string_equal(g[0].name, "anonymous");
	assert_int_equal(mappings_compare(b, b, g, 3), 0);
	free(a);
	free(b);
}

static void the_own_process_can_be_read(void **state)
{
	struct mappings *m = calloc(1, sizeof(*m));

	(void)state;
	assert_int_equal(mappings_read(m, "/proc", getpid()), 0);
	assert_true(m->n > 2);
	assert_int_equal(m->pid, getpid());
	assert_int_equal(mappings_read(m, "/nowhere", getpid()), -ENOENT);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_held_is_summed_by_name),
	    cmocka_unit_test(a_mapping_that_grows_meanwhile_counts_once),
	    cmocka_unit_test(more_names_than_places_are_other),
	    cmocka_unit_test(a_long_name_keeps_its_end),
	    cmocka_unit_test(what_grew_comes_first),
	    cmocka_unit_test(the_own_process_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
