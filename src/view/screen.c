/* SPDX-License-Identifier: MIT */
/* The parts of the view, each in its box. Where a row is too narrow, what matters least is left out. */
#include "view/screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/chart.h"
#include "draw/plot.h"
#include "verdict/sentence_outlook.h"
#include "verdict/sentences.h"
#include "view/layout.h"
#include "view/parts.h"
#include "view/slope.h"

enum { TEXT_MAX = 2 * SENTENCE_MAX };

static enum tone tone_of(const struct series_verdict *s)
{
	switch (s->v.shape) {
	case SHAPE_GROWTH:
		return s->end.outlook == OUTLOOK_FITS ? TONE_UNSURE : TONE_BAD;
	case SHAPE_UNDETERMINED:
		return TONE_UNSURE;
	default:
		return TONE_GOOD;
	}
}

static const struct view_series *chosen_of(const struct view_model *m, const struct view_state *s)
{
	return m->n_series > 0 ? &m->series[s->chosen < m->n_series ? s->chosen : 0] : NULL;
}

/* Words up to the width; one that is wider than all of it is cut off. Returns the lines; with g NULL only counts them. */
static int put_words(struct grid *g, const struct box *b, char *text)
{
	int line = 0, column = 0;
	char *word;

	while ((word = strsep(&text, " ")) && (!g || line < b->rows)) {
		int n = grid_width(word);

		if (column > 0 && column + 1 + n > b->columns) {
			line++;
			column = 0;
		}
		column += column > 0;
		if (g && line < b->rows)
			grid_text(g, b->row + line, b->column + column, b->columns - column, TONE_PLAIN,
				  word);
		column += n;
	}
	return line + 1;
}

static void verdict_words(char text[TEXT_MAX], const struct series_verdict *s)
{
	char reason[SENTENCE_MAX], end[SENTENCE_MAX];

	sentence_planned_end(end, s);
	snprintf(text, TEXT_MAX, "%s%s. %s%s%s", detector_shape_name(s->v.shape),
		 s->v.firm || s->v.shape == SHAPE_UNDETERMINED ? "" : " so far",
		 sentence_reason(reason, s, TENSE_NOW), end[0] ? " " : "", end);
}

static struct box inset(const struct box *b)
{
	int by = b->columns >= GRID_WIDE;

	return (struct box){b->row, b->column + by, b->rows, b->columns - 2 * by};
}

static void put_verdict(struct grid *g, const struct box *b, const struct view_series *s)
{
	struct box in = inset(b);
	char text[TEXT_MAX];
	int name;

	if (b->rows == 0)
		return;
	if (!s) {
		grid_text(g, in.row, in.column, in.columns, TONE_FAINT, "nothing sampled yet");
		return;
	}
	verdict_words(text, &s->verdict);
	name = (int)strcspn(text, ".");
	put_words(g, &in, text);
	grid_tone(g, in.row, in.column, name, tone_of(&s->verdict));
}

static int verdict_lines(const struct view_series *s, int columns)
{
	struct box b = {.columns = columns, .rows = 1};
	struct box in = inset(&b);
	char text[TEXT_MAX];

	if (!s)
		return 1;
	verdict_words(text, &s->verdict);
	return put_words(NULL, &in, text);
}

/* Where there is no room for all of it, without the folders of the program. */
static const char *short_command(const char *command, int columns)
{
	const char *name = command;

	if (grid_width(command) <= columns)
		return command;
	for (const char *at = command; *at && *at != ' '; at++)
		if (*at == '/' && at[1] && at[1] != ' ')
			name = at + 1;
	return name;
}

static void put_head(struct grid *g, const struct view_model *m, const struct view_state *s)
{
	char clock[UNITS_TEXT_MAX], right[160], epochs[64] = "", zoom[16] = "";
	int end = g->columns - (g->columns >= GRID_WIDE), taken;

	if (m->epochs >= 0 && m->planned > 0)
		snprintf(epochs, sizeof(epochs), "epoch %lld of %lld  ", (long long)m->epochs,
			 (long long)m->planned);
	else if (m->epochs >= 0)
		snprintf(epochs, sizeof(epochs), "epoch %lld  ", (long long)m->epochs);
	if (s->zoom > 0)
		snprintf(zoom, sizeof(zoom), "x%d  ", 1 << s->zoom);
	snprintf(right, sizeof(right), "%s%s%s%s", s->paused ? "paused  " : "", zoom,
		 g->columns >= 60 ? epochs : "", units_clock(clock, m->elapsed_ms));
	taken = end - grid_width(right) - 2;
	grid_text_right(g, 0, 0, end, TONE_PLAIN, right);
	if (taken > 0) {
		int n = grid_text(g, 0, g->columns >= GRID_WIDE, taken, TONE_STRONG,
				  short_command(m->command, taken)) +
			(g->columns >= GRID_WIDE);

		if (taken - n > 16)
			grid_textf(g, 0, n, taken - n, TONE_FAINT, "  pid %d", (int)m->pid);
	}
}

static void put_limit(struct grid *g, int row, int from, const struct view_series *s)
{
	char text[96], limit[UNITS_TEXT_MAX];

	if (s->verdict.limit_bytes == 0)
		return;
	snprintf(text, sizeof(text), "%s%slimit %s", s->device ? s->device : "", s->device ? "  " : "",
		 units_bytes(limit, s->verdict.limit_bytes));
	grid_text_right(g, row, from, g->columns - 1, TONE_FAINT, text);
}

/* One line: name, value, verdict, slope, limit. */
static void put_series_line(struct grid *g, int row, const struct view_series *s, bool marked)
{
	enum { VALUE = 10, VERDICT = 13 };
	bool wide = g->columns >= GRID_WIDE;
	char text[SLOPE_WORDS_MAX], value[UNITS_TEXT_MAX];
	int at = wide;

	if (marked)
		grid_text(g, row, 0, 1, TONE_STRONG, ">");
	at += grid_text(g, row, at, wide ? 9 : 5, TONE_STRONG, s->verdict.name) + 1;
	at = wide && at < 6 ? 6 : at;
	at += grid_textf(g, row, at, g->columns, TONE_STRONG, wide ? "%*s" : "%.*s", wide ? VALUE : 31,
			 s->now.ok ? units_bytes(value, s->now.bytes) : "-");
	at += wide ? 3 : 1;
	grid_text(g, row, at, g->columns - at, tone_of(&s->verdict), detector_shape_name(s->verdict.v.shape));
	if (!wide)
		return;
	at += VERDICT;
	slope_words(text, &s->verdict.v);
	if (at + grid_width(text) <= g->columns)
		at += grid_text(g, row, at, g->columns - at, TONE_PLAIN, text);
	put_limit(g, row, at + 2, s);
}

/* So that the chosen one is among them. */
static int first_shown(int chosen, int n, int room)
{
	int first = chosen - room + 1;

	if (first < 0 || n <= room)
		first = 0;
	return first;
}

static void put_series(struct grid *g, const struct box *b, const struct view_model *m, int chosen)
{
	int first = first_shown(chosen, m->n_series, b->rows);

	for (int i = 0; i < b->rows && first + i < m->n_series; i++)
		put_series_line(g, b->row + i, &m->series[first + i], m->n_series > 1 && first + i == chosen);
}

static void put_chart(struct grid *g, const struct box *b, const struct view_model *m,
		      const struct view_series *series, const struct view_state *s, enum symbols symbols)
{
	struct chart_area area = {0, 0, b->columns, b->rows};
	struct canvas *c;
	struct plot p;

	if (!plot_series(&p, m->history, &series->verdict))
		return;
	p.to_ms = fmin(p.to_ms, (double)m->until_ms);
	view_range(s, &p.from_ms, &p.to_ms);
	c = canvas_new(b->columns, b->rows, symbols);
	chart_draw(c, &area, &p, p.from_ms, p.to_ms);
	grid_canvas(g, b->row, b->column, c);
	canvas_free(c);
}

static void put_charts(struct grid *g, const struct layout *l, const struct view_model *m,
		       const struct view_state *s, enum symbols symbols)
{
	int first = first_shown(s->chosen, m->n_series, l->n_charts);

	for (int i = 0; i < l->n_charts && first + i < m->n_series; i++)
		put_chart(g, &l->charts[i], m, &m->series[first + i], s, symbols);
}

void screen_compose(struct grid *g, const struct view_model *m, const struct view_state *s,
		    enum symbols symbols)
{
	const struct view_series *chosen = chosen_of(m, s);
	struct layout_wants wants = {.series = m->n_series > 0 ? m->n_series : 1,
				     .verdict_lines = verdict_lines(chosen, g->columns),
				     .heap = m->heap_free.ok,
				     .processes = m->n_processes};
	struct layout l;

	layout_make(&l, g->rows, g->columns, &wants);
	put_head(g, m, s);
	put_series(g, &l.series, m, s->chosen);
	put_verdict(g, &l.verdict, chosen);
	parts_heap(g, &l.heap, m);
	parts_processes(g, &l.processes, m);
	parts_status(g, &l.status, m, s);
	if (s->help)
		parts_help(g, m);
	else
		put_charts(g, &l, m, s, symbols);
}
