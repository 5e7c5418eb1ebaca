/* SPDX-License-Identifier: MIT */
/* Loops that people number by hand without the word "epoch". Pure; used by epochs/formats.c alone. */
#ifndef EPOCHS_COUNTERS_H
#define EPOCHS_COUNTERS_H

#include "base/scan.h"
#include "epochs/formats.h"

/* line: without leading spaces. What it finds is a counter of something: whether that may stand for an epoch
 * shows only in how it goes on (epochs/track.c). */
bool epoch_counters_match(const struct scan *line, struct epoch_line *out);

#endif
