/* SPDX-License-Identifier: MIT */
/* Files of recorded runs, as the commands that read them open them: what is wrong is said. */
#ifndef CMD_RECORDED_H
#define CMD_RECORDED_H

#include "record/recording.h"

/* NULL, with the reason said, when it cannot be read. */
struct recording *recorded_open(const char *file, const struct log_request *how);

/* After the last row, or err of it: says what was left out. */
void recorded_tell(const char *file, const struct recording *r, int err);

#endif
