/* SPDX-License-Identifier: MIT */
/* One is odd when it does what no other does, or when it is further from its nearest neighbour than the others are from
 * one another. */
#include "compare/odd_one.h"

#include <math.h>

#include "base/units.h"

#define GAP_SPREADS 3    /* as wide as all the others together, so many times */
#define GAP_SHARE   0.05 /* of the level */

enum { CANDIDATES_MIN = 3 };

static bool has_odd_level(const struct odd_candidate *c, int n, struct odd_one *odd)
{
	double level = c[odd->which].levels[odd->place], gap;

	odd->low = HUGE_VAL;
	odd->high = -HUGE_VAL;
	for (int i = 0; i < n; i++) {
		if (i == odd->which)
			continue;
		odd->low = fmin(odd->low, c[i].levels[odd->place]);
		odd->high = fmax(odd->high, c[i].levels[odd->place]);
	}
	gap = level > odd->high ? level - odd->high : odd->low - level;
	return gap > fmax(fmax(GAP_SPREADS * (odd->high - odd->low), GAP_SHARE * odd->high), (double)MIB);
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

struct odd_one odd_one_find(const struct odd_candidate *c, int n)
{
	struct odd_one odd = {.reason = ODD_NONE};

	if (n < CANDIDATES_MIN)
		return odd;
	odd.which = alone(c, n, true);
	if (odd.which >= 0) {
		odd.reason = ODD_GROWS;
		return odd;
	}
	odd.which = alone(c, n, false);
	if (odd.which >= 0) {
		odd.reason = ODD_GROWS_NOT;
		return odd;
	}
	for (odd.place = 0; odd.place < ODD_PLACES; odd.place++)
		for (odd.which = 0; odd.which < n; odd.which++)
			if (has_odd_level(c, n, &odd)) {
				odd.reason = ODD_LEVEL;
				return odd;
			}
	return odd;
}
