/* SPDX-License-Identifier: MIT */
/* Descriptors as bare numbers. */
#ifndef BASE_FDS_H
#define BASE_FDS_H

#include <stddef.h>

/* Closes every descriptor but these; a negative one stands for none. Sorts the list. For helper processes:
 * what they kept open by accident would keep somebody else waiting for its end. */
void fds_keep_only(int *fds, size_t count);

/* Closes *fd, if it is one, and sets it to -1. */
void fds_close(int *fd);

#endif
