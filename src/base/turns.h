/* SPDX-License-Identifier: MIT */
/* How soon a thread runs when it is woken on a machine that is busy. */
#ifndef BASE_TURNS_H
#define BASE_TURNS_H

#include <stdint.h>

/* Asks for turns of 0.1 ms or longer for the calling thread: who takes little at a time is let in sooner, and gets no
 * more of the processor than before. What it starts later has the usual turns again. Linux 6.12 and later; nothing
 * happens where that is not to be had, or where the user has chosen another way of scheduling. */
void turns_short(int64_t turn_ns);

#endif
