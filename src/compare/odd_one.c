/* SPDX-License-Identifier: MIT */
/* One is odd when it does what no other does, or when it is further from its nearest neighbour than the others are from
 * one another. */
#include "compare/odd_one.h"

#include <math.h>

#include "base/units.h"

#define GAP_SPREADS 3    /* as wide as all the others together, so many times */
#define GAP_SHARE   0.05 /* of the level */

enum { CANDIDATES_MIN = 3 };

void odd_one_others(const struct odd_candidate *c, int n, int which, double *low, double *high)
{
	*low = HUGE_VAL;
	*high = -HUGE_VAL;
	for (int i = 0; i < n; i++) {
		if (i == which)
			continue;
		*low = fmin(*low, c[i].level);
		*high = fmax(*high, c[i].level);
	}
}

static enum odd_reason odd_level(const struct odd_candidate *c, int n, int which)
{
	double low, high, gap, least;

	odd_one_others(c, n, which, &low, &high);
	gap = c[which].level > high ? c[which].level - high : low - c[which].level;
	least = fmax(fmax(GAP_SPREADS * (high - low), GAP_SHARE * high), (double)MIB);
	if (gap <= least)
		return ODD_NONE;
	return c[which].level > high ? ODD_HIGHER : ODD_LOWER;
}

/* The only one that grows, or that does not; -1: neither. */
static int alone(const struct odd_candidate *c, int n, bool grows)
{
	int which = -1, count = 0;

	for (int i = 0; i < n; i++)
		if (c[i].grows == grows) {
			which = i;
			count++;
		}
	return count == 1 ? which : -1;
}

enum odd_reason odd_one_find(const struct odd_candidate *c, int n, int *which)
{
	if (n < CANDIDATES_MIN)
		return ODD_NONE;
	*which = alone(c, n, true);
	if (*which >= 0)
		return ODD_GROWS;
	*which = alone(c, n, false);
	if (*which >= 0)
		return ODD_GROWS_NOT;
	for (*which = 0; *which < n; ++*which) {
		enum odd_reason reason = odd_level(c, n, *which);

		if (reason != ODD_NONE)
			return reason;
	}
	return ODD_NONE;
}
