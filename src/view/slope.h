/* SPDX-License-Identifier: MIT */
/* How fast a series rises, in words. Pure. */
#ifndef VIEW_SLOPE_H
#define VIEW_SLOPE_H

#include "detect/detector.h"

enum { SLOPE_WORDS_MAX = 64 };

/* "+8.00 MiB per epoch"; "" where nothing rises. Returns buf. */
char *slope_words(char buf[SLOPE_WORDS_MAX], const struct verdict *v);

#endif
