/* SPDX-License-Identifier: MIT */
/* Which symbols a terminal can show, by what its environment says. Pure. */
#ifndef DRAW_SYMBOLS_H
#define DRAW_SYMBOLS_H

#include "draw/canvas.h"

/* getenv()-like: NULL for a variable that is not set. */
enum symbols symbols_of_terminal(char *(*env)(const char *name));

#endif
