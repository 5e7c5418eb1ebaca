/* SPDX-License-Identifier: MIT */
/* A grid on the user's terminal, and the keys typed there. Nothing here waits: what the terminal does not take now is
 * written later. */
#ifndef VIEW_PAINTER_H
#define VIEW_PAINTER_H

#include <stdbool.h>

#include "view/grid.h"
#include "view/keys.h"

struct painter; /* opaque; one at a time */

/* Could it be opened, as things stand? As painter_open() answers. */
int painter_check(void);
/* Takes the controlling terminal, whatever standard input is. 0; -ENOSYS: built without ncurses; -ENXIO: no terminal;
 * -EBUSY: another job has it; -ENOTSUP: TERM is not known, or has no way to move the cursor; another -errno. */
int painter_open(struct painter **out, bool ascii);
/* The terminal is as it was. NULL is legal. */
void painter_close(struct painter *p);
/* It is so too when memwatch dies by a signal of its own making; only once opened. */

int painter_fd(const struct painter *p); /* readable when a key was typed, or the terminal is gone */
/* VIEW_KEY_NONE: no more. *gone: the terminal is. */
enum view_key painter_key(struct painter *p, bool *gone);

/* The size now; a change is met by the next painter_show(). */
void painter_size(const struct painter *p, int *rows, int *columns);
/* False: the terminal has not taken all that was shown before; it gets more of it by each call, which waits for
 * nothing. */
bool painter_ready(struct painter *p);
void painter_show(struct painter *p, const struct grid *g);
/* The next painter_show() takes nothing on the screen for granted. */
void painter_forget(struct painter *p);

/* Gives the terminal back for as long as memwatch is stopped. */
void painter_release(struct painter *p);
/* And takes it again, as soon as memwatch is in its foreground; true: it is taken. */
bool painter_take(struct painter *p);

#endif
