/* SPDX-License-Identifier: MIT */
/* Tables that have the epoch in their first column. Pure; used by epochline.c alone. */
#ifndef EPOCHTABLE_H
#define EPOCHTABLE_H

#include "epochline.h"
#include "scan.h"

/* line: without leading spaces. A header, or a line of nothing but figures, which is a row below a header and
 * nothing elsewhere. */
bool epochtable_match(const struct scan *line, struct epochline *out);

#endif
