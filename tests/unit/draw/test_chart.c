/* SPDX-License-Identifier: MIT */
/* The pictures are in tests/fixtures/charts; ACCEPT=1 in the environment writes those that are drawn now, to be looked
 * at before they are believed. */
#include "draw/chart.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw/paint.h"

enum { MI = 1 << 20, EPOCHS = 20, ROWS = 10, TEXT_MAX = 1 << 18 };

struct story {
	const char *name;
	uint64_t (*mib)(int row);
	bool epochs;
	struct verdict v;
	uint64_t limit_mib;
};

static uint64_t leak(int row)
{
	return row < ROWS ? (uint64_t)(20 * row) : (uint64_t)(200 + 8 * (row / ROWS) + row % 2 * 6);
}

static uint64_t reservation(int row)
{
	return row < 4 * ROWS ? 100 : 320;
}

static uint64_t sawtooth(int row)
{
	return (uint64_t)(300 + row % 25 * 4);
}

static uint64_t level(int row)
{
	return (uint64_t)(500 + row % 2);
}

static const struct story stories[] = {
    {.name = "leak",
     .mib = leak,
     .epochs = true,
     .limit_mib = 380,
     .v = {.shape = SHAPE_GROWTH,
	   .per_epoch = true,
	   .slope_known = true,
	   .slope_bytes_per_epoch = 8.0 * MI,
	   .slope_bytes_per_s = 8.0 * MI,
	   .onset_ms = 1000,
	   .epochs = EPOCHS}},
    {.name = "reservation",
     .mib = reservation,
     .epochs = true,
     .v = {.shape = SHAPE_RESERVATION,
	   .per_epoch = true,
	   .jump_bytes = 220.0 * MI,
	   .jump_ms = 4000,
	   .onset_ms = 4000,
	   .plateau_bytes = 320ULL * MI}},
    {.name = "sawtooth",
     .mib = sawtooth,
     .v = {.shape = SHAPE_CYCLIC, .onset_ms = 0, .plateau_bytes = 300ULL * MI}},
    {.name = "level", .mib = level, .v = {.shape = SHAPE_FLAT, .onset_ms = -1}},
};

static struct history *history_of(const struct story *story)
{
	struct history *h = history_new(512);
	struct sample s = {.n = CH_HOST_COUNT, .procs = 1};

	for (int i = 0; i < EPOCHS * ROWS; i++) {
		s.elapsed_ms = 100 * i;
		s.epoch = story->epochs ? i / ROWS : -1;
		history_push(h, &s, (struct reading){story->mib(i) * MI, true});
	}
	return h;
}

static void draw_at(FILE *out, const struct story *story, int columns, int rows, enum symbols symbols)
{
	struct history *h = history_of(story);
	struct series_verdict s = {.name = "host", .kind = SERIES_HOST, .v = story->v};
	struct canvas *c = canvas_new(columns, rows, symbols);
	struct chart_area all = {.columns = columns, .rows = rows};
	struct plot p;

	s.limit_bytes = story->limit_mib * MI;
	assert_true(plot_series(&p, h, &s));
	chart_draw(c, &all, &p, p.from_ms, p.to_ms);
	fprintf(out, "%d x %d\n", columns, rows);
	paint_canvas(out, c, false);
	canvas_free(c);
	history_free(h);
}

static void draw_all(FILE *out, const struct story *story, enum symbols symbols)
{
	static const struct {
		int columns, rows;
	} sizes[] = {{20, 6}, {30, 10}, {40, 8}, {80, 10}, {100, 10}, {200, 20}, {400, 12}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		draw_at(out, story, sizes[i].columns, sizes[i].rows, symbols);
}

static void compare_with(const char *path, const char *drawn)
{
	static char expected[TEXT_MAX];
	FILE *f = fopen(path, getenv("ACCEPT") ? "w+" : "r");

	assert_non_null(f);
	if (getenv("ACCEPT")) {
		fputs(drawn, f);
		rewind(f);
	}
	expected[fread(expected, 1, sizeof(expected) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(drawn, expected);
}

static void charts_are_drawn_as_they_were_approved(void **state)
{
	static const char *const names[] = {
	    [SYMBOLS_BRAILLE] = "braille", [SYMBOLS_BLOCK] = "block", [SYMBOLS_ASCII] = "ascii"};

	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++)
		for (int symbols = SYMBOLS_BRAILLE; symbols <= SYMBOLS_ASCII; symbols++) {
			char path[128], *text = NULL;
			size_t n = 0;
			FILE *f = open_memstream(&text, &n);

			draw_all(f, &stories[i], (enum symbols)symbols);
			fclose(f);
			snprintf(path, sizeof(path), "tests/fixtures/charts/%s.%s", stories[i].name,
				 names[symbols]);
			compare_with(path, text);
			free(text);
		}
}

static bool is_empty(const struct canvas *c, int column, int row)
{
	enum canvas_role role;

	return canvas_glyph(c, column, row, &role) == ' ';
}

/* Any size: what lies around the area stays untouched. */
static void a_chart_keeps_to_its_area(void **state)
{
	struct history *h = history_of(&stories[0]);
	struct series_verdict s = {.name = "host", .kind = SERIES_HOST, .v = stories[0].v};
	struct plot p;

	(void)state;
	s.limit_bytes = 380ULL * MI;
	assert_true(plot_series(&p, h, &s));
	for (int columns = 1; columns < 60; columns++)
		for (int rows = 1; rows < 14; rows++) {
			struct chart_area a = {3, 2, columns, rows};
			struct canvas *c = canvas_new(columns + 6, rows + 4, SYMBOLS_BRAILLE);

			chart_draw(c, &a, &p, p.from_ms, p.to_ms);
			for (int y = 0; y < rows + 4; y++)
				for (int x = 0; x < columns + 6; x++)
					if (x < 3 || x >= columns + 3 || y < 2 || y >= rows + 2)
						assert_true(is_empty(c, x, y));
			if (columns >= CHART_COLUMNS_LEAST && rows >= CHART_ROWS_LEAST)
				assert_false(is_empty(c, a.column + columns - 1, a.row) &&
					     is_empty(c, a.column + columns - 1, a.row + 1) &&
					     is_empty(c, a.column + columns - 1, a.row + 2));
			canvas_free(c);
		}
	history_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(charts_are_drawn_as_they_were_approved),
	    cmocka_unit_test(a_chart_keeps_to_its_area),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
