/* SPDX-License-Identifier: MIT */
/* The layout goes from top to bottom; each part takes its height and hands the place below it on. */
#include "draw/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "draw/lettering.h"
#include "verdict/judge.h"
#include "verdict/sentences.h"

static const struct lettering facts = {.size = 13, .ink = INK_QUIET};
static const struct lettering headline = {.size = 17, .bold = true, .ink = INK_TEXT};
static const struct lettering paragraph = {.size = 13, .ink = INK_TEXT};
static const struct lettering caption = {.size = 12, .ink = INK_QUIET};

static const double gap = 14;
static const double series_gap = 36;
static const double bar_width = 4, bar_gap = 12;
static const double key_gap = 20;     /* between two of the legend */
static const double limit_near = 1.4; /* of the highest point: then the limit is in the frame */
static const double ahead_most = 0.5; /* of the run's length: how far the outlook is followed */
static const double shortest_ms = 100;

static double margin_of(double width)
{
	return width < 640 ? 16 : 28;
}

static int count_lines(const char *text, double width, const struct lettering *how)
{
	int lines = 0;

	for (size_t next; *text; text += next, lines++)
		lettering_break(text, width, how, &next);
	return lines;
}

/* The narrowest width that needs no more lines: no word stands alone in the last of them. */
static double balanced(const char *text, double width, const struct lettering *how)
{
	static const double step = 8;
	int lines = count_lines(text, width, how);

	while (lines > 1 && width > 20 * step && count_lines(text, width - step, how) == lines)
		width -= step;
	return width;
}

/* "host: growth. +8.00 MiB per epoch ...": the first sentence of the reason belongs to the headline. */
static size_t headline_length(const char *line)
{
	const char *verdict = strstr(line, ". "), *reason = verdict ? strstr(verdict + 2, ". ") : NULL;

	return reason ? (size_t)(reason - line) + 1 : strlen(line);
}

static void add_verdict(struct picture *p, struct picture_series *s, double x, double *y, double width,
			bool over)
{
	char line[SENTENCE_MAX], *rest;
	double top = *y;
	size_t n;

	sentence_line(line, s->plot.series, over ? TENSE_OVER : TENSE_NOW);
	n = headline_length(line);
	rest = line[n] ? line + n + 1 : line + n;
	line[n] = '\0';
	paragraphs_add(&p->text, x + bar_gap, y, balanced(line, width - bar_gap, &headline), line, &headline);
	s->bar = (struct box){x, top + 3, bar_width, *y - top - 3};
	if (*rest) {
		*y += 2;
		paragraphs_add(&p->text, x + bar_gap, y, width - bar_gap, rest, &paragraph);
	}
	*y += gap;
}

static struct picture_key *add_key(struct picture_series *s, const char *part, enum ink ink,
				   enum picture_sample sample)
{
	struct picture_key *k = &s->keys[s->n_keys++];

	k->part = part;
	k->ink = ink;
	k->sample = sample;
	return k;
}

static void add_curve_keys(struct picture_series *s)
{
	const struct series_verdict *v = s->plot.series;
	struct picture_key *k = add_key(s, "held", INK_HELD, SAMPLE_LINE);

	if (v->kind == SERIES_GPU)
		snprintf(k->text, sizeof(k->text), "memory on %s", v->name);
	else
		snprintf(k->text, sizeof(k->text), v->rss_only ? "RSS" : "memory held");
	if (!s->plot.heap)
		return;
	k = add_key(s, "kept", INK_HELD, SAMPLE_AREA);
	snprintf(k->text, sizeof(k->text), "kept by the program");
	k = add_key(s, "free", INK_FREE, SAMPLE_AREA);
	snprintf(k->text, sizeof(k->text), "freed, kept by its allocator");
}

static void add_level_keys(struct picture_series *s)
{
	const struct plot *p = &s->plot;
	char bytes[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX];
	struct picture_key *k;

	if (p->jump) {
		k = add_key(s, "jump", INK_JUMP, SAMPLE_UPRIGHT);
		snprintf(k->text, sizeof(k->text), "jump of %s at %s",
			 units_bytes(bytes, (uint64_t)p->series->v.jump_bytes),
			 units_clock(at, (int64_t)p->jump_ms));
	}
	if (p->plateau.known) {
		k = add_key(s, "plateau", INK_PLATEAU, SAMPLE_LINE);
		snprintf(k->text, sizeof(k->text), "plateau at %s",
			 units_bytes(bytes, (uint64_t)p->plateau.bytes));
	}
	if (p->limit_bytes > 0) {
		k = add_key(s, "limit", INK_LIMIT, SAMPLE_DASH);
		snprintf(k->text, sizeof(k->text), "limit %s%s", units_bytes(bytes, (uint64_t)p->limit_bytes),
			 p->limit_bytes > s->time.y.high ? ", above this chart" : "");
	}
}

static void add_growth_keys(struct picture_series *s)
{
	const struct plot *p = &s->plot;
	const struct verdict *v = &p->series->v;
	char bytes[UNITS_TEXT_MAX];
	struct picture_key *k;

	if (p->growth.known) {
		bool minutes = fabs(v->slope_bytes_per_s) < (double)MIB;
		double slope =
		    v->per_epoch ? v->slope_bytes_per_epoch : v->slope_bytes_per_s * (minutes ? 60 : 1);

		k = add_key(s, "growth", INK_GROWTH, SAMPLE_LINE);
		snprintf(k->text, sizeof(k->text), "%s per %s%s, with its bounds",
			 units_bytes_signed(bytes, slope),
			 v->per_epoch ? "epoch"
			 : minutes    ? "minute"
				      : "second",
			 p->kept.known ? " kept" : "");
	}
	if (p->outlook.known) {
		k = add_key(s, "outlook", INK_GROWTH, SAMPLE_DASH);
		snprintf(k->text, sizeof(k->text), "on to %s at the planned end (epoch %" PRId64 ")",
			 units_bytes(bytes, (uint64_t)p->outlook.to_bytes), p->series->end.epochs);
	}
}

static void place_keys(struct picture_series *s, double left, double *y, double width)
{
	double x = left;

	for (int i = 0; i < s->n_keys; i++) {
		struct picture_key *k = &s->keys[i];
		double w = GRAPH_KEY_WIDTH + GRAPH_KEY_GAP + lettering_width(k->text, &caption);

		if (x > left && x + w > left + width) {
			x = left;
			*y += caption.size * PARAGRAPHS_LINE_HEIGHT;
		}
		k->at = (struct point){x, *y + caption.size};
		x += w + key_gap;
	}
	*y += caption.size * PARAGRAPHS_LINE_HEIGHT + gap / 2;
}

static double highest(const struct plot *p, double end_ms)
{
	double high = fmax(p->high, p->plateau.known ? p->plateau.high : 0);

	if (p->growth.known && !p->kept.known)
		high = fmax(high, p->growth.to_bytes);
	if (p->outlook.known)
		high = fmax(high, plot_line_at(&p->outlook, end_ms));
	return p->limit_bytes > 0 && p->limit_bytes <= limit_near * high ? fmax(high, p->limit_bytes) : high;
}

static double time_end_ms(const struct plot *p)
{
	double end = fmax(p->to_ms, p->from_ms + shortest_ms);

	return p->outlook.known ? fmax(end, fmin(p->outlook.to_ms, end + ahead_most * (end - p->from_ms)))
				: end;
}

static double time_height(double width)
{
	return fmin(fmax(0.28 * width, 150), 260);
}

/* The lowest and highest floor, with the line through them. */
static bool floors_range(const struct plot *p, double *low, double *high)
{
	bool any = false;

	for (int i = 0; i < history_epochs_ended(p->history); i++) {
		const struct history_cell *c = history_cell(&p->history->epochs, i, p->track);

		if (!history_known(c))
			continue;
		*low = any ? fmin(*low, (double)c->low) : (double)c->low;
		*high = any ? fmax(*high, (double)c->low) : (double)c->low;
		any = true;
	}
	return any;
}

/* A run that stays level is shown as such: its noise does not fill the frame. */
static struct scale floors_scale(const struct plot *p, double height)
{
	static const double least = 0.05; /* of the level */
	double low = 0, high = 0, room;

	floors_range(p, &low, &high);
	if (p->growth.known && !p->kept.known)
		high = fmax(high, fmin(p->growth.to_high, high + (high - low) / 2));
	room = p->growth.known ? 0 : fmax(least * high - (high - low), 0) / 2;
	return graph_bytes_close(fmax(low - room, 0), high + room, height);
}

static void place_floors(struct picture_series *s, double x, double *y, double width, double gutter)
{
	const struct history *h = s->plot.history;
	int ended = history_epochs_ended(h);
	struct box frame = {x + gutter, *y + caption.size + gap, width - gutter, 0.42 * time_height(width)};

	s->floors_title = *y + caption.size;
	s->floors.frame = frame;
	s->floors.axis = AXIS_EPOCHS;
	s->floors.x = graph_across(AXIS_EPOCHS, graph_epoch_number(h, 0) - 0.5,
				   graph_epoch_number(h, ended - 1) + 0.5, frame.w);
	*y = frame.y + frame.h + graph_footing();
}

static void place_time(struct picture_series *s, double x, double *y, double width, double gutter)
{
	double top = *y + (s->has_epochs ? caption.size + 14 : 6);
	struct box frame = {x + gutter, top, width - gutter, time_height(width)};

	s->time.frame = frame;
	s->time.axis = AXIS_TIME;
	s->time.x = graph_across(AXIS_TIME, s->plot.from_ms, time_end_ms(&s->plot), frame.w);
	*y = frame.y + frame.h + graph_footing();
}

/* Both charts have their left edges in one line. */
static void place_charts(struct picture_series *s, double x, double *y, double width)
{
	double gutter = graph_gutter(&s->time.y);

	if (s->has_floors)
		gutter = fmax(gutter, graph_gutter(&s->floors.y));
	place_time(s, x, y, width, gutter);
	if (!s->has_floors)
		return;
	*y += 1.5 * gap;
	place_floors(s, x, y, width, gutter);
}

static void lay_out_series(struct picture *p, struct picture_series *s, double *y,
			   const struct picture_words *words, double detail)
{
	double x = p->margin, width = p->width - 2 * x, unused;

	s->has_epochs = history_epochs_ended(s->plot.history) > 0;
	s->has_floors = history_epochs_ended(s->plot.history) > 1 && floors_range(&s->plot, &unused, &unused);
	s->time.y = graph_bytes(0, highest(&s->plot, time_end_ms(&s->plot)), time_height(width));
	s->floors.y = floors_scale(&s->plot, 0.42 * time_height(width));
	s->time.detail = s->floors.detail = detail;
	if (words)
		add_verdict(p, s, x, y, width, words->over);
	add_curve_keys(s);
	add_growth_keys(s);
	add_level_keys(s);
	place_keys(s, x, y, width);
	place_charts(s, x, y, width);
}

static void add_left_out(struct picture *p, double x, double *y, int count)
{
	char text[96];

	snprintf(text, sizeof(text), "%d more series %s drawn: reports in words have all of them", count,
		 count == 1 ? "is not" : "are not");
	*y += series_gap;
	paragraphs_add(&p->text, x, y, p->width - 2 * x, text, &paragraph);
}

void picture_lay_out(struct picture *p, const struct history *h, const struct run_verdict *run,
		     const struct picture_words *words, double width)
{
	double x = margin_of(width), y = x;
	int left_out = 0;

	*p = (struct picture){
	    .width = width, .margin = x, .series = xcalloc(PICTURE_SERIES_MAX, sizeof(*p->series))};
	if (words->facts)
		paragraphs_add(&p->text, x, &y, width - 2 * x, words->facts, &facts);
	for (int i = 0; h && i < run->n; i++) {
		struct picture_series *s = &p->series[p->n_series];

		if (!judge_worth_telling(&run->series[i]))
			continue;
		if (!plot_chosen(run, i, PICTURE_SERIES_MAX, judge_worth_telling)) {
			left_out++;
		} else if (plot_series(&s->plot, h, &run->series[i])) {
			y += p->n_series++ > 0 ? series_gap : gap;
			lay_out_series(p, s, &y, words, 1);
		}
	}
	if (left_out > 0)
		add_left_out(p, x, &y, left_out);
	if (words->foot) {
		y += gap;
		paragraphs_add(&p->text, x, &y, width - 2 * x, words->foot, &caption);
	}
	p->height = ceil(y + x);
}

bool picture_lay_out_series(struct picture *p, const struct history *h, const struct series_verdict *s,
			    double width, double detail)
{
	static const double edge = 6; /* the text around it has its own margin */
	double y = edge;

	*p = (struct picture){
	    .width = width, .margin = edge, .series = xcalloc(1, sizeof(*p->series)), .n_series = 1};
	if (!plot_series(&p->series->plot, h, s)) {
		picture_free(p);
		return false;
	}
	lay_out_series(p, p->series, &y, NULL, detail);
	p->height = ceil(y + edge);
	return true;
}

void picture_free(struct picture *p)
{
	paragraphs_free(&p->text);
	free(p->series);
	*p = (struct picture){0};
}
