/* SPDX-License-Identifier: MIT */
/* A comparison in one plain sentence. */
#ifndef COMPARE_SENTENCE_H
#define COMPARE_SENTENCE_H

#include "base/units.h"
#include "compare/compare.h"
#include "verdict/sentences.h"

/* "The fix works: growth of 8.00 MiB per epoch is gone; plateau 40.0 MiB lower." */
char *compare_sentence(char buf[SENTENCE_MAX], const struct comparison *c);

/* A figure and its noise as people read them; "" when it is not known. */
char *compare_amount(char buf[UNITS_TEXT_MAX], enum figure_kind kind, double value);

#endif
