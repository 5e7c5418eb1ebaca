/* SPDX-License-Identifier: MIT */
/* Without epochs: is a rise the program coming up? v is the view of s. */
#ifndef SERIES_LAUNCH_H
#define SERIES_LAUNCH_H

#include "series/windows.h"

/* It may be: the process was started not long ago. */
bool launch_is_recent(const struct series *s, const struct view *v);

/* All of it may be, with no end of set-up in sight, or too soon for one. */
bool launch_goes_on(const struct series *s, const struct view *v);

/* It was: what came up has been level since, for the last fifth of so short a life. */
bool launch_was_all(const struct series *s, const struct view *v);

#endif
