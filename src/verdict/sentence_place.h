/* SPDX-License-Identifier: MIT */
/* Where the growth sits. Pure. */
#ifndef VERDICT_SENTENCE_PLACE_H
#define VERDICT_SENTENCE_PLACE_H

#include "verdict/growth_place.h"
#include "verdict/sentence_parts.h"

/* "mostly in the main process, 4711 (python3): 99 % of what grows", or "spread over processes, most of it in: 4712
 * (python3) 33 %, ..."; "" when nothing is known. */
char *sentence_process(char buf[SENTENCE_MAX], const struct growth_place_findings *w);
/* "in its memory, from 0:12 to 1:36: malloc's heap (arrays, objects) +3.20 MiB", "in the memory of 4712, ...";
 * "" when nothing is known. */
char *sentence_mappings(char buf[SENTENCE_MAX], const struct growth_place_findings *w);

#endif
