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

/* Where a seed begins; the first numbers of neighbouring seeds are alike. */
static inline uint64_t lot_of(int seed)
{
	uint64_t state = UINT64_C(88172645463325252) + (uint64_t)seed * UINT64_C(2654435761);
	for (int i = 0; i < 20; i++)
		drawn(&state);
	return state;
}

#endif
