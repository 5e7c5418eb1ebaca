/* SPDX-License-Identifier: MIT */
/* Where output leaves the cursor of a terminal: at the start of a fresh line, or within one. Pure. */
#ifndef BASE_SCREEN_CURSOR_H
#define BASE_SCREEN_CURSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/escapes.h"

struct screen_cursor {
	bool mid_line; /* something stands on the line it is in */
	bool returned; /* a carriage return came last: what is erased now leaves an empty line */
	struct escapes escapes;
};

/* n bytes more have been written; with n 0 some that nobody saw: the line counts as fresh. */
void screen_cursor_push(struct screen_cursor *c, const char *bytes, size_t n);

#endif
