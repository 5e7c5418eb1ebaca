/* SPDX-License-Identifier: MIT */
#include "verdict/shortage.c"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "verdict/sentences.h"

struct stretch {
	int seconds;  /* this long */
	int permille; /* of it was waited */
	int epoch_s;  /* an epoch takes so long */
};

static struct shortage_course course;
static int64_t now_ms, us;
static int64_t epoch, epoch_left_s;

static int start(void **state)
{
	(void)state;
	memset(&course, 0, sizeof(course));
	now_ms = 0;
	us = 123;
	epoch = 0;
	epoch_left_s = 0;
	return 0;
}

/* A row each second, a reading in each second one. */
static void push(const struct stretch *p)
{
	for (int i = 0; i < p->seconds; i++) {
		struct sample s = {
		    .elapsed_ms = now_ms, .epoch = epoch, .pressure_us = -1, .major_faults = -1};

		if (now_ms % 2000 == 0) {
			s.pressure_us = us;
			s.major_faults = now_ms / 100;
		}
		shortage_push(&course, &s);
		now_ms += 1000;
		us += p->permille * 1000;
		if (++epoch_left_s >= p->epoch_s) {
			epoch++;
			epoch_left_s = 0;
		}
	}
}

static void it_is_told_since_when(void **state)
{
	struct shortage s;
	char text[SENTENCE_MAX];

	(void)state;
	push(&(struct stretch){.seconds = 40, .epoch_s = 2});
	push(&(struct stretch){.seconds = 60, .permille = 300, .epoch_s = 6});
	s = shortage_find(&course);
	assert_true(s.known && s.found);
	assert_int_equal(s.since_ms, 40000);
	assert_int_equal(s.since_epoch, 21);
	assert_int_equal(s.until_ms, -1);
	assert_float_equal(s.stalled_share, 0.3, 0.01);
	assert_float_equal(s.epoch_s_before, 2, 0.001);
	assert_float_equal(s.epoch_s_after, 6, 0.001);
	assert_float_equal(s.faults_per_s, 10, 0.1);
	assert_string_equal(
	    shortage_sentence(text, &s, false),
	    "memory pressure since epoch 21 (0:40): processes waited for memory 30 % of the time, and "
	    "epochs took 3.0 times as long (6.0 s instead of 2.0 s): not a leak but too little memory; "
	    "a smaller batch, fewer workers or more memory help");
}

/* Half a minute of calm ends it; what comes later and is shorter does not take its place. */
static void the_worst_of_several_is_told(void **state)
{
	struct shortage s;
	char text[SENTENCE_MAX];

	(void)state;
	push(&(struct stretch){.seconds = 10, .epoch_s = 2});
	push(&(struct stretch){.seconds = 20, .permille = 500, .epoch_s = 2});
	push(&(struct stretch){.seconds = 60, .permille = 90, .epoch_s = 2});
	push(&(struct stretch){.seconds = 10, .permille = 400, .epoch_s = 2});
	push(&(struct stretch){.seconds = 60, .epoch_s = 2});
	s = shortage_find(&course);
	assert_true(s.found);
	assert_int_equal(s.since_ms, 10000);
	assert_int_equal(s.until_ms, 30000);
	assert_float_equal(s.stalled_share, 0.5, 0.01);
	assert_non_null(strstr(shortage_sentence(text, &s, true), "from epoch 6 (0:10) to 0:30: "));
	assert_non_null(strstr(text, "though epochs took no longer; the growth of the host leads there"));
}

static void a_moment_is_none(void **state)
{
	struct shortage s;
	char text[SENTENCE_MAX];

	(void)state;
	push(&(struct stretch){.seconds = 10, .epoch_s = 2});
	push(&(struct stretch){.seconds = 2, .permille = 900, .epoch_s = 2});
	push(&(struct stretch){.seconds = 50, .permille = 20, .epoch_s = 2});
	s = shortage_find(&course);
	assert_true(s.known);
	assert_false(s.found);
	assert_string_equal(shortage_sentence(text, &s, false), "");
}

/* One reading tells nothing, and none neither. An account that begins anew is no waiting. */
static void without_readings_nothing_is_known(void **state)
{
	(void)state;
	assert_false(shortage_find(&course).known);
	push(&(struct stretch){.seconds = 2, .epoch_s = 2});
	assert_false(shortage_find(&course).known);
	push(&(struct stretch){.seconds = 10, .epoch_s = 2});
	us = 0;
	push(&(struct stretch){.seconds = 10, .epoch_s = 2});
	assert_true(shortage_find(&course).known);
	assert_false(shortage_find(&course).found);
	assert_true(shortage_find(&course).stalled_share >= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(it_is_told_since_when, start),
	    cmocka_unit_test_setup(the_worst_of_several_is_told, start),
	    cmocka_unit_test_setup(a_moment_is_none, start),
	    cmocka_unit_test_setup(without_readings_nothing_is_known, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
