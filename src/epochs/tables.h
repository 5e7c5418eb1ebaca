/* SPDX-License-Identifier: MIT */
/* Tables that have the epoch in their first column. Pure; used by epochs/formats.c alone. */
#ifndef EPOCHS_TABLES_H
#define EPOCHS_TABLES_H

#include "base/scan.h"
#include "epochs/formats.h"

/* line: without leading spaces. A header, or a line of nothing but figures, which is a row below a header and
 * nothing elsewhere. */
bool epoch_tables_match(const struct scan *line, struct epoch_line *out);

#endif
