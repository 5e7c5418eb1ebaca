/* SPDX-License-Identifier: MIT */
/* The lower parts of the live view: heap, processes, the last row, the help. Within view/ only. */
#ifndef VIEW_PARTS_H
#define VIEW_PARTS_H

#include "view/grid.h"
#include "view/keys.h"
#include "view/layout.h"
#include "view/model.h"

void parts_heap(struct grid *g, const struct box *b, const struct view_model *m);
void parts_processes(struct grid *g, const struct box *b, const struct view_model *m);
void parts_status(struct grid *g, const struct box *b, const struct view_model *m,
		  const struct view_state *s);
/* Over all but the first and the last row. */
void parts_help(struct grid *g, const struct view_model *m);

#endif
