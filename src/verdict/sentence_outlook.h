/* SPDX-License-Identifier: MIT */
/* When memory is full, and what it comes to at the planned end. Pure. */
#ifndef VERDICT_SENTENCE_OUTLOOK_H
#define VERDICT_SENTENCE_OUTLOOK_H

#include "verdict/judge.h"
#include "verdict/sentence_parts.h"

/* "411 MiB (up to 433 MiB) at the planned end (epoch 100): it does not fit."; empty when that is not known. */
char *sentence_planned_end(char buf[SENTENCE_MAX], const struct series_verdict *s);

/* "24.0 GiB is full in 12 epochs, about 2 min 10 s"; of a run that is over, "would have been full in 12 more
 * epochs"; where it is far off, "is enough for some 3,000 epochs, about 2 h". "" when nothing is known or the
 * limit is passed already. Returns buf. */
char *sentence_forecast(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

#endif
