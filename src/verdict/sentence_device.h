/* SPDX-License-Identifier: MIT */
/* What the level of a GPU reminds of. Pure. */
#ifndef VERDICT_SENTENCE_DEVICE_H
#define VERDICT_SENTENCE_DEVICE_H

#include "verdict/judge.h"
#include "verdict/sentence_parts.h"

/* Adds " That is 92 % of the device, ..."; nothing where it reminds of nothing. */
void sentence_device(struct text *t, const struct series_verdict *s);

#endif
