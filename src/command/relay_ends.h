/* SPDX-License-Identifier: MIT */
/* What stands between COMMAND and its output. */
#ifndef COMMAND_RELAY_ENDS_H
#define COMMAND_RELAY_ENDS_H

#include "command/relay.h"
#include "command/relay_plan.h"
#include "command/relay_process.h"

/* COMMAND's ends are left in r, the relay's in setup. 0 or -errno; what is open then is still to be closed. */
int relay_ends_open(struct relay *r, const struct relay_plan *plan, struct relay_setup *setup);
/* Those in setup. */
void relay_ends_close(struct relay_setup *setup);

#endif
