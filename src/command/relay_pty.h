/* SPDX-License-Identifier: MIT */
/* The user's terminal on one side, the pseudo-terminal COMMAND runs on at the other; part of the relay's
 * process. */
#ifndef COMMAND_RELAY_PTY_H
#define COMMAND_RELAY_PTY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <termios.h>

#include "base/escapes.h"
#include "base/sigfd.h"
#include "base/terminal_title.h"
#include "command/output_copy.h"

enum { RELAY_PTY_POLLS = 3, RELAY_KEYS_BYTES = 1024, RELAY_SCREEN_BYTES = 16384 };

struct relay_pty {
	int tty;    /* the user's */
	int master; /* of COMMAND's; -1: over */
	struct sigfd resized;
	bool wanted;           /* the keyboard, as soon as the job is in the foreground */
	bool taken;            /* the user's terminal is in raw mode */
	bool passing;          /* and its keys are passed on: COMMAND runs, and in the foreground */
	bool hung_up;          /* the user's terminal is gone */
	bool ending;           /* COMMAND has ended */
	bool drained;          /* and nothing it wrote is left */
	struct termios before; /* modes of the user's terminal as found */
	struct termios raw;    /* and as set instead */
	struct termios copied; /* modes that COMMAND's terminal got from the user's */
	struct winsize size;   /* that COMMAND's terminal got from the user's */
	bool titles;           /* titles will be set: what is written is followed by: */
	struct escapes escapes;
	int utf8_left;                  /* bytes of a character that are still to come */
	char title[TERMINAL_TITLE_MAX]; /* to be shown; "" nothing new */
	bool titled;                    /* it is: the former one has been put aside */
	size_t keys_at, keys_len;
	size_t screen_at, screen_len;
	char keys[RELAY_KEYS_BYTES];
	char screen[RELAY_SCREEN_BYTES];
};

/* Both descriptors are the relay's own and non-blocking. */
void relay_pty_init(struct relay_pty *p, int tty, int master, bool titles);

/* To be the title of the user's terminal as soon as what COMMAND wrote leaves room for it. Only with titles. */
void relay_pty_title(struct relay_pty *p, const char *title);

void relay_pty_poll(const struct relay_pty *p, struct pollfd *fds);
int relay_pty_timeout_ms(const struct relay_pty *p); /* -1: none */
/* After each wait, also when it ran out of time. */
void relay_pty_ready(struct relay_pty *p, const struct pollfd *fds, struct output_copy_writer *copy);

/* Takes the user's terminal if the job is in the foreground, else as soon as it is; see p->taken. */
void relay_pty_take(struct relay_pty *p);
void relay_pty_release(struct relay_pty *p);

/* COMMAND has ended: no more keys; once p->drained the terminal has been given back. */
void relay_pty_end(struct relay_pty *p, struct output_copy_writer *copy);

#endif
