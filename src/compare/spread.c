/* SPDX-License-Identifier: MIT */
/* The constants are measured by tests/compare/pairs, which also says how they do on programs that they were not measured
 * on. */
#include "compare/spread.h"

#include <math.h>

#include "base/stats.h"
#include "base/units.h"

/* The rest between runs that are level by themselves: pages that come or not, and a share of the level. */
#define REST_BYTES (24.0 * KIB)
#define REST_SHARE 0.002

#define DRIFT_SHARE 2.0 /* of that rest comes over the part compared, and not at once */
#define FREE_SHARE  0.1 /* of what allocators keep free: how much that is depends on the order of things */
#define PEAK_SHARE  0.1 /* of how far peaks lie above the level: the moment of a sample hits them or not */

#define STEP_SLOPE                                                                                           \
	2.0 /* a step within two thirds of the part compared tilts a line by so much of it, at most */
#define UNIFORM_SD 0.29 /* of what may be anywhere in a span */
#define LEVEL_AT   0.83 /* of the part compared is over in the middle of its last third */

enum { OWN_DOF = 20 };
enum { EXPECTED_DOF = 3 }; /* programs differ: now and then one has more noise than is expected */

/* The lowest of a few samples lies above the floor, and how far is a matter of their phase, for all of the run. */
static double floor_var(const struct run_habits *h)
{
	double missed = h->looks > 0 ? UNIFORM_SD * h->swing_bytes / h->looks : 0;

	return missed * missed;
}

/* Slopes that differ by no more than their noise come to levels that differ by no more than theirs. */
static double reached_var(const struct run_habits *h, double line_var)
{
	return h->grows ? pow(LEVEL_AT * h->span, 2) * line_var : 0;
}

struct expected_spread spread_expected(const struct stretch *own, const struct run_habits *h)
{
	double rest = hypot(REST_BYTES, REST_SHARE * h->level_bytes), kept_free = FREE_SHARE * h->free_bytes;
	double drift = h->span > 0 ? DRIFT_SHARE * rest / h->span : HUGE_VAL,
	       hit = PEAK_SHARE * h->above_bytes;
	/* The noise within a run is known from its many points, and a piece comes or not: neither has long tails. */
	double known = pow(stats_t975(OWN_DOF) / stats_t975(EXPECTED_DOF), 2),
	       piece = own->piece / stats_t975(EXPECTED_DOF);
	double stepped = h->span > 0 ? STEP_SLOPE * piece / h->span : 0;
	double level_var = known * own->level_var + rest * rest + kept_free * kept_free + piece * piece / 2 +
			   floor_var(h) + reached_var(h, known * own->line_var);

	return (struct expected_spread){
	    level_var, known * own->slope_var + drift * drift + stepped * stepped / 2, level_var + hit * hit};
}

static double sum_of_squares(const double *a, int n)
{
	double sd = stats_sd(a, n);

	return sd * sd * (n - 1);
}

double spread_bounds(double expected_var, const double *base, int bases, const double *new, int news)
{
	int dof = EXPECTED_DOF + bases + news - 2;
	double var =
	    (EXPECTED_DOF * expected_var + sum_of_squares(base, bases) + sum_of_squares(new, news)) / dof;

	return stats_t975(dof) * sqrt(var * (1.0 / bases + 1.0 / news));
}
