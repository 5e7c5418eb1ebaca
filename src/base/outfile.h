/* SPDX-License-Identifier: MIT */
/* Opening files to write to. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>
#include <sys/types.h>

/* As open(2) with these flags, created if need be; never waits for long: a FIFO, which is opened for writing only,
 * gets two seconds to find its reader. 0 or -errno; -EPIPE: a FIFO that nobody reads. */
int outfile_open(const char *name, int flags, int *out_fd);

/* Whether the two names are of one regular file, or would be if there is none yet. */
bool outfile_same(const char *a, const char *b);

/* "standard output" or "standard error" when that of process pid (0: memwatch itself) is this regular file; else, or if
 * it may not be known, NULL. Two who write to one file each at a place of its own overwrite each other. */
const char *outfile_stream(const char *name, pid_t pid);

/* What is wrong, in words, for a -errno of outfile_open. */
const char *outfile_error(int err);

#endif
