/* SPDX-License-Identifier: MIT */
/* Opening files to write to. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

/* As open(2) with these flags, created if need be; never waits for long: a FIFO, which is opened for writing only,
 * gets two seconds to find its reader. 0 or -errno; -EPIPE: a FIFO that nobody reads. */
int outfile_open(const char *name, int flags, int *out_fd);

/* What is wrong, in words, for a -errno of outfile_open. */
const char *outfile_error(int err);

#endif
