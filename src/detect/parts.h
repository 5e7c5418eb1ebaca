/* SPDX-License-Identifier: MIT */
/* What the detector's own files share. Nobody else includes this. */
#ifndef DETECT_PARTS_H
#define DETECT_PARTS_H

#include "base/stats.h"
#include "detect/detector.h"
#include "series/windows.h"

/* Growth is said beyond this; that there is none is firm where all else weighs as much. */
#define GROWTH_WEIGHT 0.75

struct growth {
	bool known;        /* there were windows enough */
	double weight;     /* of growth among all courses, 0 to 1 */
	bool growth;       /* to be said */
	bool rises;        /* no growth, but not settled either */
	bool curved;       /* the best course that settles is a curve or a fill */
	double slope, sd;  /* bytes per x: of growth, else what it rises by at the end */
	double detectable; /* growth above this, in bytes per x, would have shown */
	int onset;         /* window from which on it grows */
	const struct view *view;
};
void growth_judge(const struct view *v, struct growth *out);
bool growth_is_firm(const struct growth *g); /* of growth that is to be said: certain */

/* The typical swing goes to *swing; 0 when there is none. */
enum shape classes_judge(const struct view *v, const struct growth *g, double *swing);

/* All of out but shape, firmness and slope. `fine` has a window for each epoch as far as these are kept, `v` joined ones. */
void evidence_fill(const struct series *s, const struct view *v, const struct view *fine,
		   const struct growth *g, struct verdict *out);

#endif
