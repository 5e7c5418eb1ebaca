/* SPDX-License-Identifier: MIT */
/* What a key does to the view, and what it asks of the run. Pure. */
#ifndef VIEW_KEYS_H
#define VIEW_KEYS_H

#include <stdbool.h>

enum view_key {
	VIEW_KEY_NONE,
	VIEW_KEY_OTHER, /* means nothing here */
	VIEW_KEY_QUIT,
	VIEW_KEY_PAUSE,
	VIEW_KEY_CLOSER,
	VIEW_KEY_WIDER,
	VIEW_KEY_LEFT,
	VIEW_KEY_RIGHT,
	VIEW_KEY_UP,
	VIEW_KEY_DOWN,
	VIEW_KEY_HOME,
	VIEW_KEY_END,
	VIEW_KEY_MARK,
	VIEW_KEY_SAVE,
	VIEW_KEY_HELP,
	VIEW_KEY_REDRAW,
};

enum { VIEW_ZOOM_MOST = 10 };

/* What of a run is looked at. */
struct view_state {
	int chosen;   /* series */
	int zoom;     /* halvings of the whole run */
	bool away;    /* not at the newest end: */
	double until; /* then the end of what is shown, 0 to 1 of the run when the key was pressed */
	bool paused, help;
};

enum view_wish {
	VIEW_WISH_NOTHING,
	VIEW_WISH_DRAW,   /* as the state now says */
	VIEW_WISH_REDRAW, /* everything anew: something else wrote to the terminal */
	VIEW_WISH_QUIT,
	VIEW_WISH_MARK,
	VIEW_WISH_SAVE,
};

enum view_wish view_key(struct view_state *s, enum view_key key, int series);

/* The stretch of a run from from_ms to to_ms that is shown. */
void view_range(const struct view_state *s, double *from_ms, double *to_ms);

#endif
