/* SPDX-License-Identifier: MIT */
/* Until when did a program map code? Imports load libraries, and the pages of these come into memory beside
 * what is held; a training that goes on maps no more. Pure; constant memory. */
#ifndef SERIES_IMPORTS_H
#define SERIES_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

struct imports {
	int64_t first_ms;    /* the first row; -1 none yet */
	int64_t until_ms;    /* pages came until then; -1 unknown */
	int64_t newest_ms;   /* came later, but the program may be about to end; -1 none */
	uint64_t most_bytes; /* when they had last risen by a hundredth */
};

void imports_init(struct imports *c);

/* One row, with the file pages of the whole tree. True when until_ms has changed. */
bool imports_push(struct imports *c, int64_t elapsed_ms, uint64_t file_bytes);

#endif
