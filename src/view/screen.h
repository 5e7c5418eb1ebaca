/* SPDX-License-Identifier: MIT */
/* The live view as a grid. Pure: the same model on the same size gives the same screen. */
#ifndef VIEW_SCREEN_H
#define VIEW_SCREEN_H

#include "draw/canvas.h"
#include "view/grid.h"
#include "view/keys.h"
#include "view/model.h"

/* On a grid cleared to its size. */
void screen_compose(struct grid *g, const struct view_model *m, const struct view_state *s,
		    enum symbols symbols);

#endif
