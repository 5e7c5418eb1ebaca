/* SPDX-License-Identifier: MIT */
/* Names of output files that tell runs, hosts and ranks apart. */
#ifndef BASE_FILENAME_H
#define BASE_FILENAME_H

#include <sys/types.h>

/* Expands %p (pid), %h (host), %r (rank, empty if none) and %%. The caller frees *out. 0, or -EINVAL: a % is
 * followed by something else. */
int filename_expand(const char *pattern, pid_t pid, char **out);

#endif
