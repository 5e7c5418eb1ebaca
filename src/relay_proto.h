/* SPDX-License-Identifier: MIT */
/* What memwatch and the relay's process say to each other over their socket, one message per packet. */
#ifndef RELAY_PROTO_H
#define RELAY_PROTO_H

enum relay_word {
	RELAY_READY, /* relay: everything is set up */
	RELAY_END,   /* memwatch: COMMAND has ended, pass on all that it wrote */
	RELAY_DONE,  /* relay: that is done */
};

struct relay_message {
	enum relay_word word;
};

#endif
