/* SPDX-License-Identifier: MIT */
/* The fits of a run (a second fit(), a new model in a loop) and the memory held at the end of each: epochs
 * within a fit may be level while every fit leaves something behind. Pure; constant memory for any number of
 * fits. */
#ifndef EPOCHS_FITS_H
#define EPOCHS_FITS_H

#include <stdbool.h>
#include <stdint.h>

enum { FITS_KEPT = 32 }; /* the first one and the last ones */

struct fit {
	int number;     /* from 1 */
	int64_t epochs; /* finished in it */
	int64_t end_ms; /* elapsed time at the end of its last epoch */
	uint64_t bytes; /* the lowest level within its last finished epoch, tear-down left out */
};

struct fit_floor {
	bool known;
	int64_t end_ms;
	uint64_t bytes;
};

struct epoch_fits {
	struct fit kept[FITS_KEPT];
	int n;
	int running;                /* number of the fit that runs; 0 before the first */
	int64_t began, epoch;       /* epochs finished when it began, and now */
	struct fit_floor now, last; /* of the running epoch, of the last finished one */
	struct fit_floor early;     /* of the running epoch's first part, where no tear-down can be */
	int64_t epoch_ms;           /* elapsed time when the running epoch began */
	int64_t shortest_ms;        /* of the fit's epochs so far; 0 unknown */
};

/* One sample: the fit that runs (from 1), epochs finished over all fits, and what the host holds. */
void epoch_fits_push(struct epoch_fits *f, int fit, int64_t epoch, int64_t elapsed_ms, uint64_t bytes);

/* The run is over, with so many epochs finished: the running fit is kept too. */
void epoch_fits_finish(struct epoch_fits *f, int64_t epoch);

struct fits_growth {
	double bytes;       /* per fit: the lower median of the changes from one kept fit to the next */
	int changes, rises; /* how many there were, and of those a tenth of it and more */
};

/* What one fit more costs; zeros with fewer than two. */
struct fits_growth epoch_fits_growth(const struct epoch_fits *f);

#endif
