/* SPDX-License-Identifier: MIT */
/* What is known of the terminal that TERM names. Apart from the painter, as term.h makes macros of common words. */
#ifndef VIEW_TERMINFO_H
#define VIEW_TERMINFO_H

#include <stdbool.h>
#include <stddef.h>

/* It is known, and its cursor can be moved. */
bool terminfo_has_screen(int tty);

/* What ends a full screen: keys, colours, cursor and screen as they were. Of the terminal that ncurses has open; returns
 * its bytes, size at most. */
size_t terminfo_leave(char *buf, size_t size);

#endif
