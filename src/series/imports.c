/* SPDX-License-Identifier: MIT */
/* The last time that file pages had risen by a hundredth: mostly before the second epoch is over. Programs that start
 * workers late, or map a file to train from, are the others. */
#include "series/imports.h"

enum {
	/* Imports may take longer on a busy machine; but data that are mapped bit by bit look the same, and a
	 * leak beside them is told after four times as long. */
	LONGEST_MS = 60000,
	YOUNG_MS = 3000, /* no training has come to its end by then */
	/* At its end PyTorch maps more code, in about a second; runs of an hour may take longer. */
	ENDING_MS = 2000,
	ENDING_SHARE = 32,
};

void imports_init(struct imports *c)
{
	*c = (struct imports){.first_ms = -1, .until_ms = -1, .newest_ms = -1};
}

static bool has_risen(struct imports *c, int64_t elapsed_ms, uint64_t bytes)
{
	if (bytes <= c->most_bytes + c->most_bytes / 100 || elapsed_ms - c->first_ms >= LONGEST_MS)
		return false;
	c->most_bytes = bytes;
	return true;
}

/* Does set-up go on, or has the program outlived what may have been its end? Within a quarter of what it
 * took so far it goes on. */
static bool is_set_up(const struct imports *c, int64_t elapsed_ms)
{
	int64_t age_ms = elapsed_ms - c->first_ms;
	return age_ms < YOUNG_MS || 4 * age_ms < 5 * (c->until_ms - c->first_ms) ||
	       elapsed_ms - c->newest_ms > ENDING_MS + age_ms / ENDING_SHARE;
}

bool imports_push(struct imports *c, int64_t elapsed_ms, uint64_t file_bytes)
{
	if (c->first_ms < 0)
		c->first_ms = elapsed_ms;
	if (has_risen(c, elapsed_ms, file_bytes))
		c->newest_ms = elapsed_ms;
	if (c->newest_ms < 0 || !is_set_up(c, elapsed_ms))
		return false;
	c->until_ms = c->newest_ms;
	c->newest_ms = -1;
	return true;
}
