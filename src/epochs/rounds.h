/* SPDX-License-Identifier: MIT */
/* Formats of libraries that train in rounds, iterations or trials. Pure; used by epochs/formats.c alone. */
#ifndef EPOCHS_ROUNDS_H
#define EPOCHS_ROUNDS_H

#include "base/scan.h"
#include "epochs/formats.h"

/* line: without leading spaces. */
bool epoch_rounds_match(const struct scan *line, struct epoch_line *out);

#endif
