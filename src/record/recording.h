/* SPDX-License-Identifier: MIT */
/* A recorded run as a source of samples, memwatch's own CSV or a log of another tool: same judge, same report, no live
 * process. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include "record/csv_reader.h"
#include "record/log_reader.h"

struct recording; /* opaque */

/* path "-" is standard input. 0, or -errno with one line for people in why; then *out is NULL. */
int recording_open(struct recording **out, const char *path, const struct log_request *how,
		   char why[CSV_WHY_MAX]);
/* The same for what is open already, or -errno for why it is not; it is closed with the recording. */
int recording_open_fd(struct recording **out, int fd, const struct log_request *how, char why[CSV_WHY_MAX]);
void recording_close(struct recording *r);

const struct channel *recording_channels(const struct recording *r, int *n);

/* 1 with the next sample lent until the next call, 0 at the end, -errno when the file cannot be read on. */
int recording_next(struct recording *r, const struct sample **out);

const struct csv_reader_damage *recording_damage(const struct recording *r);

/* Whether its samples have times of their own; a log's are known once it is open. */
bool recording_has_times(const struct recording *r);

/* The tool that wrote it; NULL: memwatch. */
const char *recording_tool(const struct recording *r);

/* The i-th thing a person should know of how it was read; NULL: no more. */
const char *recording_note(const struct recording *r, int i);

#endif
