/* SPDX-License-Identifier: MIT */
/* Several runs that should be alike, ranks or repeats: which of them is not. Pure. */
#ifndef COMPARE_ODD_ONE_H
#define COMPARE_ODD_ONE_H

#include <stdbool.h>

struct odd_candidate {
	bool grows;
	double level; /* bytes it came to */
};

enum odd_reason {
	ODD_NONE,
	ODD_GROWS,     /* it alone grows */
	ODD_GROWS_NOT, /* all others grow */
	ODD_HIGHER,    /* its level is far from all the others */
	ODD_LOWER,
};

/* Three candidates and more; *which is the odd one. */
enum odd_reason odd_one_find(const struct odd_candidate *c, int n, int *which);

/* Lowest and highest level of the others. */
void odd_one_others(const struct odd_candidate *c, int n, int which, double *low, double *high);

#endif
