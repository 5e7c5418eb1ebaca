/* SPDX-License-Identifier: MIT */
#include "verdict/advice.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GB     (UINT64_C(1) << 30)
#define STEADY .full_in_s = -1, .full_in_epochs = -1

/* The series of one run, and words that the advice for the first must and must not hold. */
static const struct {
	struct series_verdict s[2];
	int n;
	const char *has[3], *lacks[2];
	int lines; /* -1: any number but 0 */
} cases[] = {
    /* what needs no advice gets none */
    {{{.v = {.shape = SHAPE_FLAT, .peak_bytes = GB}, .limit_bytes = 24 * GB, STEADY}}, 1, {0}, {0}, 0},
    {{{.v = {.shape = SHAPE_RESERVATION, .peak_bytes = GB}, .limit_bytes = 24 * GB, STEADY}}, 1, {0}, {0}, 0},
    {{{.v = {.shape = SHAPE_WARMUP, .peak_bytes = GB}, STEADY}}, 1, {0}, {0}, 0},
    {{{.v = {.shape = SHAPE_CYCLIC, .peak_bytes = GB}, STEADY}}, 1, {0}, {0}, 0},
    {{{.v = {.shape = SHAPE_UNDETERMINED, .peak_bytes = GB}, STEADY}}, 1, {0}, {0}, 0},
    {{{.v = {.shape = SHAPE_RELEASE, .peak_bytes = 23 * GB}, .limit_bytes = 24 * GB, STEADY}},
     1,
     {0},
     {0},
     0},
    {{{.kind = SERIES_GPU,
       .v = {.shape = SHAPE_RESERVATION, .peak_bytes = 2 * GB},
       .limit_bytes = 24 * GB,
       STEADY}},
     1,
     {0},
     {0},
     0},
    {{{.kind = SERIES_GPU, .v = {.shape = SHAPE_RESERVATION, .peak_bytes = 2 * GB}, STEADY}},
     1,
     {0},
     {0},
     0}, /* of a device of unknown size */
    {{{.kind = SERIES_GPU,
       .v = {.shape = SHAPE_FLAT, .peak_bytes = 23 * GB},
       .limit_bytes = 24 * GB,
       STEADY}},
     1,
     {0},
     {0},
     0},
    /* host */
    {{{.v = {.shape = SHAPE_GROWTH, .firm = true}, STEADY}},
     1,
     {"callbacks", "loss.item()", "tf.function"},
     {"GPU", "shm"},
     3},
    {{{.v = {.shape = SHAPE_GROWTH}, .parts = {{PART_SHMEM, 1, 1}}, .n_parts = 1, STEADY}},
     1,
     {"/dev/shm"},
     {"callbacks"},
     1},
    {{{.v = {.shape = SHAPE_GROWTH}, .crowded = true, STEADY}},
     1,
     {"never joined"},
     {"callbacks", "loss"},
     1},
    {{{.v = {.shape = SHAPE_GROWTH},
       .parts = {{PART_SWAP, 1, 0.6}, {PART_ANON, 1, 0.4}},
       .n_parts = 2,
       STEADY}},
     1,
     {"swapped out", "callbacks"},
     {"shm"},
     -1},
    {{{.v = {.shape = SHAPE_GROWTH}, .rss_only = true, STEADY}}, 1, {"Only RSS"}, {0}, -1},
    {{{.v = {.shape = SHAPE_GROWTH, .peak_bytes = 13 * GB},
       .limit_bytes = 24 * GB,
       .room_bytes = 11 * GB,
       .full_in_s = 3000,
       .full_in_epochs = -1}},
     1,
     {"checkpoint"},
     {0},
     -1},
    {{{.v = {.shape = SHAPE_GROWTH, .peak_bytes = GB},
       .limit_bytes = 24 * GB,
       .room_bytes = 23 * GB,
       .full_in_s = 3000,
       .full_in_epochs = 500}},
     1,
     {"callbacks", "checkpoint"}, /* --fail-on limit fails here too */
     {0},
     -1},
    {{{.v = {.shape = SHAPE_GROWTH, .peak_bytes = GB},
       .limit_bytes = 24 * GB,
       .room_bytes = 23 * GB,
       .risen_s = 30,
       .full_in_s = 3000,
       .full_in_epochs = 500}},
     1,
     {"callbacks"},
     {"checkpoint"}, /* half a minute tells nothing of the next hour */
     -1},
    {{{.v = {.shape = SHAPE_GROWTH, .peak_bytes = GB},
       .limit_bytes = 24 * GB,
       .room_bytes = 23 * GB,
       .full_in_s = 90000,
       .full_in_epochs = 9}},
     1,
     {"checkpoint"},
     {0},
     -1},
    {{{.v = {.shape = SHAPE_WARMUP}, .unshared = true, STEADY}}, 1, {"pytorch#13246"}, {"callbacks"}, 1},
    {{{.v = {.shape = SHAPE_WARMUP, .peak_bytes = 23 * GB}, .limit_bytes = 24 * GB, STEADY}},
     1,
     {"It fits, but barely", "smaller batch"},
     {0},
     1},
    {{{.v = {.shape = SHAPE_RESERVATION, .peak_bytes = 25 * GB}, .limit_bytes = 24 * GB, STEADY}},
     1,
     {"It does not fit", "smaller batch"},
     {"It fits"},
     1},
    {{{.v = {.shape = SHAPE_GROWTH, .peak_bytes = 25 * GB}, .limit_bytes = 24 * GB}},
     1,
     {"callbacks"},
     {"checkpoint", "fit"},
     -1},
    /* side by side */
    {{{.v = {.shape = SHAPE_GROWTH}, STEADY},
      {.kind = SERIES_GPU, .v = {.shape = SHAPE_RESERVATION, .peak_bytes = GB}, STEADY}},
     2,
     {"GPU memory does not"},
     {"together"},
     -1},
    {{{.v = {.shape = SHAPE_GROWTH}, STEADY},
      {.kind = SERIES_GPU, .v = {.shape = SHAPE_GROWTH, .peak_bytes = GB}, STEADY}},
     2,
     {"grow together"},
     {"does not"},
     -1},
    {{{.v = {.shape = SHAPE_GROWTH}, STEADY}, {.kind = SERIES_GPU, .v = {.shape = SHAPE_FLAT}, STEADY}},
     2,
     {"callbacks"},
     {"GPU"},
     3},
    {{{.kind = SERIES_GPU, .v = {.shape = SHAPE_GROWTH, .peak_bytes = GB}, STEADY},
      {.v = {.shape = SHAPE_FLAT, .peak_bytes = GB}, STEADY}},
     2,
     {"detach()", "expandable_segments", "memory_limit"},
     {"callbacks"},
     -1},
    /* GPU */
    {{{.kind = SERIES_GPU,
       .v = {.shape = SHAPE_RESERVATION, .peak_bytes = 22 * GB},
       .limit_bytes = 24 * GB,
       STEADY}},
     1,
     {"set_memory_growth", "XLA_PYTHON_CLIENT_PREALLOCATE", "PYTORCH_CUDA_ALLOC_CONF"},
     {"callbacks"},
     3},
};

static bool any_holds(const char *const *lines, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (strstr(lines[i], word))
			return true;
	return false;
}

static void advice_fits_what_was_seen(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct series_verdict s[2] = {cases[i].s[0], cases[i].s[1]};
		unsigned imported = TORCH | TENSORFLOW | (s[0].kind == SERIES_GPU ? JAX : 0);
		struct run_verdict run = {.series = s, .n = cases[i].n, .frameworks = imported};
		const char *lines[ADVICE_MAX];
		int n = advice_lines(&run, 0, lines);

		if (cases[i].lines >= 0)
			assert_int_equal(n, cases[i].lines);
		for (int k = 0; k < 3 && cases[i].has[k]; k++)
			if (!any_holds(lines, n, cases[i].has[k]))
				fail_msg("case %zu: no line holds '%s'", i, cases[i].has[k]);
		for (int k = 0; k < 2 && cases[i].lacks[k]; k++)
			if (any_holds(lines, n, cases[i].lacks[k]))
				fail_msg("case %zu: a line holds '%s'", i, cases[i].lacks[k]);
	}
}

static bool names_any(const char *const *lines, int n)
{
	static const char *const names[] = {"PyTorch", "torch.", "TensorFlow", "tf.", "JAX",
					    "jax",     "scikit", "keras",      "XLA"};
	bool any = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		any = any || any_holds(lines, n, names[i]);
	return any;
}

/* Which frameworks are mapped, and words that a line for growth of the host must and must not hold. */
static void only_what_is_imported_is_named(void **state)
{
	static const struct {
		unsigned frameworks;
		bool fits;
		const char *has, *lacks;
	} rows[] = {
	    {TORCH, false, "loss.item()", "TensorFlow"},
	    {TENSORFLOW, false, "tf.function", "PyTorch"},
	    {JAX, false, "jax.clear_caches()", "PyTorch"},
	    {SKLEARN, false, "warm_start", "loss"},
	    {BOOSTING | SKLEARN | PYTHON, false, "adds trees", "warm_start"},
	    {TENSORFLOW, true, "clear_session()", "PyTorch"},
	    {TENSORFLOW, true, "process of its own", "tf.function"},
	    {TORCH, true, "process of its own", "clear_session"},
	    {0, true, "process of its own", "clear_session"},
	    {0, false, "plain numbers", "Each fit"},
	    {TORCH | PYTHON, false, "lists, dicts and attributes", "callbacks"},
	    {TENSORFLOW | PYTHON, false, "callbacks", "dicts"},
	    {PYTHON, false, "lists, dicts and attributes", "callbacks"},
	    {NONE, false, "never freed", "loss"},
	    {NONE, false, "heaptrack", "callbacks"},
	    {NONE, true, "never freed", "fit"},
	    {TENSORFLOW | JAX | SKLEARN | PYTHON, false, "tf.function", "JAX"},
	    {TENSORFLOW | JAX | SKLEARN | PYTHON, false, "callbacks", "scikit-learn"},
	    {TORCH | SKLEARN | PYTHON, false, "loss.item()", "scikit-learn"},
	    {JAX | SKLEARN | PYTHON, false, "jax.clear_caches()", "scikit-learn"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct series_verdict s = {.v = {.shape = SHAPE_GROWTH, .firm = true}, STEADY};
		struct run_verdict run = {.series = &s, .n = 1, .frameworks = rows[i].frameworks};
		const char *lines[ADVICE_MAX];
		int n;

		s.fits.bytes = rows[i].fits ? 1e6 : 0;
		n = advice_lines(&run, 0, lines);
		if (!any_holds(lines, n, rows[i].has) || any_holds(lines, n, rows[i].lacks))
			fail_msg("row %zu", i);
		assert_true((rows[i].frameworks & ANY) || !names_any(lines, n));
	}
}

/* What --explain has named need not be looked for; what to do about fits is still worth a line. */
static void nobody_is_told_to_look_for_what_was_named(void **state)
{
	struct series_verdict s = {.v = {.shape = SHAPE_GROWTH, .firm = true}, STEADY};
	struct run_verdict run = {.series = &s, .n = 1, .frameworks = TENSORFLOW | PYTHON, .named = true};
	const char *lines[ADVICE_MAX];

	(void)state;
	assert_int_equal(advice_lines(&run, 0, lines), 0);
	run.frameworks = TORCH | PYTHON;
	assert_int_equal(advice_lines(&run, 0, lines), 0);
	s.fits.bytes = 1e6;
	assert_true(any_holds(lines, advice_lines(&run, 0, lines), "Each fit"));
}

/* Nor for GPUs, of a recording or of a program without any. */
static void nothing_imported_gets_neutral_words(void **state)
{
	struct series_verdict grows = {
	    .kind = SERIES_GPU, .v = {.shape = SHAPE_GROWTH, .peak_bytes = GB}, STEADY};
	struct series_verdict taken = {.kind = SERIES_GPU,
				       .v = {.shape = SHAPE_RESERVATION, .peak_bytes = 20 * GB},
				       .limit_bytes = 24 * GB,
				       STEADY};
	struct run_verdict run = {.series = &grows, .n = 1};
	const char *lines[ADVICE_MAX];
	int n = advice_lines(&run, 0, lines);

	(void)state;
	assert_int_equal(n, 3);
	assert_false(names_any(lines, n));
	run.series = &taken;
	n = advice_lines(&run, 0, lines);
	assert_int_equal(n, 1);
	assert_false(names_any(lines, n));
}

static void what_the_kernel_killed_does_not_fit(void **state)
{
	struct series_verdict s = {
	    .v = {.shape = SHAPE_UNDETERMINED, .peak_bytes = 23 * GB}, .limit_bytes = 24 * GB, STEADY};
	struct run_verdict run = {.series = &s, .n = 1, .ran_out = true};
	const char *lines[ADVICE_MAX];

	(void)state;
	assert_int_equal(advice_lines(&run, 0, lines), 1);
	assert_non_null(strstr(lines[0], "It does not fit"));
}

static void what_applies_to_several_is_said_once(void **state)
{
	struct series_verdict s[4] = {
	    {.v = {.shape = SHAPE_GROWTH, .peak_bytes = GB}, STEADY},
	    {.kind = SERIES_GPU, .v = {.shape = SHAPE_GROWTH, .peak_bytes = GB}, .limit_bytes = 2 * GB},
	    {.kind = SERIES_GPU, .v = {.shape = SHAPE_GROWTH, .peak_bytes = GB}, STEADY},
	    {.kind = SERIES_GPU, .v = {.shape = SHAPE_FLAT, .peak_bytes = GB}, STEADY}};
	struct run_verdict run = {.series = s, .n = 4, .frameworks = TORCH | TENSORFLOW};
	const char *lines[ADVICE_MAX];
	int n;

	(void)state;
	assert_int_equal(advice_last_lines(&run, 0, lines), 4); /* of another kind: its own */
	n = advice_last_lines(&run, 1, lines);
	assert_int_equal(n, 1);
	assert_true(any_holds(lines, n, "checkpoint")); /* does not apply to the other */
	n = advice_last_lines(&run, 2, lines);
	assert_int_equal(n, 4);
	assert_true(any_holds(lines, n, "grow together"));
	assert_int_equal(advice_last_lines(&run, 3, lines), 0);
}

static void every_line_fits_a_terminal_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_true(strlen(table[i].line) <= 160);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(advice_fits_what_was_seen),
	    cmocka_unit_test(only_what_is_imported_is_named),
	    cmocka_unit_test(nobody_is_told_to_look_for_what_was_named),
	    cmocka_unit_test(nothing_imported_gets_neutral_words),
	    cmocka_unit_test(what_the_kernel_killed_does_not_fit),
	    cmocka_unit_test(what_applies_to_several_is_said_once),
	    cmocka_unit_test(every_line_fits_a_terminal_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
