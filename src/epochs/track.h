/* SPDX-License-Identifier: MIT */
/* The epochs that one format has shown: numbers and times -> epochs finished, over several fits. Pure. */
#ifndef EPOCHS_TRACK_H
#define EPOCHS_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "epochs/formats.h"
#include "epochs/lengths.h"

struct epoch_track {
	bool seen;
	bool confirmed; /* not a lone number somewhere in the output */
	int base;       /* number of the first epoch: 0 or 1 */
	int64_t last;   /* number shown last, with what came after the point */
	int part_milli;
	int64_t total;      /* as shown; -1 unknown */
	int64_t done;       /* epochs finished in this fit, in the program's own numbers */
	int64_t before_all; /* epochs finished before the first one shown: a run that was resumed */
	int64_t before;     /* epochs finished in the fits before it */
	int fits;
	bool full;     /* the bar of the running epoch has reached 100 % */
	bool closed;   /* the fit has said that it is over */
	int64_t steps; /* numbers that followed one another */
	int64_t skips; /* numbers left out between two shown */

	int64_t stride;          /* a mere counter: what all its steps have been, 0 before the first */
	int64_t paced_ns, paced; /* its first line whose time is known: when, and which number */
	bool bare;               /* one of its lines has shown no validation */
	bool refuted;            /* it went back, or on unevenly, or too fast: never believed */

	int64_t changed_ns;           /* time of the last boundary, or of the first line; LINE_TIME_UNKNOWN */
	struct epoch_lengths lengths; /* of the epochs timed, in nanoseconds */

	int64_t burst_ns;   /* when the boundaries that came together began to come */
	int64_t quiet_ns;   /* how long nothing had come before them */
	int burst;          /* how many they are */
	int pairs, singles; /* bursts of two since the last recovery; boundaries that came alone, in a row */
	bool buffered;      /* boundaries come in blocks: their times mean nothing */
};

/* start_ns: when watching began; the silence before a first block of epochs counts from there. */
void epoch_track_init(struct epoch_track *t, int64_t start_ns);

/* Takes in one line of this track's format. True when epoch_track_finished() has risen or the track is new. */
bool epoch_track_see(struct epoch_track *t, const struct epoch_line *l, int64_t time_ns);

/* The running epoch is over although no line has shown its number again (the fit said so, or the program
 * ended). */
bool epoch_track_close(struct epoch_track *t, int64_t time_ns);

/* The fit has shown its last epoch's end. */
bool epoch_track_over(const struct epoch_track *t);

/* Epochs finished over all fits; -1 before the first line. */
int64_t epoch_track_finished(const struct epoch_track *t);

#endif
