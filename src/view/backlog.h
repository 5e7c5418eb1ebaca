/* SPDX-License-Identifier: MIT */
/* What a terminal has not taken yet. */
#ifndef VIEW_BACKLOG_H
#define VIEW_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>

struct backlog { /* all zero: empty */
	char *bytes;
	size_t at, len, size;
};

void backlog_free(struct backlog *b);

/* What was written to the file in memory goes behind the rest, and the file is empty. False: it was before. */
bool backlog_take(struct backlog *b, int memory);
/* As much as the terminal, non-blocking, takes without waiting. What is for a terminal that is gone is dropped. */
void backlog_write_now(struct backlog *b, int tty);
/* As much as it takes at once or soon: for what was drawn just now, not for what it has refused before. */
void backlog_write(struct backlog *b, int tty);
/* All of it, unless the terminal takes nothing for long: somebody stopped it, or its connection is dead. */
void backlog_write_all(struct backlog *b, int tty);

#endif
