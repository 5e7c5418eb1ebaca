/* SPDX-License-Identifier: MIT */
/* The lot that the C programs draw from: the same seed gives the same run on every machine. */
#ifndef PROGRAMS_LOT_H
#define PROGRAMS_LOT_H

#include <stdint.h>

static uint64_t drawn(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

#endif
