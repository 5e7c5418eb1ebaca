/* SPDX-License-Identifier: MIT */
/* Files of recorded runs, as the commands that read them open them: what is wrong is said. */
#ifndef CMD_RECORDED_H
#define CMD_RECORDED_H

#include "record/recording.h"

/* What is kept of a run for pictures: more than any of them has columns, so that one can be looked into. */
enum { RECORDED_SPANS = 2048 };

/* NULL, with the reason said, when it cannot be read; called: what people know the file as. */
struct recording *recorded_open(const char *file, const char *called, const struct log_request *how);

/* --interval was given, and this is not what has no times: says so, and names it. */
void recorded_refuse_interval(const char *called);

/* After the last row, or err of it: says in one line what was left out; lacking: why nothing can be judged, NULL if it
 * can. */
void recorded_tell(const char *called, const struct recording *r, int err, const char *lacking);

#endif
