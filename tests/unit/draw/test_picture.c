/* SPDX-License-Identifier: MIT */
#include "draw/picture.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "verdict/judge.h"

enum { MI = 1 << 20, ROWS = 10, TEXTS = 4096 };

/* A surface that remembers where text went, and which inks were used. */
struct list {
	struct surface surface;
	struct box boxes[TEXTS];
	char texts[TEXTS][PICTURE_KEY_MAX];
	int n, depth;
	int lines[INK_COUNT], areas[INK_COUNT];
};

static void list_polyline(struct surface *s, const struct point *p, int n, const struct stroke *how)
{
	(void)p;
	assert_true(n >= 2);
	((struct list *)s)->lines[how->ink]++;
}

static void list_area(struct surface *s, const struct point *p, int n, enum ink ink, double opacity)
{
	(void)p;
	(void)opacity;
	assert_true(n >= 3);
	((struct list *)s)->areas[ink]++;
}

static void list_text(struct surface *s, struct point at, const char *text, const struct lettering *how)
{
	struct list *l = (struct list *)s;

	assert_true(l->n < TEXTS);
	snprintf(l->texts[l->n], sizeof(l->texts[0]), "%s", text);
	l->boxes[l->n++] = lettering_box(at, text, how);
}

static void list_begin(struct surface *s, const char *name, const char *title, const struct box *clip)
{
	(void)name;
	(void)title;
	(void)clip;
	((struct list *)s)->depth++;
}

static void list_end(struct surface *s)
{
	((struct list *)s)->depth--;
}

static const struct surface_kind list_kind = {list_polyline, list_area, list_text, list_begin, list_end};

static bool meet(const struct box *a, const struct box *b)
{
	return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static void assert_readable(const struct list *l, const struct picture *p)
{
	for (int i = 0; i < l->n; i++) {
		const struct box *b = &l->boxes[i];

		if (b->x < 0 || b->y < 0 || b->x + b->w > p->width || b->y + b->h > p->height)
			fail_msg("\"%s\" leaves a picture of %.0f x %.0f", l->texts[i], p->width, p->height);
		for (int k = 0; k < i; k++)
			if (meet(b, &l->boxes[k]))
				fail_msg("\"%s\" and \"%s\" overlap at width %.0f", l->texts[i], l->texts[k],
					 p->width);
	}
	assert_int_equal(l->depth, 0);
}

struct run {
	struct judge *judge;
	struct history *history;
	const struct run_verdict *verdict;
};

struct story {
	double (*level)(int64_t epoch, int row); /* MiB */
	int epochs;
	int64_t row_ms, planned;
	uint64_t limit;
	double scale;
	int gpus;
	bool heap, silent;
};

static double leak(int64_t epoch, int row)
{
	return 100 + 4.0 * (double)epoch + row % 2;
}

static double jumped(int64_t epoch, int row)
{
	return (epoch < 3 ? 100 : 300) + row % 2;
}

static double saw(int64_t epoch, int row)
{
	(void)epoch;
	return 200 + 30.0 * row;
}

static double level(int64_t epoch, int row)
{
	(void)epoch;
	(void)row;
	return 250;
}

static void put_gpus(struct sample *s, const struct story *t, int i)
{
	for (int g = 0; g < t->gpus; g++) {
		s->v[CH_HOST_COUNT + 2 * g] = (struct reading){(uint64_t)(i < 5 ? 0 : 1 + g) << 30, true};
		s->v[CH_HOST_COUNT + 2 * g + 1] = (struct reading){UINT64_C(24) << 30, true};
	}
}

static void judge_story(struct run *r, const struct story *t)
{
	struct channel channels[CH_HOST_COUNT + 2 * 8] = {0};
	struct sample s = {.n = CH_HOST_COUNT + 2 * t->gpus, .procs = 1};

	for (int g = 0; g < t->gpus; g++) {
		snprintf(channels[CH_HOST_COUNT + 2 * g].name, CHANNEL_NAME_MAX, "gpu%d_bytes", g);
		snprintf(channels[CH_HOST_COUNT + 2 * g + 1].name, CHANNEL_NAME_MAX, "gpu%d_total_bytes", g);
	}
	r->judge = judge_new();
	r->history = history_new(2048);
	judge_channels(r->judge, channels, s.n);
	history_channels(r->history, channels, s.n);
	judge_planned(r->judge, t->planned);
	judge_limit(r->judge, t->limit);
	for (int i = 0; i < t->epochs * ROWS; i++) {
		uint64_t held = (uint64_t)(t->level(i / ROWS, i % ROWS) * t->scale * MI);

		s.elapsed_ms = t->row_ms * i;
		s.epoch = t->silent ? -1 : i / ROWS;
		s.v[CH_HELD] = (struct reading){held, true};
		s.v[CH_HEAP_USED] = (struct reading){held / 2, t->heap && i % ROWS == 0};
		s.v[CH_HEAP_FREE] = (struct reading){held / 3, t->heap && i % ROWS == 0};
		put_gpus(&s, t, i);
		judge_push(r->judge, &s);
		history_push(r->history, &s, s.v[CH_HELD]);
	}
	r->verdict = judge_run(r->judge);
}

static void close_run(struct run *r)
{
	judge_free(r->judge);
	history_free(r->history);
}

static const struct picture_words words = {
    .facts = "python fit.py --with a-rather-long-name --of a command line (pid 1234): 64 s, 120 epochs",
    .foot = "memwatch",
    .over = true};

static void draw_story(struct list *l, struct picture *p, const struct run *r, double width)
{
	memset(l, 0, sizeof(*l));
	l->surface.kind = &list_kind;
	picture_lay_out(p, r->history, r->verdict, &words, width);
	picture_draw(p, &l->surface);
}

static void no_text_meets_another_at_any_size(void **state)
{
	static const struct story stories[] = {
	    {leak, 20, 100, 100, UINT64_C(8) << 30, 1, 0, false, false},
	    {leak, 20, 100, 24, 230 * (uint64_t)MI, 1, 0, true, false},
	    {leak, 400, 60000, -1, UINT64_C(1) << 41, 3000, 0, false, false},
	    {leak, 3000, 37, -1, 0, 0.001, 0, false, false},
	    {jumped, 20, 3600, -1, UINT64_C(300) << 20, 1, 3, false, false},
	    {jumped, 6, 400000, -1, 0, 77.7, 0, true, true},
	    {saw, 150, 3, -1, UINT64_C(1) << 30, 0.01, 1, false, false},
	    {level, 1, 1, -1, 0, 1, 0, false, true},
	    {level, 2, 1000, -1, UINT64_C(900) << 30, 1, 8, false, false},
	    {level, 1000, 86400, -1, 0, 4000, 0, false, false},
	};
	static struct list l;

	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		struct run r;

		judge_story(&r, &stories[i]);
		for (double width = 360; width <= 1900; width += 77) {
			struct picture p;

			draw_story(&l, &p, &r, width);
			assert_readable(&l, &p);
			picture_free(&p);
		}
		close_run(&r);
	}
}

static bool says(const struct list *l, const char *part)
{
	for (int i = 0; i < l->n; i++)
		if (strstr(l->texts[i], part))
			return true;
	return false;
}

static void growth_is_drawn_with_its_outlook_and_a_limit_that_is_near(void **state)
{
	static const struct story near = {leak, 20, 100, 24, 200 * (uint64_t)MI, 1, 0, false, false};
	static struct list l;
	struct picture p;
	struct run r;

	(void)state;
	judge_story(&r, &near);
	draw_story(&l, &p, &r, PICTURE_WIDTH);
	assert_true(says(&l, "host: growth. +4.00 MiB per epoch"));
	assert_true(says(&l, "limit 200 MiB") && !says(&l, "above this chart"));
	assert_true(says(&l, "at the planned end (epoch 24)"));
	assert_true(p.series[0].time.y.high >= 200.0 * MI);
	assert_true(l.lines[INK_LIMIT] == 2); /* in the frame and in the legend */
	assert_true(p.series[0].time.x.high > p.series[0].plot.to_ms);
	picture_free(&p);
	close_run(&r);
}

static void a_limit_far_off_is_said_and_leaves_the_frame_to_the_run(void **state)
{
	static const struct story far = {leak, 20, 100, -1, UINT64_C(8) << 30, 1, 0, false, false};
	static struct list l;
	struct picture p;
	struct run r;

	(void)state;
	judge_story(&r, &far);
	draw_story(&l, &p, &r, PICTURE_WIDTH);
	assert_true(says(&l, "limit 8.00 GiB, above this chart"));
	assert_true(p.series[0].time.y.high < 300.0 * MI);
	assert_true(l.lines[INK_LIMIT] == 1);
	picture_free(&p);
	close_run(&r);
}

static void what_malloc_keeps_free_is_an_area_of_its_own(void **state)
{
	static const struct story heap = {leak, 20, 100, -1, 0, 1, 0, true, false};
	static struct list l;
	struct picture p;
	struct run r;

	(void)state;
	judge_story(&r, &heap);
	draw_story(&l, &p, &r, PICTURE_WIDTH);
	assert_int_equal(l.areas[INK_FREE], 2);
	assert_true(says(&l, "freed, kept by its allocator"));
	picture_free(&p);
	close_run(&r);
}

static void each_series_has_its_charts_and_no_epochs_mean_no_floors(void **state)
{
	static const struct story gpus = {jumped, 20, 100, -1, 0, 1, 3, false, false};
	static const struct story silent = {leak, 20, 100, -1, 0, 1, 0, false, true};
	static struct list l;
	struct picture p;
	struct run r;

	(void)state;
	judge_story(&r, &gpus);
	draw_story(&l, &p, &r, PICTURE_WIDTH);
	assert_int_equal(p.n_series, 4);
	assert_true(p.series[3].has_floors && says(&l, "memory on gpu2") && says(&l, "gpu2: reservation."));
	assert_true(p.series[1].bar.y > p.series[0].floors.frame.y + p.series[0].floors.frame.h);
	picture_free(&p);
	close_run(&r);
	judge_story(&r, &silent);
	draw_story(&l, &p, &r, PICTURE_WIDTH);
	assert_false(p.series[0].has_floors || p.series[0].has_epochs || says(&l, "Lowest"));
	picture_free(&p);
	close_run(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_text_meets_another_at_any_size),
	    cmocka_unit_test(growth_is_drawn_with_its_outlook_and_a_limit_that_is_near),
	    cmocka_unit_test(a_limit_far_off_is_said_and_leaves_the_frame_to_the_run),
	    cmocka_unit_test(what_malloc_keeps_free_is_an_area_of_its_own),
	    cmocka_unit_test(each_series_has_its_charts_and_no_epochs_mean_no_floors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
