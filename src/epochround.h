/* SPDX-License-Identifier: MIT */
/* Formats of libraries that train in rounds, iterations or trials. Pure; used by epochline.c alone. */
#ifndef EPOCHROUND_H
#define EPOCHROUND_H

#include "epochline.h"
#include "scan.h"

/* line: without leading spaces. */
bool epochround_match(const struct scan *line, struct epochline *out);

#endif
