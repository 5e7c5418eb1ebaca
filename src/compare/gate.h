/* SPDX-License-Identifier: MIT */
/* --fail-on regression: which figures of a comparison are worse by more than is let pass. Pure. */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include "compare/compare.h"

/* --fail-on regression[:SIZE or %]; what is below either is let pass. */
struct regression_limit {
	double bytes, share; /* share: of what the base has, as struct regressed_figure has it */
};

struct regressed_figure {
	const struct series_comparison *series;
	enum figure_kind kind;
	double bytes; /* by so much more; growth: over the part compared */
	double share; /* of the base's figure; growth: of its plateau, to which it adds */
};

enum { GATED_FIGURES = 4 }; /* of one series: growth, plateau, what is kept, peak */

/* What is kept counts where the plateau is not told from noise. Those that are higher, or grow faster, by more than
 * noise and limit; out has room for GATED_FIGURES of each series. How many there are. */
int compare_regressions(const struct comparison *c, const struct regression_limit *limit,
			struct regressed_figure *out);

#endif
