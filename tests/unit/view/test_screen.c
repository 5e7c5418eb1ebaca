/* SPDX-License-Identifier: MIT */
/* The screens of tests/fixtures/screens, for a run that is the same every time; ACCEPT=1 in the environment writes those
 * that are drawn now, to be looked at. */
#include "view/screen.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "grid_text.h"

#define MI INT64_C(1048576)

enum { EPOCHS = 12, ROWS_PER_EPOCH = 10, ROW_MS = 200, SCREEN_BYTES = 1 << 18 };

static bool writes;

/* Each epoch keeps some MiB, and has a peak of 40 in its midst; a GPU is filled in the second one. */
static struct history *run_of(int64_t mib_per_epoch, bool gpu)
{
	static const struct channel channels[CH_HOST_COUNT + 2] = {
	    [CH_HOST_COUNT] = {"gpu0_bytes"}, [CH_HOST_COUNT + 1] = {"gpu0_total_bytes"}};
	struct history *h = history_new(512);
	static struct sample s;

	s.n = CH_HOST_COUNT + 2 * gpu;
	if (gpu)
		history_channels(h, channels, s.n);
	for (int i = 0; i < EPOCHS * ROWS_PER_EPOCH; i++) {
		int64_t epoch = i / ROWS_PER_EPOCH, peak = i % ROWS_PER_EPOCH == 5 ? 40 : 0;
		struct reading held = {(uint64_t)((200 + mib_per_epoch * epoch + peak) * MI), true};

		s.elapsed_ms = i * ROW_MS;
		s.epoch = epoch;
		s.v[CH_RSS] = held;
		s.v[CH_HOST_COUNT] = (struct reading){(uint64_t)((epoch > 1 ? 20000 : 500) * MI), true};
		history_push(h, &s, held);
	}
	return h;
}

static struct view_series growth(void)
{
	struct view_series s = {.now = {(uint64_t)(288 * MI), true}};

	memcpy(s.verdict.name, "host", 5);
	s.verdict.kind = SERIES_HOST;
	s.verdict.v = (struct verdict){.shape = SHAPE_GROWTH,
				       .firm = true,
				       .basis = BASIS_EPOCHS,
				       .slope_known = true,
				       .per_epoch = true,
				       .slope_bytes_per_epoch = (double)(8 * MI),
				       .slope_bytes_per_s = (double)(4 * MI),
				       .slope_low = 7.9 * (double)MI,
				       .slope_high = 8.1 * (double)MI,
				       .jump_ms = -1,
				       .jump_epoch = -1,
				       .onset_ms = 2000,
				       .onset_epoch = 1,
				       .setup_ms = -1,
				       .first_bytes = (uint64_t)(200 * MI),
				       .last_bytes = (uint64_t)(288 * MI),
				       .peak_bytes = (uint64_t)(328 * MI),
				       .epochs = EPOCHS - 1,
				       .epochs_judged = 10,
				       .epochs_rising = 10};
	s.verdict.limit_bytes = (uint64_t)(24 * 1024 * MI);
	s.verdict.full_in_s = -1;
	s.verdict.end.epochs = -1;
	return s;
}

static struct view_series level(const char *name, enum series_kind kind, int64_t mib)
{
	struct view_series s = growth();

	snprintf(s.verdict.name, sizeof(s.verdict.name), "%s", name);
	s.verdict.kind = kind;
	s.now.bytes = (uint64_t)(mib * MI);
	s.device = kind == SERIES_GPU ? "NVIDIA A100" : NULL;
	s.verdict.v.shape = kind == SERIES_GPU ? SHAPE_RESERVATION : SHAPE_CYCLIC;
	s.verdict.v.slope_known = false;
	s.verdict.v.plateau_bytes = (uint64_t)(mib * MI);
	s.verdict.v.spread_bytes = (double)MI;
	s.verdict.v.swing_bytes = kind == SERIES_GPU ? 0 : 40.0 * (double)MI;
	if (kind == SERIES_GPU) {
		s.verdict.v.jump_bytes = 19500.0 * (double)MI;
		s.verdict.v.jump_ms = 4000;
		s.verdict.v.jump_epoch = 2;
		s.verdict.v.jumps = 1;
	}
	return s;
}

/* As UTF-8, blanks at the ends of rows left out. */
static char *text_of(const struct grid *g)
{
	char *text = calloc(1, SCREEN_BYTES);
	size_t at = 0;

	for (int row = 0; row < g->rows; row++) {
		at += row_text(g, row, text + at);
		text[at++] = '\n';
	}
	text[at] = '\0';
	return text;
}

static char *read_file(const char *path)
{
	char *text = calloc(1, SCREEN_BYTES);
	FILE *f = fopen(path, "r");

	if (f) {
		text[fread(text, 1, SCREEN_BYTES - 1, f)] = '\0';
		fclose(f);
	}
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

struct screen_case {
	const char *name;
	int columns, rows;
	enum symbols symbols;
	bool leak, gpu, help;
	const char *message;
};

static void check_screen(const struct screen_case *c)
{
	struct view_series series[2] = {c->leak ? growth() : level("host", SERIES_HOST, 200),
					level("gpu0", SERIES_GPU, 20000)};
	struct view_model m = {.command = "/usr/bin/python3 /home/me/project/fit.py --epochs 100",
			       .pid = 4711,
			       .attached = true,
			       .elapsed_ms = EPOCHS * ROWS_PER_EPOCH * ROW_MS,
			       .until_ms = EPOCHS * ROWS_PER_EPOCH * ROW_MS,
			       .epochs = EPOCHS - 1,
			       .planned = 100,
			       .series = series,
			       .n_series = 1 + c->gpu,
			       .heap_used = {(uint64_t)(150 * MI), true},
			       .heap_free = {(uint64_t)(12 * MI), true},
			       .per_epoch = true,
			       .processes = {{4712, "worker", (uint64_t)(80 * MI), true, (double)(8 * MI)},
					     {4711, "python3", (uint64_t)(208 * MI), false, 0}},
			       .n_processes = 2,
			       .procs = 2};
	struct view_state state = {.help = c->help};
	struct grid g = {.ascii = c->symbols == SYMBOLS_ASCII};
	struct history *h = run_of(c->leak ? 8 : 0, c->gpu);
	char path[128], *is, *should;

	m.history = h;
	snprintf(m.message, sizeof(m.message), "%s", c->message ? c->message : "");
	snprintf(path, sizeof(path), "tests/fixtures/screens/%s-%dx%d.txt", c->name, c->columns, c->rows);
	grid_clear(&g, c->rows, c->columns);
	screen_compose(&g, &m, &state, c->symbols);
	is = text_of(&g);
	if (writes)
		write_file(path, is);
	should = read_file(path);
	print_message("%s\n", path);
	assert_string_equal(is, should);
	free(is);
	free(should);
	grid_free(&g);
	history_free(h);
}

static void screens_are_as_they_were_looked_at(void **state)
{
	static const struct screen_case cases[] = {
	    {"leak", 20, 6, SYMBOLS_BRAILLE, true, false, false, NULL},
	    {"leak", 40, 12, SYMBOLS_BRAILLE, true, false, false, NULL},
	    {"leak", 60, 11, SYMBOLS_BRAILLE, true, false, false, NULL},
	    {"leak", 80, 24, SYMBOLS_BRAILLE, true, false, false, NULL},
	    {"leak-ascii", 80, 24, SYMBOLS_ASCII, true, false, false, NULL},
	    {"leak-gpu", 120, 40, SYMBOLS_BRAILLE, true, true, false, NULL},
	    {"leak-gpu", 200, 50, SYMBOLS_BRAILLE, true, true, false, NULL},
	    {"cyclic-block", 80, 24, SYMBOLS_BLOCK, false, false, false, NULL},
	    {"message", 80, 24, SYMBOLS_BRAILLE, false, true, false, "saved: memwatch-4711.txt"},
	    {"help", 80, 24, SYMBOLS_BRAILLE, true, false, true, NULL},
	    {"help", 20, 6, SYMBOLS_BRAILLE, true, false, true, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_screen(&cases[i]);
}

/* No size leaves the grid, and a run of which nothing is known has a screen too. */
static void every_size_has_a_screen(void **state)
{
	struct view_series series = growth();
	struct history *h = run_of(8, false), *empty = history_new(512);
	struct view_model m = {.command = "fit.py", .epochs = -1, .planned = -1, .series = &series};
	struct view_state keys = {0};
	struct grid g = {0};

	(void)state;
	for (int rows = 1; rows <= 200; rows += rows < 30 ? 1 : 17)
		for (int columns = 1; columns <= 400; columns += columns < 60 ? 1 : 37)
			for (int known = 0; known < 2; known++) {
				m.history = known ? h : empty;
				m.n_series = known;
				m.until_ms = known ? 24000 : 0;
				grid_clear(&g, rows, columns);
				screen_compose(&g, &m, &keys, SYMBOLS_BRAILLE);
				assert_int_not_equal(grid_at(&g, 0, 0)->code, 0);
			}
	grid_free(&g);
	history_free(h);
	history_free(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(screens_are_as_they_were_looked_at),
	    cmocka_unit_test(every_size_has_a_screen),
	};

	writes = getenv("ACCEPT") != NULL;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
