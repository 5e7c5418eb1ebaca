/* SPDX-License-Identifier: MIT */
#include "host/frameworks.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static unsigned found_in(const char *text)
{
	FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	unsigned found = parse(f);

	fclose(f);
	return found;
}

#define AT "7f0000000000-7f0000001000 r-xp 00000000 fe:00 1234 "

static void libraries_tell_what_was_imported(void **state)
{
	static const struct {
		const char *maps;
		unsigned found;
	} rows[] = {
	    {AT "/usr/lib/x86_64-linux-gnu/libc.so.6\n55550000-55560000 rw-p 00000000 00:00 0 [heap]\n", 0},
	    {AT "/v/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so\n", FRAMEWORK_TORCH},
	    {AT "/v/site-packages/tensorflow/libtensorflow_framework.so.2\n", FRAMEWORK_TENSORFLOW},
	    {AT "/v/site-packages/tensorflow/python/_pywrap_tensorflow_internal.so\n", FRAMEWORK_TENSORFLOW},
	    {AT "/v/site-packages/jaxlib/libjax_common.so\n", FRAMEWORK_JAX},
	    {AT "/v/site-packages/sklearn/tree/_tree.cpython-311-x86_64-linux-gnu.so\n", FRAMEWORK_SKLEARN},
	    {AT "/v/site-packages/lightgbm/lib/lib_lightgbm.so\n", FRAMEWORK_BOOSTING},
	    {AT "/v/site-packages/xgboost/lib/libxgboost.so\n", FRAMEWORK_BOOSTING},
	    {AT "/usr/bin/python3.11\n", FRAMEWORK_PYTHON},
	    {AT "/opt/lib/libpython3.12.so.1.0\n", FRAMEWORK_PYTHON},
	    {AT "/usr/bin/pypy3.9\n", FRAMEWORK_PYTHON},
	    {AT "/usr/lib/x86_64-linux-gnu/libpypy3.9-c.so\n", FRAMEWORK_PYTHON},
	    {AT "/home/me/train\n", 0},
	    {AT "/a/libtorch.so\n" AT "/v/jaxlib/x.so (deleted)\n", FRAMEWORK_TORCH | FRAMEWORK_JAX},
	    {AT "/home/me/jaxlib-notes/data.bin\n", 0},
	    {"\n", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(found_in(rows[i].maps), rows[i].found);
}

static struct sample at(int64_t ms, int64_t epoch, uint64_t file_bytes)
{
	struct sample s = {.elapsed_ms = ms, .epoch = epoch};

	s.v[CH_FILE] = (struct reading){file_bytes, true};
	return s;
}

/* At most once for each moment, and not where nothing was mapped since. */
static void looks_are_few(void **state)
{
	struct frameworks f;
	int looks = 0;

	(void)state;
	frameworks_init(&f);
	for (int64_t ms = 0; ms < 200000; ms += 200) {
		struct sample s = at(ms, ms < 30000 ? -1 : ms / 30000, (uint64_t)(ms + 1));

		looks += due(&f, &s);
		f.known = true;
	}
	assert_in_range(looks, 6, 9);
	frameworks_init(&f);
	looks = 0;
	for (int64_t ms = 0; ms < 200000; ms += 200) {
		struct sample s = at(ms, -1, 5000);

		looks += due(&f, &s);
		f.known = true;
	}
	assert_int_equal(looks, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(libraries_tell_what_was_imported),
	    cmocka_unit_test(looks_are_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
