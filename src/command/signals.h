/* SPDX-License-Identifier: MIT */
/* Signals between memwatch and COMMAND: what reaches memwatch alone is passed on once; when COMMAND stops,
 * memwatch stops too, so that the shell sees its job stop; how COMMAND ended is kept. */
#ifndef COMMAND_SIGNALS_H
#define COMMAND_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/sigfd.h"
#include "command/group_witness.h"
#include "command/relay.h"

struct signals {
	struct sigfd queue; /* its descriptor is readable when there is work */
	pid_t child;
	struct group_witness *witness;
	struct relay *relay;
	int stop_signo;   /* what stopped COMMAND last */
	unsigned changes; /* of COMMAND's state seen so far */
	bool ended;
	int status;   /* as from waitpid, once ended */
	bool waiting; /* for something after the end */
	bool late;    /* meanwhile a signal came that would have ended COMMAND */
	void (*on_stop)(
	    bool stopping); /* called before memwatch stops with COMMAND, and after; NULL nobody */
};

/* All signals must be blocked already. 0 or -errno. */
int signals_open(struct signals *f, pid_t child, struct group_witness *witness, struct relay *relay);
void signals_close(struct signals *f);

/* Whoever started memwatch has told it to ignore this signal, as nohup does: it stays ignored. */
bool signals_is_ignored(int signo);

/* Takes what has come: forwards, reaps, stops. */
void signals_ready(struct signals *f);

/* Stops memwatch by this signal, blocked or caught as it may be; returns when it is continued. */
void signals_stop_by(int signo);

/* Takes what the leader of COMMAND's session has seen. */
void signals_leader_ready(struct signals *f);

/* Ends memwatch by the signal that ended COMMAND; returns if that does not end it. */
void signals_die_by(int signo);

#endif
