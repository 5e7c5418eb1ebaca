/* SPDX-License-Identifier: MIT */
/* The clock is the test's: what a look costs is made up, so that the budget can be tried on any machine. */
#define clock_cpu_ns made_cpu_ns
#include "watch/alerts.c"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static int64_t cpu_ns, cost_ns;

int64_t made_cpu_ns(void)
{
	return cpu_ns += cost_ns / 2;
}

enum { ROWS = 20, EPOCH_MS = 2000, NONE_ENDS = -1 };

/* Held bytes by epoch: `rise` more in each up to `stop`, then level; from `again` on it rises anew. */
struct made {
	double rise;
	int epochs, stop, again;
	bool blind; /* no epochs known */
	int told;   /* so many end, then none; 0 all, NONE_ENDS */
	double limit;
	double swing_ms; /* 30 MB up and down in so long; 0 none */
};

static double swing(const struct made *m, int64_t ms)
{
	return m->swing_ms > 0 ? 30e6 * (1 + sin(2 * M_PI * (double)ms / m->swing_ms)) : 0;
}

static void play(struct alerts *a, const struct made *m)
{
	struct judge *j = judge_new();
	struct sample s = {.wall_ms = -1, .n = CH_HOST_COUNT};

	for (int row = 0; row < m->epochs * ROWS; row++) {
		int upto = row < m->stop * ROWS ? row : m->stop * ROWS;

		upto += m->again > 0 && row > m->again * ROWS ? row - m->again * ROWS : 0;

		s.elapsed_ms = (int64_t)row * EPOCH_MS / ROWS;
		s.epoch = m->blind ? -1 : row / ROWS;
		if (m->told != 0 && s.epoch > m->told)
			s.epoch = m->told > 0 ? m->told : 0;
		if (m->limit > 0)
			s.v[CH_LIMIT] = (struct reading){(uint64_t)m->limit, true};
		s.v[CH_ANON] =
		    (struct reading){(uint64_t)(300e6 + m->rise * upto / ROWS + swing(m, s.elapsed_ms)) +
					 (uint64_t)(row * 7919 % 13) * 4096,
				     true};
		judge_push(j, &s);
		alerts_look(a, j, &s);
	}
	judge_free(j);
}

/* What is said on standard error while a made run goes on. */
static char *said(const struct made *m, bool *all_firm, int *growing)
{
	static char text[16384];
	struct alerts *a = alerts_new(&(struct alerts_conf){.pid = 1});
	int keep = dup(STDERR_FILENO), fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	bool per_epoch;
	ssize_t n;

	assert_true(fd >= 0);
	dup2(fd, STDERR_FILENO);
	play(a, m);
	dup2(keep, STDERR_FILENO);
	close(keep);
	n = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	if (all_firm)
		*all_firm = alerts_all_firm(a);
	if (growing)
		*growing = alerts_growing(a, &per_epoch);
	alerts_free(a);
	return text;
}

static int count(const char *text, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

static void growth_is_said_once(void **state)
{
	bool firm;
	int growing;
	const char *text = said(&(struct made){.rise = 4e6, .epochs = 60, .stop = 60}, &firm, &growing);

	(void)state;
	assert_int_equal(count(text, "memwatch: host: growth. +3.8"), 1);
	assert_int_equal(count(text, "\n"), 1);
	assert_true(firm);
	assert_true(growing > 10);
}

static void and_once_that_it_settled_after_all(void **state)
{
	int growing;
	const char *text = said(&(struct made){.rise = 4e6, .epochs = 120, .stop = 30}, NULL, &growing);

	(void)state;
	assert_int_equal(count(text, "memwatch: host: growth."), 1);
	assert_int_equal(count(text, "memwatch: host: settled after all: "), 1);
	assert_int_equal(count(text, "\n"), 2);
	assert_int_equal(growing, 0);
}

static void and_again_when_it_grows_after_that(void **state)
{
	static const struct made made = {.rise = 4e6, .epochs = 90, .stop = 12, .again = 45};
	const char *text = said(&made, NULL, NULL), *second;

	(void)state;
	assert_int_equal(count(text, "memwatch: host: growth. "), 2);
	assert_int_equal(count(text, "memwatch: host: settled after all: "), 1);
	second = strstr(strstr(text, "settled after all"), "host: growth. ");
	assert_non_null(second);
}

static void a_steady_run_is_left_in_peace(void **state)
{
	bool firm;
	const char *text = said(&(struct made){.epochs = 60}, &firm, NULL);

	(void)state;
	assert_string_equal(text, "");
	assert_true(firm);
}

static void setup_without_epochs_is_no_alarm(void **state)
{
	(void)state;
	assert_string_equal(
	    said(&(struct made){.rise = 40e6, .epochs = 100, .stop = 20, .blind = true}, NULL, NULL), "");
}

static void growth_without_epochs_is_said_after_a_while(void **state)
{
	(void)state;
	assert_int_equal(
	    count(said(&(struct made){.rise = 8e6, .epochs = 120, .stop = 120, .blind = true}, NULL, NULL),
		  "memwatch: host: growth."),
	    1);
}

/* 300 MB held; 1, 3 and 10 % of that more per minute from the start, or once the program has been level for a minute. */
static void a_steady_leak_without_epochs_is_said_within_two_minutes(void **state)
{
	enum { TWO_MINUTES = 120 * 1000 / EPOCH_MS, ONE = TWO_MINUTES / 2 };
	static const double rises[] = {0.1e6, 0.3e6, 1e6};

	(void)state;
	for (size_t i = 0; i < sizeof(rises) / sizeof(rises[0]); i++) {
		struct made m = {.rise = rises[i], .epochs = TWO_MINUTES, .stop = TWO_MINUTES, .blind = true};

		assert_int_equal(count(said(&m, NULL, NULL), "memwatch: host: growth."), 1);
		m.epochs = ONE; /* a program may load for a minute */
		assert_string_equal(said(&m, NULL, NULL), "");
		m = (struct made){.rise = rises[i], .epochs = ONE + TWO_MINUTES, .again = ONE, .blind = true};
		assert_int_equal(count(said(&m, NULL, NULL), "memwatch: host: growth."), 1);
	}
}

static void slow_swings_without_epochs_are_no_alarm(void **state)
{
	(void)state;
	for (double swing_ms = 60e3; swing_ms <= 120e3; swing_ms += 4e3) {
		struct made m = {.epochs = 300, .blind = true, .swing_ms = swing_ms};

		assert_string_equal(said(&m, NULL, NULL), "");
	}
}

static void growth_is_said_though_epochs_have_ended(void **state)
{
	static const struct made made = {.rise = 8e6, .epochs = 200, .again = 12, .told = 12};
	const char *text = said(&made, NULL, NULL);

	(void)state;
	assert_int_equal(count(text, "memwatch: host: growth. +3.8"), 1);
	assert_int_equal(count(text, "\n"), 1);
}

/* 8 MB in 2 s: 1.9 GB are full 400 s after the start. */
static void memory_that_is_full_before_the_epoch_ends_is_said_once(void **state)
{
	static const struct made
	    made = {.rise = 8e6, .epochs = 190, .stop = 190, .told = NONE_ENDS, .limit = 1.9e9},
	    ample = {.rise = 8e6, .epochs = 190, .stop = 190, .told = NONE_ENDS, .limit = 40e9};
	struct made early = made;
	const char *text = said(&made, NULL, NULL);

	(void)state;
	assert_int_equal(count(text, "memwatch: host: nearly full. Rising so far: +3.81 MiB per second "), 1);
	assert_int_equal(count(text, "\n"), 1);
	early.epochs = 60; /* a third of the way is no reason to worry anybody */
	assert_string_equal(said(&early, NULL, NULL), "");
	assert_string_equal(said(&ample, NULL, NULL), "");
}

static void looks_are_paid_for(void **state)
{
	struct made m = {.rise = 4e6, .epochs = 400, .stop = 400};

	(void)state;
	cpu_ns = 0;
	cost_ns = 5 * NS_PER_MS; /* a look of 5 ms, epochs of 2 s */
	said(&m, NULL, NULL);
	assert_true(cpu_ns <= 2 * (GRANT_NS + (int64_t)m.epochs * EPOCH_MS * (NS_PER_MS / SHARE) + cost_ns));
	assert_true(cpu_ns >= 10 * cost_ns);
	cost_ns = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(growth_is_said_once),
	    cmocka_unit_test(and_once_that_it_settled_after_all),
	    cmocka_unit_test(and_again_when_it_grows_after_that),
	    cmocka_unit_test(a_steady_run_is_left_in_peace),
	    cmocka_unit_test(setup_without_epochs_is_no_alarm),
	    cmocka_unit_test(growth_without_epochs_is_said_after_a_while),
	    cmocka_unit_test(a_steady_leak_without_epochs_is_said_within_two_minutes),
	    cmocka_unit_test(slow_swings_without_epochs_are_no_alarm),
	    cmocka_unit_test(growth_is_said_though_epochs_have_ended),
	    cmocka_unit_test(memory_that_is_full_before_the_epoch_ends_is_said_once),
	    cmocka_unit_test(looks_are_paid_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
