/* SPDX-License-Identifier: MIT */
/* Was there too little memory meanwhile, since when, and how much longer did epochs take? Swapping looks like a leak and
 * is a bottleneck. Samples in, one finding out, in constant memory; knows no files and no clock. */
#ifndef VERDICT_SHORTAGE_H
#define VERDICT_SHORTAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "epochs/lengths.h"
#include "record/sample.h"

/* A time in which tasks waited for memory again and again. */
struct shortage_span {
	int64_t from_ms, until_ms;   /* until the last reading in which they had waited */
	int64_t from_epoch;          /* finished by then; -1 unknown */
	int64_t stalled_us;          /* they have waited so long in it */
	int64_t since_us;            /* and after it, which counts once they wait again */
	struct epoch_lengths epochs; /* those that lie within it, in milliseconds */
	int64_t faults_from, faults_until;
	struct reading swap_from;
	uint64_t swap_most_bytes;
};

struct shortage_course { /* all zero: no row yet */
	bool begun;      /* there was a reading */
	int64_t first_ms, first_us, last_ms, last_us;
	int64_t last_epoch, last_faults; /* at the last reading */
	bool strained;                   /* now lasts */
	struct shortage_span now, worst; /* worst: of those that are over */
	bool epoch_begun;
	int64_t epoch, epoch_ms;   /* the one that runs, and when it began */
	struct epoch_lengths calm; /* of epochs without shortage */
};

struct shortage {
	bool known;            /* the kernel gives account of it */
	bool found;            /* there was a shortage; else only the share is told, over the whole run */
	int64_t since_ms;      /* it began */
	int64_t since_epoch;   /* in this epoch, the first is 1; -1 unknown */
	int64_t until_ms;      /* it was over; -1: it lasts */
	double stalled_share;  /* of the time, some task waited for memory */
	double epoch_s_before; /* mean length of epochs without and with it; < 0 unknown */
	double epoch_s_after;
	double faults_per_s;    /* pages read back meanwhile; < 0 unknown */
	uint64_t swapped_bytes; /* by so much what is swapped out has become more meanwhile */
};

/* Rows in order of time. */
void shortage_push(struct shortage_course *c, const struct sample *s);

struct shortage shortage_find(const struct shortage_course *c);

/* "memory pressure since epoch 12 (3:20): ..."; "" when nothing was found. grows: the host's verdict is growth. buf is of
 * SENTENCE_MAX bytes. */
const char *shortage_sentence(char *buf, const struct shortage *s, bool grows);

#endif
