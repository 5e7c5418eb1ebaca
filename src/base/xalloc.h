/* SPDX-License-Identifier: MIT */
/* Allocation without a case for failure. */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>

/* Allocation that never returns NULL: no memory ends memwatch with a message. The caller frees with
 * free(). */
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t count, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Called first when there is no memory; memwatch ends if it returns. From then on other threads than the main one
 * never return when they get none. */
void xalloc_on_failure(void (*fn)(void));

#endif
