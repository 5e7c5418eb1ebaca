/* SPDX-License-Identifier: MIT */
/* A comparison as text, as Markdown and as JSON. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include <stdio.h>

#include "base/json_out.h"
#include "compare/gate.h"

/* What the sides are called: the files of each, lent. */
struct comparison_head {
	const char *const *base, *const *new;
	int base_count, new_count;
	const struct regression_limit *limit;
	const struct regressed_figure *regressed; /* beyond the limit */
	int regressed_count;
	bool gated; /* --fail-on regression: they are named */
};

/* The sentence, then a table of all figures. */
void comparison_text(FILE *out, const struct comparison_head *head, const struct comparison *c);
void comparison_markdown(FILE *out, const struct comparison_head *head, const struct comparison *c);

/* One object without its line end; part: it is one of several in a larger document. */
void comparison_json(struct json_out *j, const struct comparison_head *head, const struct comparison *c,
		     bool part);

#endif
