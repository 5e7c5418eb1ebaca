/* SPDX-License-Identifier: MIT */
/* Comparisons as text, as Markdown, as JSON and as a picture with all runs. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include <stdio.h>

#include "compare/gate.h"
#include "series/history.h"

/* What the sides are called: the files of each, lent. */
struct comparison_head {
	const char *const *base, *const *new;
	int base_count, new_count;
	const struct regression_limit *limit;
	const struct regressed_figure *regressed; /* beyond the limit */
	int regressed_count;
	bool gated; /* --fail-on regression: they are named */
};

struct compared {
	struct comparison_head head;
	struct comparison *c;
	struct regressed_figure *regressed; /* what head points to */
};

/* All that is to be told: one comparison, or each NEW with BASE. */
struct comparison_report {
	const struct compared *all;
	int n;
	/* For pictures; the histories of the runs in the order of their files: those of the base, then the new ones. */
	const struct history *const *histories;
};

/* The sentence, then a table of all figures; a paragraph for each. */
void comparison_text(FILE *out, const struct comparison_report *r);
bool comparison_text_wrote(const char *head);
void comparison_markdown(FILE *out, const struct comparison_report *r);
/* The tables alone, for pages; nothing but figures and names of ours is in them. */
void comparison_html_tables(FILE *out, const struct comparison_report *r);
/* One document. */
void comparison_json(FILE *out, const struct comparison_report *r);

#endif
