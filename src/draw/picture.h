/* SPDX-License-Identifier: MIT */
/* A judged run as one picture: for each series the verdict, memory over time, and the floors of the epochs. Where
 * everything goes is found first and without a surface, so that it can be checked; then it is drawn. */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <stdbool.h>

#include "draw/graph.h"
#include "draw/paragraphs.h"
#include "verdict/run_verdict.h"

enum { PICTURE_WIDTH = 960, PICTURE_KEYS = 8, PICTURE_KEY_MAX = 96, PICTURE_SERIES_MAX = 24 };

enum picture_sample { SAMPLE_LINE, SAMPLE_DASH, SAMPLE_AREA, SAMPLE_UPRIGHT };

/* A line of the legend: a sample of what is drawn, and words. */
struct picture_key {
	const char *part; /* of the chart that it is about: the class of its group in SVG */
	enum ink ink;
	enum picture_sample sample;
	char text[PICTURE_KEY_MAX];
	struct point at; /* of the sample's left end, on the baseline */
};

struct picture_series {
	struct plot plot;
	struct box bar; /* beside the verdict, in its colour; no height: none */
	struct picture_key keys[PICTURE_KEYS];
	int n_keys;
	struct graph time;
	bool has_epochs;     /* above time */
	bool has_floors;     /* below it */
	double floors_title; /* baseline */
	struct graph floors;
};

struct picture {
	double width, height, margin;
	struct paragraphs text;
	struct picture_series *series;
	int n_series;
};

struct picture_words {
	const char
	    *facts;       /* of the run, above all; NULL: the caller says them, and the verdicts, elsewhere */
	const char *foot; /* NULL none */
	bool over;        /* the run has ended */
};

/* All series of the run that ever had memory, at most PICTURE_SERIES_MAX; how many are left out is said. h and run are borrowed. */
void picture_lay_out(struct picture *p, const struct history *h, const struct run_verdict *run,
		     const struct picture_words *words, double width);
/* One series, without its verdict; detail as that of struct graph. False: the history has nothing of it. */
bool picture_lay_out_series(struct picture *p, const struct history *h, const struct series_verdict *s,
			    double width, double detail);
void picture_draw(const struct picture *p, struct surface *s);
struct drawing picture_drawing(const struct picture *p);
void picture_free(struct picture *p);

#endif
