/* SPDX-License-Identifier: MIT */
/* The samples of a run as CSV, where --output asks for them. */
#ifndef WATCH_OUTPUT_H
#define WATCH_OUTPUT_H

#include "watch/watch.h"

/* The name may hold the number of the main process. 0, or 125 with the message said. */
int watch_output_open(struct watch *w, pid_t main_pid);

/* The sample of this tick. False, once: nobody reads the file any more. */
bool watch_output_row(struct watch *w);

/* Sets rows_lost where not all that was sampled is in the file, and says so. */
void watch_output_close(struct watch *w);

#endif
