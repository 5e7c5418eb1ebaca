/* SPDX-License-Identifier: MIT */
/* Files that a command line leaves out: the last runs that were kept. */
#ifndef CMD_LAST_RUNS_H
#define CMD_LAST_RUNS_H

#include "options/options.h"

/* Makes the files so many, with the newest run last, and says which were taken. 0, or 125 with the message said. The
 * names live as long as memwatch does. */
int last_runs_complete(struct options *o, const char *command, size_t needed);

#endif
