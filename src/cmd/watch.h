/* SPDX-License-Identifier: MIT */
/* Watching, attached or as the parent. Each fills in how memwatch is to end; main() ends it. */
#ifndef CMD_WATCH_H
#define CMD_WATCH_H

#include "options/options.h"
#include "watch/end.h"

/* Attach to the processes of --pid until they end, or Ctrl-C. */
void cmd_attach(const struct options *o, struct watch_end *end);

/* Run COMMAND and watch it to its end. */
void cmd_wrap(const struct options *o, struct watch_end *end);

#endif
