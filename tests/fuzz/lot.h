/* SPDX-License-Identifier: MIT */
/* Numbers by lot, the same ones for the same seed. */
#ifndef FUZZ_LOT_H
#define FUZZ_LOT_H

#include <stdint.h>

static uint64_t rng; /* never 0 */

static inline uint32_t rnd(uint32_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)((rng >> 16) % below);
}

#endif
