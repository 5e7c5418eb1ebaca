/* SPDX-License-Identifier: MIT */
/* What memwatch and the relay's process say to each other over their socket, one message per packet. */
#ifndef COMMAND_RELAY_PROTO_H
#define COMMAND_RELAY_PROTO_H

#include <stdbool.h>
#include <termios.h>

#include "base/terminal_title.h"

enum relay_word {
	/* memwatch asks */
	RELAY_TAKE,    /* take the terminal whenever the job is in the foreground: TAKEN or NOT_TAKEN */
	RELAY_KEYS,    /* COMMAND is ready for what is typed; no answer */
	RELAY_RELEASE, /* give the terminal back: NOT_TAKEN */
	RELAY_TITLE,   /* show this as the title of the user's terminal; no answer */
	RELAY_END,     /* COMMAND has ended, pass on all that it wrote and give the terminal back: DONE */
	/* the relay answers or tells */
	RELAY_READY,     /* everything is set up */
	RELAY_TAKEN,     /* the terminal's modes are set for passing on; `modes` are what they were */
	RELAY_NOT_TAKEN, /* they are no longer */
	RELAY_HUNG_UP,   /* the user's terminal is gone, and with it COMMAND's */
	RELAY_DONE,
};

/* RELAY_READY answers the question that was never put in words, the first one. */
enum { RELAY_FIRST_QUESTION = 1 };

struct relay_message {
	unsigned question; /* its number; 0: told unasked */
	enum relay_word word;
	struct termios modes;
	char title[TERMINAL_TITLE_MAX];
};

#endif
