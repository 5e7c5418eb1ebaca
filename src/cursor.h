/* SPDX-License-Identifier: MIT */
/* Where output leaves the cursor of a terminal: at the start of a fresh line, or within one. Pure. */
#ifndef CURSOR_H
#define CURSOR_H

#include <stdbool.h>
#include <stddef.h>

struct cursor {
	bool mid_line; /* something stands on the line it is in */
	enum { CURSOR_TEXT, CURSOR_ESCAPE, CURSOR_SEQUENCE } within;
};

/* n bytes more have been written; with n 0 some that nobody saw: the line counts as fresh. */
void cursor_push(struct cursor *c, const char *bytes, size_t n);

#endif
