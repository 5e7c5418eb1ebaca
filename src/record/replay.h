/* SPDX-License-Identifier: MIT */
/* A recorded run as a source of samples: same judge, same report, no live process. */
#ifndef RECORD_REPLAY_H
#define RECORD_REPLAY_H

#include "record/csv_reader.h"

struct replay; /* opaque */

/* path "-" is standard input. 0, or -errno with one line for people in why; then *out is NULL. */
int replay_open(struct replay **out, const char *path, char why[CSV_WHY_MAX]);
void replay_close(struct replay *r);

const struct channel *replay_channels(const struct replay *r, int *n);

/* 1 with the next sample lent until the next call, 0 at the end, -errno when the file cannot be read on. */
int replay_next(struct replay *r, const struct sample **out);

const struct csv_reader_damage *replay_damage(const struct replay *r);

#endif
