/* SPDX-License-Identifier: MIT */
/* `memwatch mark`: a line for the memwatch that watches us. */
#ifndef CMD_MARK_H
#define CMD_MARK_H

/* `memwatch mark [LABEL]`: marks an epoch's end (label NULL) or a named moment in the run that this command
 * was started from. Returns the exit status. A run that is over is no failure: scripts end after it. */
int cmd_mark(const char *label);

#endif
