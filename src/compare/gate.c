/* SPDX-License-Identifier: MIT */
/* Growth counts as what it adds over the part compared, so that one limit fits all figures. */
#include "compare/gate.h"

static bool is_worse(const struct figure *f, double more_bytes, double level,
		     const struct regression_limit *limit)
{
	return f->ok && f->beyond && more_bytes > 0 && more_bytes > limit->bytes &&
	       more_bytes > limit->share * level;
}

int compare_regressions(const struct comparison *c, const struct regression_limit *limit,
			struct regressed_figure *out)
{
	static const enum figure_kind gated[GATED_FIGURES] = {FIGURE_GROWTH, FIGURE_PLATEAU, FIGURE_KEPT,
							      FIGURE_PEAK};
	int n = 0;

	for (int i = 0; c->result != COMPARISON_UNKNOWN && i < c->n; i++)
		for (int k = 0; k < GATED_FIGURES; k++) {
			const struct figure *f = &c->series[i].figures[gated[k]];
			double level =
			    gated[k] == FIGURE_GROWTH ? c->series[i].figures[FIGURE_PLATEAU].base : f->base;
			double more = f->difference * (gated[k] == FIGURE_GROWTH ? c->to - c->from : 1);

			if (gated[k] == FIGURE_KEPT && c->series[i].figures[FIGURE_PLATEAU].beyond)
				continue;
			if (is_worse(f, more, level, limit))
				out[n++] = (struct regressed_figure){&c->series[i], gated[k], more,
								     level > 0 ? more / level : 0};
		}
	return n;
}
