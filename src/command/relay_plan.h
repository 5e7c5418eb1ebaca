/* SPDX-License-Identifier: MIT */
/* Which of COMMAND's standard descriptors go through a relay, and through which kind. Only looks, changes
 * nothing. */
#ifndef COMMAND_RELAY_PLAN_H
#define COMMAND_RELAY_PLAN_H

#include <stdbool.h>

enum relay_mode { RELAY_NONE, RELAY_PIPE, RELAY_SOCKET, RELAY_TERMINAL };

struct relay_conf {
	bool stdout_to_stderr; /* COMMAND's standard output is to be its standard error */
	bool terminal;         /* a terminal may be relayed too */
	bool title;            /* and will be given titles: what is written there is followed */
};

struct relay_plan {
	enum relay_mode mode[3];
	int source[3]; /* memwatch's descriptor that COMMAND would get without a relay */
	bool shared;   /* standard output and error are one pipe: one relay keeps their order */
};

/* A terminal is relayed when it is the controlling one and no pipe leads from or to COMMAND: the other
 * programs of a pipeline may want the keyboard for themselves. */
void relay_plan(const struct relay_conf *conf, struct relay_plan *out);

#endif
