/* SPDX-License-Identifier: MIT */
/* CUDA's numbers for devices against memwatch's. */
#include "gpu/visible.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "gpu_world.h"

static const struct gpu_device_info alike[] = {
    {.index = 0, .mig = -1, .name = "A100", .uuid = "GPU-aaaa-1"},
    {.index = 1, .mig = -1, .name = "A100", .uuid = "GPU-bbbb-2"},
    {.index = 2, .mig = -1, .name = "A100", .uuid = "GPU-cccc-3"},
};
static const struct gpu_device_info mixed[] = {
    {.index = 0, .mig = -1, .name = "T4", .uuid = "GPU-aaaa-1"},
    {.index = 1, .mig = -1, .name = "A100", .uuid = "GPU-bbbb-2"},
};

static void numbers_are_told_when_they_differ(void **state)
{
	static const struct {
		const char *visible, *order;
		const struct gpu_device_info *device;
		int n;
		const char *text; /* NULL: nothing to tell */
	} cases[] = {
	    {NULL, NULL, alike, 3, NULL},
	    {"0,1,2", NULL, alike, 3, NULL},
	    {"2,0", NULL, alike, 3, "CUDA_VISIBLE_DEVICES=2,0: cuda:0 is GPU 2, cuda:1 is GPU 0"},
	    {"1", NULL, alike, 3, "CUDA_VISIBLE_DEVICES=1: cuda:0 is GPU 1"},
	    {"GPU-cccc", NULL, alike, 3, "CUDA_VISIBLE_DEVICES=GPU-cccc: cuda:0 is GPU 2"},
	    {"", NULL, alike, 3, "CUDA_VISIBLE_DEVICES=: the program sees none of these GPUs"},
	    {"-1", NULL, alike, 3, "CUDA_VISIBLE_DEVICES=-1: the program sees none of these GPUs"},
	    {"1,7,0", NULL, alike, 3, "CUDA_VISIBLE_DEVICES=1,7,0: cuda:0 is GPU 1"},
	    {NULL, NULL, mixed, 2,
	     "CUDA puts the fastest GPU first: cuda:0 need not be GPU 0 (CUDA_DEVICE_ORDER=PCI_BUS_ID makes "
	     "it so)"},
	    {NULL, "PCI_BUS_ID", mixed, 2, NULL},
	    {"1", "PCI_BUS_ID", mixed, 2, "CUDA_VISIBLE_DEVICES=1: cuda:0 is GPU 1"},
	    {"1", NULL, mixed, 2,
	     "CUDA_VISIBLE_DEVICES=1 counts with the fastest GPU first: its numbers need not be those of "
	     "memwatch"},
	    {"GPU-bbbb-2", NULL, mixed, 2, "CUDA_VISIBLE_DEVICES=GPU-bbbb-2: cuda:0 is GPU 1"},
	    {"0", NULL, alike, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[512] = "";
		bool told = gpu_visible_text(cases[i].visible, cases[i].order, cases[i].device, cases[i].n,
					     text, sizeof(text));

		assert_int_equal(told, cases[i].text != NULL);
		if (cases[i].text)
			assert_string_equal(text, cases[i].text);
	}
}

static void a_long_list_is_cut(void **state)
{
	struct gpu_device_info many[64] = {{0}};
	char visible[512] = "", text[64];

	(void)state;
	for (int i = 0; i < 64; i++) {
		many[i].index = i;
		snprintf(visible + strlen(visible), 8, "%s%d", i ? "," : "", 63 - i);
	}
	assert_true(gpu_visible_text(visible, NULL, many, 64, text, sizeof(text)));
	assert_int_equal(strlen(text), sizeof(text) - 1);
}

static void the_environment_is_the_targets(void **state)
{
	char environ_text[40000], path[128], *value;
	struct world w;
	FILE *f;

	(void)state;
	world_open(&w, INITIAL_NS);
	world_file(&w, "", "proc/100/environ");
	snprintf(path, sizeof(path), "%s/proc/100/environ", w.root);
	memset(environ_text, 'x', sizeof(environ_text));
	memcpy(environ_text, "LONG=", 5);
	f = fopen(path, "w");
	fwrite("NOT_CUDA_VISIBLE_DEVICES=9", 1, 27, f);
	fwrite(environ_text, 1, sizeof(environ_text), f);
	fwrite("\0CUDA_VISIBLE_DEVICES=1,2", 1, 26, f);
	fclose(f);
	value = gpu_visible_variable(w.proc, 100, "CUDA_VISIBLE_DEVICES");
	assert_string_equal(value, "1,2");
	free(value);
	assert_null(gpu_visible_variable(w.proc, 100, "CUDA_DEVICE_ORDER"));
	assert_null(gpu_visible_variable(w.proc, 101, "CUDA_VISIBLE_DEVICES"));
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_told_when_they_differ),
	    cmocka_unit_test(a_long_list_is_cut),
	    cmocka_unit_test(the_environment_is_the_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
