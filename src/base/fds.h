/* SPDX-License-Identifier: MIT */
/* Descriptors as bare numbers. */
#ifndef BASE_FDS_H
#define BASE_FDS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* Closes every descriptor but these; a negative one stands for none. Sorts the list. For helper processes:
 * what they kept open by accident would keep somebody else waiting for its end. */
void fds_keep_only(int *fds, size_t count);

/* Closes *fd, if it is one, and sets it to -1. */
void fds_close(int *fd);

/* As poll(2), for those who must go on whatever happens and read without waiting: where waiting fails for good, a
 * moment passes and everything that was asked for is reported. Returns 0 when interrupted. */
int fds_poll(struct pollfd *fds, size_t count, int timeout_ms);

/* Both are open on one file. */
bool fds_same_file(int a, int b);

#endif
