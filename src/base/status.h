/* SPDX-License-Identifier: MIT */
/* Exit statuses of memwatch's own, as the shell's and env(1)'s. Any other is COMMAND's. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

enum {
	STATUS_FAIL_ON = 3, /* --fail-on has something to say of a success: verdict/gate.c, compare/gate.c */
	STATUS_OWN_FAILURE = 125,
	STATUS_CANNOT_RUN = 126,
	STATUS_NOT_FOUND = 127,
	STATUS_SIGNAL = 128, /* plus the signal, as a shell tells of its child's end */
};

#endif
