/* SPDX-License-Identifier: MIT */
/* A verdict in words: short sentences with numbers a person can check. Pure. */
#ifndef VERDICT_SENTENCES_H
#define VERDICT_SENTENCES_H

#include "verdict/judge.h"
#include "verdict/sentence_parts.h"

/* The evidence for one series: "+8.00 MiB per epoch (7.81 to 8.20) since epoch 2, ..." Returns
 * buf. */
char *sentence_reason(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

/* The whole line: "host: growth. " and the reason. Returns buf. */
char *sentence_line(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

/* "Rising so far: +22.9 MiB per minute (22.7 to 23.1), since 4:24."; empty when there is no such word. */
char *sentence_so_far(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

/* "12 min 4 s, 30 epochs, 3,620 samples". Returns buf. */
char *sentence_run(char buf[SENTENCE_MAX], const struct run_verdict *r);

#endif
