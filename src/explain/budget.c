/* SPDX-License-Identifier: MIT */
/* Who has asked for names wants them of a short run, too; in a long one nobody shall notice what they cost. */
#include "explain/budget.h"

#define SHARE_FIRST 0.10
#define SHARE       0.02
#define GO_ON       1.5 /* times the share, for a round that has begun: what it has taken would be lost */

/* What each snapshot that is left in the round may take at most. */
static int64_t each_ms(const struct explain_budget *b, const struct explain_moment *m)
{
	double share = (m->round == 0 ? SHARE_FIRST : SHARE) * (m->taken > 0 ? GO_ON : 1);
	double left_ms = share * (double)m->whole_ms - (double)b->spent_ms;
	int snapshots = m->of > m->taken ? m->of - m->taken : 1;

	return left_ms > 0 ? (int64_t)(left_ms / snapshots) : 0;
}

bool explain_budget_allows(const struct explain_budget *b, const struct explain_moment *m)
{
	int64_t most_ms = each_ms(b, m);

	return most_ms > 0 && b->expected_ms <= most_ms;
}
