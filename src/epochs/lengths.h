/* SPDX-License-Identifier: MIT */
/* How long epochs take: mean and spread in constant memory. Pure. */
#ifndef EPOCHS_LENGTHS_H
#define EPOCHS_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

struct epoch_lengths { /* all zero: none yet; in the unit of what is added */
	int64_t n;
	double mean, squares;
	bool warmed; /* the first length, with set-up and compilation in it, no longer counts */
};

/* So many epochs of this length each. The first one counts only as long as there is no other. */
void epoch_lengths_add(struct epoch_lengths *l, double each, int64_t count);

/* Standard deviation over mean: 0 is perfectly regular, or unknown. */
double epoch_lengths_spread(const struct epoch_lengths *l);

#endif
