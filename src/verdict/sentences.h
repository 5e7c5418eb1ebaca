/* SPDX-License-Identifier: MIT */
/* A verdict in words: short sentences with numbers a person can check. Pure. */
#ifndef VERDICT_SENTENCES_H
#define VERDICT_SENTENCES_H

#include <stddef.h>

#include "verdict/growth_place.h"
#include "verdict/judge.h"

enum { SENTENCE_MAX = 768 };

/* How what is still to come is spoken of. */
enum tense {
	TENSE_ANY, /* "would be full": the same words for a run that goes on and for its recording */
	TENSE_NOW, /* "is full" */
	TENSE_OVER /* "would have been full": the run has ended */
};

/* The evidence for one series: "+8.00 MiB per epoch (7.81 to 8.20) since epoch 2, ..." Returns
 * buf. */
char *sentence_reason(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

/* The whole line: "host: growth. " and the reason. Returns buf. */
char *sentence_line(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

/* "Rising so far: +22.9 MiB per minute (22.7 to 23.1), since 4:24."; empty when there is no such word. */
char *sentence_so_far(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

/* "411 MiB (up to 433 MiB) at the planned end (epoch 100): harmless."; empty when that is not known. */
char *sentence_planned_end(char buf[SENTENCE_MAX], const struct series_verdict *s);

/* "24.0 GiB is full in 12 epochs, about 2 min 10 s"; of a run that is over, "would have been full in 12 more
 * epochs"; where it is far off, "is enough for some 3,000 epochs, about 2 h". "" when nothing is known or the
 * limit is passed already. Returns buf. */
char *sentence_forecast(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense);

/* "mostly in the main process, 4711 (python3): 99 % of what grows", or "spread over processes, most of it in: 4712
 * (python3) 33 %, ..."; "" when nothing is known. */
char *sentence_process(char buf[SENTENCE_MAX], const struct growth_place_findings *w);
/* "in its memory, from 0:12 to 1:36: malloc's heap (arrays, objects) +3.20 MiB", "in the memory of 4712, ...";
 * "" when nothing is known. */
char *sentence_mappings(char buf[SENTENCE_MAX], const struct growth_place_findings *w);

/* "12 min 4 s, 30 epochs, 3,620 samples". Returns buf. */
char *sentence_run(char buf[SENTENCE_MAX], const struct run_verdict *r);

#endif
