/* SPDX-License-Identifier: MIT */
/* The time shown is a share of the run: 1, 1/2, 1/4, ...; an arrow moves by a quarter of it. */
#include "view/keys.h"

#include <math.h>

static double length_of(const struct view_state *s)
{
	return ldexp(1.0, -s->zoom);
}

static double end_of(const struct view_state *s)
{
	return s->away ? s->until : 1.0;
}

/* What reaches the newest end follows it from then on. */
static void move_to(struct view_state *s, double until)
{
	s->until = fmax(until, length_of(s));
	s->away = s->until < 1.0;
}

/* Around the middle of what is seen; at the newest end that stays in sight. */
static void zoom_to(struct view_state *s, int zoom)
{
	double end = end_of(s), middle = end - length_of(s) / 2;

	if (zoom < 0 || zoom > VIEW_ZOOM_MOST)
		return;
	s->zoom = zoom;
	if (s->away)
		move_to(s, middle + length_of(s) / 2);
}

static void choose(struct view_state *s, int step, int series)
{
	if (series > 0)
		s->chosen = (s->chosen + step + series) % series;
}

enum view_wish view_key(struct view_state *s, enum view_key key, int series)
{
	bool helped = s->help;

	if (key != VIEW_KEY_NONE)
		s->help = false; /* any key leaves the help */
	switch (key) {
	case VIEW_KEY_NONE:
		return VIEW_WISH_NOTHING;
	case VIEW_KEY_OTHER:
		break;
	case VIEW_KEY_QUIT:
		return helped ? VIEW_WISH_DRAW : VIEW_WISH_QUIT;
	case VIEW_KEY_PAUSE:
		s->paused = !s->paused;
		break;
	case VIEW_KEY_CLOSER:
		zoom_to(s, s->zoom + 1);
		break;
	case VIEW_KEY_WIDER:
		zoom_to(s, s->zoom - 1);
		break;
	case VIEW_KEY_LEFT:
		move_to(s, end_of(s) - length_of(s) / 4);
		break;
	case VIEW_KEY_RIGHT:
		move_to(s, end_of(s) + length_of(s) / 4);
		break;
	case VIEW_KEY_UP:
		choose(s, -1, series);
		break;
	case VIEW_KEY_DOWN:
		choose(s, 1, series);
		break;
	case VIEW_KEY_HOME:
		move_to(s, 0);
		break;
	case VIEW_KEY_END:
		s->away = false;
		break;
	case VIEW_KEY_MARK:
		return VIEW_WISH_MARK;
	case VIEW_KEY_SAVE:
		return VIEW_WISH_SAVE;
	case VIEW_KEY_HELP:
		s->help = !helped;
		break;
	case VIEW_KEY_REDRAW:
		return VIEW_WISH_REDRAW;
	}
	return VIEW_WISH_DRAW;
}

void view_range(const struct view_state *s, double *from_ms, double *to_ms)
{
	double begin = *from_ms, whole = *to_ms - begin, end = end_of(s);

	*to_ms = begin + whole * end;
	*from_ms = begin + whole * fmax(end - length_of(s), 0.0);
}
