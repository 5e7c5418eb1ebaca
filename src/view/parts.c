/* SPDX-License-Identifier: MIT */
/* Tables and rows of text. A part without rows is left out. */
#include "view/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const double minute_s = 60.0;

void parts_heap(struct grid *g, const struct box *b, const struct view_model *m)
{
	char used[UNITS_TEXT_MAX], unused[UNITS_TEXT_MAX];

	if (b->rows == 0 || !m->heap_free.ok)
		return;
	grid_textf(g, b->row, 1, b->columns - 1, TONE_PLAIN,
		   "malloc's heaps: %s in use, %s freed and kept for later",
		   units_bytes(used, m->heap_used.bytes), units_bytes(unused, m->heap_free.bytes));
}

enum { AT_PID = 1, AT_NAME = 10, AT_BYTES = 27, AT_GROWTH = 38, WIDTH = 9, GROWTH_WIDTH = 11 };

static void put_process(struct grid *g, int row, const struct view_model *m, const struct view_process *p)
{
	char text[UNITS_TEXT_MAX];
	double slope = m->per_epoch ? p->slope : p->slope * minute_s;

	grid_textf(g, row, AT_PID, 7, TONE_PLAIN, "%7d", (int)p->pid);
	grid_text(g, row, AT_NAME, 16, TONE_PLAIN, p->name);
	grid_textf(g, row, AT_BYTES, 12, TONE_PLAIN, "%*s", WIDTH, units_bytes(text, p->bytes));
	if (p->grows)
		grid_textf(g, row, AT_GROWTH, GROWTH_WIDTH, TONE_PLAIN, "%*s", GROWTH_WIDTH,
			   units_bytes_signed(text, slope));
}

void parts_processes(struct grid *g, const struct box *b, const struct view_model *m)
{
	char count[64], n[UNITS_TEXT_MAX];

	if (b->rows == 0)
		return;
	grid_textf(g, b->row, AT_PID, 7, TONE_FAINT, "%7s", "pid");
	grid_text(g, b->row, AT_NAME, 16, TONE_FAINT, "process");
	grid_textf(g, b->row, AT_BYTES, 12, TONE_FAINT, "%*s", WIDTH, "memory");
	grid_textf(g, b->row, AT_GROWTH, GROWTH_WIDTH, TONE_FAINT, "%*s", GROWTH_WIDTH,
		   m->per_epoch ? "per epoch" : "per minute");
	if (m->procs > b->rows - 1) {
		snprintf(count, sizeof(count), "%d of %s processes", b->rows - 1,
			 units_count(n, (uint64_t)m->procs));
		grid_text_right(g, b->row, AT_GROWTH + 14, g->columns - 1, TONE_FAINT, count);
	}
	for (int i = 0; i < b->rows - 1 && i < m->n_processes; i++)
		put_process(g, b->row + 1 + i, m, &m->processes[i]);
}

static const struct key_words {
	const char *key;          /* as the help names it */
	const char *shown, *hint; /* in the last row; NULL: not there */
	const char *help;
} key_words[] = {
    {"q  F10", "q", "quit", NULL},
    {"?  h  F1", "?", "help", "this help"},
    {"p", "p", "pause", "hold the view; sampling goes on"},
    {"+  -", "+-", "zoom", "a shorter, a longer stretch of time"},
    {"left right", NULL, NULL, "earlier, later; End: now again"},
    {"up down", NULL, NULL, "the series above, below"},
    {"m", "m", "mark", "mark the end of an epoch"},
    {"s", "s", "save", "save the report so far in this folder"},
    {"Ctrl-L", NULL, NULL, "draw everything anew"},
};

enum { KEY_WORDS = sizeof(key_words) / sizeof(key_words[0]) };

static void put_keys(struct grid *g, int row, const struct view_state *s)
{
	int at = g->columns >= GRID_WIDE;

	for (int i = 0; i < KEY_WORDS; i++) {
		const struct key_words *k = &key_words[i];
		const char *hint = s->paused && k->key[0] == 'p' ? "go on" : k->hint;
		int n = hint ? (int)(strlen(k->shown) + strlen(hint)) + 1 : 0;

		if (hint && at + n <= g->columns)
			at += grid_textf(g, row, at, n, TONE_BAR, "%s %s", k->shown, hint) + 2;
	}
}

void parts_status(struct grid *g, const struct box *b, const struct view_model *m, const struct view_state *s)
{
	if (b->rows == 0)
		return;
	grid_tone(g, b->row, 0, g->columns, TONE_BAR);
	if (m->message[0])
		grid_text(g, b->row, g->columns >= GRID_WIDE, g->columns - 1, TONE_BAR, m->message);
	else
		put_keys(g, b->row, s);
}

static void clear_rows(struct grid *g, int from, int end)
{
	for (int row = from; row < end; row++)
		for (int column = 0; column < g->columns; column++)
			grid_text(g, row, column, 1, TONE_PLAIN, " ");
}

void parts_help(struct grid *g, const struct view_model *m)
{
	const char *quit =
	    m->attached ? "end the watching; the report follows" : "leave the view; the run goes on";
	int row = 1 + (g->rows >= 2 * KEY_WORDS), wide = g->columns >= GRID_WIDE;

	clear_rows(g, 1, g->rows - 1);
	for (int i = 0; i < KEY_WORDS && row < g->rows - 1; i++, row++) {
		const struct key_words *k = &key_words[i];
		const char *help = k->help ? k->help : quit;

		grid_text(g, row, 2 * wide, 11, TONE_STRONG, k->key);
		grid_text(g, row, 12 + 2 * wide, g->columns, TONE_PLAIN, wide || !k->hint ? help : k->hint);
	}
}
