/* SPDX-License-Identifier: MIT */
#include "verdict/sentences.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MB       (1 << 20)
#define GB       (UINT64_C(1) << 30)
#define NO_TIME  .jump_ms = -1, .jump_epoch = -1, .onset_ms = -1, .onset_epoch = -1
#define NOT_FULL .full_in_s = -1, .full_in_epochs = -1
#define PER_EPOCH(slope, low, high)                                                                          \
	.slope_known = true, .per_epoch = true, .slope_bytes_per_epoch = (slope)*MB,                         \
	.slope_bytes_per_s = (slope)*MB / 2, .slope_low = (low)*MB, .slope_high = (high)*MB
#define PER_S(slope, low, high)                                                                              \
	.slope_known = true, .slope_bytes_per_s = (slope), .slope_low = (low), .slope_high = (high)

static const struct {
	struct series_verdict s;
	const char *text;
} cases[] = {
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH,
	    .firm = true,
	    PER_EPOCH(8.0, 7.8, 8.2),
	    .jump_ms = -1,
	    .jump_epoch = -1,
	    .onset_ms = 3000,
	    .onset_epoch = 2,
	    .epochs = 13,
	    .epochs_judged = 12,
	    .epochs_rising = 11},
      .parts = {{PART_ANON, 8.0 * MB, 1}},
      .n_parts = 1,
      .limit_bytes = 24 * GB,
      .room_bytes = 23 * GB,
      .full_in_s = 7800,
      .full_in_epochs = 2900.4},
     "host: growth. +8.00 MiB per epoch (7.80 to 8.20) since epoch 2, up in 11 of the last 12 epochs; sits "
     "in "
     "the program's own data (arrays, tensors, objects). 24.0 GiB is full in 2,900 epochs, about 2 h 10 "
     "min."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH,
	    .firm = true,
	    PER_EPOCH(2.0, 1.9, 2.1),
	    NO_TIME,
	    .epochs = 21,
	    .epochs_judged = 20,
	    .epochs_rising = 5,
	    .epochs_span = 1},
      NOT_FULL},
     "host: growth. +2.00 MiB per epoch (1.90 to 2.10) on average, but up in only 5 of the last 20 epochs."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH,
	    .firm = true,
	    PER_EPOCH(2.0, 1.9, 2.1),
	    NO_TIME,
	    .epochs = 600,
	    .epochs_judged = 72,
	    .epochs_rising = 71,
	    .epochs_span = 8},
      NOT_FULL},
     "host: growth. +2.00 MiB per epoch (1.90 to 2.10), up in 71 of the last 72 groups of 8 epochs."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, PER_EPOCH(0.5, 0.25, 0.75), NO_TIME, .epochs = 9},
      .parts = {{PART_SHMEM, 0.4 * MB, 0.8}, {PART_ANON, 0.1 * MB, 0.2}},
      .n_parts = 2,
      .machine_full = true,
      .room_bytes = 3 * GB,
      .full_in_s = 59,
      .full_in_epochs = 1.2},
     "host: growth. Rising so far, not yet certain: +512 KiB per epoch (256 to 768); sits in shared memory "
     "(80 %) and "
     "the program's own data (arrays, tensors, objects) (20 %). The 3.00 GiB that are left are used up in 1 "
     "epoch, about 59 s."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH,
	    .firm = true,
	    PER_S(2.0 * MB, 1.5 * MB, 2.5 * MB),
	    .jump_bytes = 100.0 * MB,
	    .jump_ms = 5000,
	    .jump_epoch = -1,
	    .onset_ms = 65000,
	    .onset_epoch = -1,
	    .epochs = -1},
      .limit_bytes = GB,
      .full_in_s = 500,
      .full_in_epochs = -1},
     "host: growth. +2.00 MiB per second (1.50 to 2.50) since 1:05; before that, +100 MiB at 5.0 s. 1.00 GiB "
     "is "
     "full in about "
     "8 min 20 s."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, .firm = true, PER_EPOCH(4.0, 3.9, 4.1), NO_TIME, .epochs = 9},
      .limit_bytes = 64 * MB,
      .full_in_s = 0.036,
      .full_in_epochs = 0.4},
     "host: growth. +4.00 MiB per epoch (3.90 to 4.10). 64.0 MiB is full in less than an epoch, about 36 "
     "ms."},
    /* models built in a loop: the figure is that of the line of fits */
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH,
	    .firm = true,
	    PER_EPOCH(10.1, 9.9, 10.3),
	    .jump_ms = -1,
	    .jump_epoch = -1,
	    .onset_ms = 3000,
	    .onset_epoch = 2,
	    .epochs = 28,
	    .epochs_judged = 27,
	    .epochs_rising = 14},
      .fits = {.bytes = 21.2 * MB, .changes = 13, .rises = 12},
      .limit_bytes = GB,
      .room_bytes = 212 * MB,
      .risen_s = 60,
      .full_in_s = 90,
      .full_in_epochs = 20.9,
      .full_in_fits = 10},
     "host: growth. +21.2 MiB per fit, up in 12 of the last 13 fits. 1.00 GiB is full in 10 fits, about 90 "
     "s."},
    /* imports are no instant */
    {{.name = "host",
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .jump_bytes = 316.0 * MB,
	    .jump_ms = 600,
	    .jump_epoch = -1,
	    .jumps = 1,
	    .jumps_bytes = 316.0 * MB,
	    .setup_ms = 17000,
	    .onset_ms = 17000,
	    .onset_epoch = -1,
	    .epochs = -1,
	    .spread_bytes = 2.0 * MB},
      NOT_FULL},
     "host: reservation. +316 MiB while the program started, until 0:17, flat since, within ±2.00 MiB."},
    /* five epochs give no date two thousand epochs ahead */
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, .firm = true, PER_EPOCH(4.0, 3.9, 4.1), NO_TIME, .epochs = 9},
      .machine_full = true,
      .room_bytes = 3 * GB,
      .risen_s = 10,
      .full_in_s = 4511,
      .full_in_epochs = 2284},
     "host: growth. +4.00 MiB per epoch (3.90 to 4.10). The 3.00 GiB that are left are enough for some 2,000 "
     "epochs, about 1 h, at this pace."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH,
	    .firm = true,
	    PER_EPOCH(4.0, 3.9, 4.1),
	    NO_TIME,
	    .peak_bytes = 107 * MB,
	    .epochs = 9},
      .limit_bytes = 80 * MB},
     "host: growth. +4.00 MiB per epoch (3.90 to 4.10). Its peak of 107 MiB is above the limit of 80.0 MiB."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, .firm = true, PER_EPOCH(4.0, 3.9, 4.1), NO_TIME, .epochs = 9},
      .parts = {{PART_ANON, 4.0 * MB, 1}},
      .n_parts = 1,
      .crowded = true,
      .procs_from = 1,
      .procs_to = 21,
      NOT_FULL},
     "host: growth. +4.00 MiB per epoch (3.90 to 4.10); sits in the program's own data (arrays, tensors, "
     "objects); the tree grew from 1 to 21 "
     "processes."},
    {{.name = "host",
      .v = {.shape = SHAPE_FLAT, .firm = true, NO_TIME, .plateau_bytes = 90 * MB, .peak_bytes = 107 * MB},
      .limit_bytes = 1024,
      NOT_FULL},
     "host: flat. 90.0 MiB within ±0 B. Its peak of 107 MiB is above the limit of 1.00 KiB."},
    {{.name = "gpu0",
      .kind = SERIES_GPU,
      .v = {.shape = SHAPE_GROWTH,
	    .firm = true,
	    PER_S(1024.0 * 64, 1024.0 * 32, 1024.0 * 96),
	    NO_TIME,
	    .epochs = -1},
      NOT_FULL},
     "gpu0: growth. +3.75 MiB per minute (1.88 to 5.62)."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, .firm = true, PER_S(100, 50, 150), NO_TIME, .epochs = -1},
      NOT_FULL},
     "host: growth. +352 KiB per hour (176 to 527)."},
    {{.name = "host",
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .per_epoch = true,
	    .jump_bytes = 1.61 * GB,
	    .jump_ms = 8000,
	    .jump_epoch = 1,
	    .onset_ms = 9000,
	    .onset_epoch = 2,
	    .plateau_bytes = 2 * GB,
	    .spread_bytes = 3.1 * MB,
	    .epochs = 12,
	    .detectable_bytes = 0.4 * MB},
      NOT_FULL},
     "host: reservation. +1.61 GiB at 8.0 s (epoch 1), flat since: 11 epochs within ±3.10 MiB. Growth above "
     "410 KiB per epoch "
     "would have shown."},
    {{.name = "host",
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .per_epoch = true,
	    .jump_bytes = 68.0 * MB,
	    .jump_ms = 17000,
	    .jump_epoch = 6,
	    .onset_ms = 31000,
	    .onset_epoch = 12,
	    .plateau_bytes = 2 * GB,
	    .spread_bytes = 4 * MB,
	    .epochs = 18},
      NOT_FULL},
     "host: reservation. +68.0 MiB at 0:17 (epoch 6), flat since epoch 12: 7 epochs within ±4.00 MiB."},
    {{.name = "host",
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .per_epoch = true,
	    .jump_bytes = 90.0 * MB,
	    .jump_ms = 17000,
	    .jump_epoch = 10,
	    .jumps = 3,
	    .jumps_bytes = 220.0 * MB,
	    .onset_ms = 31000,
	    .onset_epoch = 16,
	    .plateau_bytes = 2 * GB,
	    .spread_bytes = 4 * MB,
	    .epochs = 30},
      NOT_FULL},
     "host: reservation. +220 MiB in 3 jumps, the largest +90.0 MiB at 0:17 (epoch 10), flat since epoch 16: "
     "15 epochs within ±4.00 MiB."},
    {{.name = "host",
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    NO_TIME,
	    .plateau_bytes = 700 * MB,
	    .spread_bytes = 4096,
	    .epochs = -1,
	    .detectable_bytes = 2000},
      NOT_FULL},
     "host: reservation. 700 MiB taken, flat since, within ±4.00 KiB. Growth above 6.87 MiB per hour would "
     "have shown."},
    {{.name = "host",
      .v = {.shape = SHAPE_FLAT,
	    .firm = true,
	    .per_epoch = true,
	    .jump_ms = -1,
	    .jump_epoch = -1,
	    .onset_ms = 0,
	    .onset_epoch = 1,
	    .plateau_bytes = 700 * MB,
	    .spread_bytes = MB,
	    .epochs = 30},
      NOT_FULL},
     "host: flat. 700 MiB, the last 30 epochs within ±1.00 MiB."},
    {{.name = "gpu0",
      .kind = SERIES_GPU,
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .jump_bytes = 22.0 * GB,
	    .jump_ms = 2000,
	    .jump_epoch = 1,
	    .onset_ms = 2000,
	    .onset_epoch = 2,
	    .plateau_bytes = 22 * GB,
	    .epochs = 11},
      .limit_bytes = 24 * GB,
      NOT_FULL},
     "gpu0: reservation. +22.0 GiB at 2.0 s (epoch 1), flat since: 10 epochs within ±0 B. That is 92 % of "
     "the "
     "device, taken in advance as TensorFlow and JAX do."},
    {{.name = "gpu0",
      .kind = SERIES_GPU,
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .jump_bytes = 0.4 * GB,
	    .jump_ms = 2000,
	    .jump_epoch = 1,
	    .onset_ms = 2000,
	    .onset_epoch = 2,
	    .plateau_bytes = GB * 2 / 5,
	    .epochs = 11},
      .limit_bytes = 24 * GB,
      NOT_FULL},
     "gpu0: reservation. +410 MiB at 2.0 s (epoch 1), flat since: 10 epochs within ±0 B. That is little more "
     "than a CUDA context takes by itself."},
    {{.name = "gpu0",
      .kind = SERIES_GPU,
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .jump_bytes = 4.0 * GB,
	    .jump_ms = 2000,
	    .jump_epoch = 1,
	    .onset_ms = 2000,
	    .onset_epoch = 2,
	    .plateau_bytes = 8 * GB,
	    .epochs = 11},
      .limit_bytes = 24 * GB,
      NOT_FULL},
     "gpu0: reservation. +4.00 GiB at 2.0 s (epoch 1), flat since: 10 epochs within ±0 B. Its largest step "
     "doubled it, as TensorFlow's allow_growth does."},
    {{.name = "gpu0",
      .kind = SERIES_GPU,
      .v = {.shape = SHAPE_RESERVATION,
	    .firm = true,
	    .jump_bytes = 6.0 * GB,
	    .jump_ms = 2000,
	    .jump_epoch = 1,
	    .onset_ms = 2000,
	    .onset_epoch = 2,
	    .plateau_bytes = 6 * GB,
	    .epochs = 11},
      .limit_bytes = 24 * GB,
      NOT_FULL},
     "gpu0: reservation. +6.00 GiB at 2.0 s (epoch 1), flat since: 10 epochs within ±0 B. That is 25 % of "
     "the "
     "device."},
    {{.name = "host",
      .v = {.shape = SHAPE_UNDETERMINED,
	    .rises = true,
	    .more_epochs = 6,
	    PER_EPOCH(2.5, 2.0, 3.0),
	    NO_TIME,
	    .first_bytes = 300 * MB,
	    .last_bytes = 400 * MB,
	    .epochs = 12},
      NOT_FULL},
     "host: undetermined. 300 MiB at first, 400 MiB at last, 12 epochs finished: still rising, +2.50 MiB per "
     "epoch "
     "(2.00 to 3.00); whether it settles will show in about 6 epochs."},
    {{.name = "host",
      .v = {.shape = SHAPE_WARMUP,
	    .firm = true,
	    .per_epoch = true,
	    .jump_ms = -1,
	    .jump_epoch = -1,
	    .onset_ms = 61000,
	    .onset_epoch = 21,
	    .plateau_bytes = 700 * MB,
	    .spread_bytes = MB,
	    .epochs = 60},
      .file_slope = 3.0 * MB,
      NOT_FULL},
     "host: warmup. Rose to 700 MiB by 1:01 (epoch 21), settled since: 40 epochs within ±1.00 MiB. RSS also "
     "rises by 3.00 MiB "
     "per epoch of file pages, which the kernel takes back when it needs to."},
    {{.name = "host", .v = {.shape = SHAPE_WARMUP, PER_EPOCH(5, 4, 6), NO_TIME}, .unshared = true, NOT_FULL},
     "host: warmup. +5.00 MiB per epoch (4.00 to 6.00) while no process grows: forked workers copy pages "
     "they shared; it ends "
     "when all are copied."},
    {{.name = "host",
      .v = {.shape = SHAPE_CYCLIC,
	    .firm = true,
	    .per_epoch = true,
	    .jump_ms = -1,
	    .onset_ms = 10,
	    .onset_epoch = 1,
	    .plateau_bytes = 700 * MB,
	    .spread_bytes = 2 * MB,
	    .swing_bytes = 200 * MB,
	    .epochs = 14},
      NOT_FULL},
     "host: cyclic. Up and down by 200 MiB, and the floor stays: 14 epochs within ±2.00 MiB."},
    {{.name = "host",
      .v = {.shape = SHAPE_CYCLIC,
	    .firm = true,
	    .per_epoch = true,
	    .jump_ms = -1,
	    .onset_ms = 10,
	    .onset_epoch = 1,
	    .plateau_bytes = 700 * MB,
	    .spread_bytes = 150 * MB,
	    .swing_bytes = 200 * MB,
	    .epochs = 14},
      NOT_FULL},
     "host: cyclic. Up and down by 200 MiB; the floor has no trend: 14 epochs within ±150 MiB."},
    {{.name = "host",
      .v = {.shape = SHAPE_RELEASE,
	    .firm = true,
	    .per_epoch = true,
	    .jump_ms = -1,
	    .jump_epoch = -1,
	    .onset_ms = 20000,
	    .onset_epoch = 9,
	    .peak_bytes = 700 * MB,
	    .plateau_bytes = 100 * MB,
	    .released_bytes = 400 * MB,
	    .epochs = 18},
      NOT_FULL},
     "host: release. 400 MiB given back by 0:20 (epoch 9); 100 MiB since: 10 epochs within ±0 B."},
    {{.name = "host",
      .v = {.shape = SHAPE_FLAT,
	    .jump_ms = -1,
	    .onset_ms = 0,
	    .onset_epoch = 1,
	    .plateau_bytes = 700 * MB,
	    .epochs = 3},
      NOT_FULL},
     "host: flat. 700 MiB, the last 3 epochs within ±0 B. Not yet certain."},
    {{.name = "host",
      .v = {.shape = SHAPE_UNDETERMINED,
	    NO_TIME,
	    .first_bytes = 10 * MB,
	    .last_bytes = 90 * MB,
	    .epochs = 2,
	    .more_epochs = 3},
      NOT_FULL},
     "host: undetermined. 10.0 MiB at first, 90.0 MiB at last, 2 epochs finished: too early to tell, 3 more "
     "epochs would "
     "decide it."},
    {{.name = "host",
      .v = {.shape = SHAPE_UNDETERMINED, NO_TIME, .last_bytes = 90 * MB, .epochs = 1999, .rises = true},
      NOT_FULL},
     "host: undetermined. 0 B at first, 90.0 MiB at last, 1,999 epochs finished: still rising, and "
     "whether that goes on cannot be told yet."},
    {{.name = "host",
      .v = {.shape = SHAPE_UNDETERMINED, NO_TIME, .last_bytes = 90 * MB, .epochs = 1999},
      NOT_FULL},
     "host: undetermined. 0 B at first, 90.0 MiB at last, 1,999 epochs finished: too few samples to tell."},
    {{.name = "host",
      .v = {.shape = SHAPE_UNDETERMINED, NO_TIME, .last_bytes = 90 * MB, .epochs = -1},
      NOT_FULL},
     "host: undetermined. 0 B at first, 90.0 MiB at last: too early to tell."},
    {{.name = "host",
      .v = {.shape = SHAPE_UNDETERMINED, NO_TIME, .last_bytes = 7 * MB, .peak_bytes = 90 * MB, .epochs = -1},
      NOT_FULL},
     "host: undetermined. 0 B at first, 90.0 MiB at most: too early to tell."},
};

static void each_verdict_has_its_sentence(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[SENTENCE_MAX];

		assert_string_equal(sentence_line(line, &cases[i].s, TENSE_NOW), cases[i].text);
	}
}

/* A run that is over fills nothing any more. */
static const struct {
	struct series_verdict s;
	const char *text;
} afterwards[] = {
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, .firm = true, PER_EPOCH(4.0, 3.9, 4.1), NO_TIME, .epochs = 9},
      .machine_full = true,
      .room_bytes = 3 * GB,
      .risen_s = 60,
      .full_in_s = 59,
      .full_in_epochs = 12.4},
     "host: growth. +4.00 MiB per epoch (3.90 to 4.10). The 3.00 GiB that are left would have been used up "
     "in "
     "12 more epochs, about 59 s."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, .firm = true, PER_S(2.0 * MB, 1.5 * MB, 2.5 * MB), NO_TIME, .epochs = -1},
      .limit_bytes = GB,
      .risen_s = 60,
      .full_in_s = 500,
      .full_in_epochs = -1},
     "host: growth. +2.00 MiB per second (1.50 to 2.50). 1.00 GiB would have been full in about 8 min 20 s "
     "more."},
    {{.name = "host",
      .v = {.shape = SHAPE_GROWTH, .firm = true, PER_EPOCH(4.0, 3.9, 4.1), NO_TIME, .epochs = 9},
      .limit_bytes = 24 * GB,
      .risen_s = 10,
      .full_in_s = 1759,
      .full_in_epochs = 5767},
     "host: growth. +4.00 MiB per epoch (3.90 to 4.10). 24.0 GiB would have been enough for some 6,000 more "
     "epochs, about 30 min, at this pace."},
};

static void a_run_that_is_over_would_have_been_full(void **state)
{
	char line[SENTENCE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(afterwards) / sizeof(afterwards[0]); i++)
		assert_string_equal(sentence_line(line, &afterwards[i].s, TENSE_OVER), afterwards[i].text);
	assert_string_equal(sentence_forecast(line, &afterwards[1].s, TENSE_ANY),
			    "1.00 GiB would be full in about 8 min 20 s more");
}

static void a_run_has_its_first_line(void **state)
{
	struct run_verdict r = {.duration_ms = 724000, .epochs = 30, .samples = 3620};
	char text[SENTENCE_MAX];

	(void)state;
	assert_string_equal(sentence_run(text, &r), "12 min 4 s, 30 epochs, 3,620 samples");
	r = (struct run_verdict){.duration_ms = 400, .epochs = -1, .samples = 1};
	assert_string_equal(sentence_run(text, &r), "400 ms, 1 sample");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_verdict_has_its_sentence),
	    cmocka_unit_test(a_run_that_is_over_would_have_been_full),
	    cmocka_unit_test(a_run_has_its_first_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
