/* SPDX-License-Identifier: MIT */
/* A comparison in one plain sentence. */
#ifndef COMPARE_SENTENCE_H
#define COMPARE_SENTENCE_H

#include "base/units.h"
#include "compare/gate.h"
#include "verdict/sentences.h"

/* "The fix works: growth of 8.00 MiB per epoch is gone; plateau 40.0 MiB lower." */
char *compare_sentence(char buf[SENTENCE_MAX], const struct comparison *c);

/* "Perhaps not the same program: the host holds 30.1 MiB and 340 MiB." Empty where nothing makes that doubtful. */
char *compare_doubt(char buf[SENTENCE_MAX], const struct comparison *c);

/* "host plateau higher by 40.0 MiB (13 %), allowed are 5 %" */
char *compare_regression(char buf[SENTENCE_MAX], const struct comparison *c, const struct regressed_figure *r,
			 const struct regression_limit *limit);

/* A figure and its noise as people read them; "" when it is not known. */
char *compare_amount(char buf[UNITS_TEXT_MAX], enum figure_kind kind, double value);

/* "1.25 s", "1250 s". */
char *compare_seconds(char buf[UNITS_TEXT_MAX], double seconds);

#endif
