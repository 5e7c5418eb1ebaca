/* SPDX-License-Identifier: MIT */
/* Loops that people number by hand without the word "epoch". Pure; used by epochline.c alone. */
#ifndef EPOCHCOUNT_H
#define EPOCHCOUNT_H

#include "epochline.h"
#include "scan.h"

/* line: without leading spaces. What it finds is a counter of something: whether that may stand for an epoch
 * shows only in how it goes on (epochtrack.c). */
bool epochcount_match(const struct scan *line, struct epochline *out);

#endif
