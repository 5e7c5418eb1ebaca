/* SPDX-License-Identifier: MIT */
/* Two sides of runs -> what differs between them, and whether that is more than their noise. Pure. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "compare/run_figures.h"
#include "compare/unlike.h"

enum figure_kind {
	FIGURE_PLATEAU, /* level of the last third that both have */
	FIGURE_PEAK,
	FIGURE_GROWTH, /* of the lowest memory, per epoch or second */
	FIGURE_JUMP,   /* largest one-time step up */
	FIGURE_KEPT,   /* host: what the program itself holds */
	FIGURE_FREE,   /* host: what it freed and the allocator keeps */
	FIGURE_KINDS
};

struct figure {
	bool ok;
	double base, new;   /* means of the sides */
	double difference;  /* new less base */
	double noise;       /* half of the 95 % bounds of the difference */
	bool beyond;        /* more than that */
	bool noise_unknown; /* one run of each side cannot tell */
};

struct series_comparison {
	char name[CHANNEL_NAME_MAX];
	struct figure figures[FIGURE_KINDS];
	int base_grows, new_grows; /* so many runs of the side are judged as growth */
};

enum comparison_result {
	COMPARISON_SAME,
	COMPARISON_BETTER,
	COMPARISON_WORSE,
	COMPARISON_MIXED,
	COMPARISON_UNKNOWN, /* see struct comparison_lack */
};

enum lack_kind {
	LACK_NONE,
	LACK_SAMPLES, /* a run has hardly any */
	LACK_ROWS,    /* most rows of a run could not be read */
	LACK_COMMON,  /* the runs have too little in common */
};

/* Why nothing can be said of the difference. */
struct comparison_lack {
	enum lack_kind kind;
	bool new; /* the run is one of the new side */
	int run;  /* which, from 0 */
	uint64_t samples, lost;
};

struct comparison {
	int base_runs, new_runs;
	bool by_epoch;   /* else by time */
	double from, to; /* the part that both have: epochs, or seconds */
	int n;
	struct series_comparison *series;
	struct figure epoch_s; /* seconds for each epoch */
	enum comparison_result result;
	struct comparison_lack lack;
	struct unlikeness unlike; /* where there is enough to compare */
};

struct comparison *compare_runs(const struct run_figures *const *base, int base_runs,
				const struct run_figures *const *new, int new_runs);
void compare_free(struct comparison *c);

const char *compare_result_name(enum comparison_result result); /* "better" */
const char *compare_figure_name(enum figure_kind kind);         /* "plateau" */

#endif
