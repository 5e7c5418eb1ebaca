/* SPDX-License-Identifier: MIT */
/* Several runs that should be alike, ranks or repeats: which of them is not. Pure. */
#ifndef COMPARE_ODD_ONE_H
#define COMPARE_ODD_ONE_H

#include <stdbool.h>

enum odd_place { ODD_HOST, ODD_GPUS, ODD_PLACES };

struct odd_candidate {
	bool grows;
	double levels[ODD_PLACES]; /* bytes it came to: on the host, on all its GPUs */
};

enum odd_reason {
	ODD_NONE,
	ODD_GROWS,     /* it alone grows */
	ODD_GROWS_NOT, /* all others grow */
	ODD_LEVEL,     /* its level is far from all the others */
};

struct odd_one {
	enum odd_reason reason;
	int which;
	enum odd_place place; /* of the level that is odd */
	double low, high;     /* levels of the others there */
};

/* Of three candidates and more. */
struct odd_one odd_one_find(const struct odd_candidate *c, int n);

#endif
