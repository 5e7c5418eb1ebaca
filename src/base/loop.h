/* SPDX-License-Identifier: MIT */
/* The one place where memwatch waits: descriptors and what to call when one is readable. */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <stdbool.h>

struct loop; /* opaque */

/* Called when fd is readable or hung up, and where waiting fails when it may be: to be read without waiting. */
typedef void loop_fn(void *arg);

struct loop *loop_new(void);
void loop_free(struct loop *l); /* does not close the descriptors added; NULL is legal */

/* At most LOOP_FDS_MAX descriptors. 0 or -errno. The caller keeps fd and arg until loop_remove. */
enum { LOOP_FDS_MAX = 512 };
int loop_add(struct loop *l, int fd, loop_fn *fn, void *arg);
void loop_remove(struct loop *l, int fd);

/* Called whenever handlers have run, before the loop waits again; NULL nothing. */
void loop_after(struct loop *l, loop_fn *fn, void *arg);

/* Runs handlers until loop_stop, not at all if that was called before; may be run again. */
void loop_run(struct loop *l);
void loop_stop(struct loop *l);
bool loop_stopped(const struct loop *l); /* loop_run is about to return */

#endif
