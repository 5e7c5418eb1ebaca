/* SPDX-License-Identifier: MIT */
/* --explain: which process of the tree is to say what grows. */
#ifndef WATCH_ASKED_PROCESS_H
#define WATCH_ASKED_PROCESS_H

#include "watch/names.h"

/* The one that holds most, of those that can be asked; 0 none. */
pid_t asked_process_largest(struct watch_names *n);
/* Who is to say what grows: another than the one that grows would answer that nothing does. 0: nobody can, and whom that is
 * due to is in what has been found. */
pid_t asked_process_find(struct watch_names *n);

#endif
