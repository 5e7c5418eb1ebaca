/* SPDX-License-Identifier: MIT */
/* What is known of the names of what grows in a run: filled while it is watched, shown by every form of report. */
#ifndef EXPLAIN_EXPLANATION_H
#define EXPLAIN_EXPLANATION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "explain/answer.h"
#include "verdict/run_verdict.h"
#include "verdict/sentences.h"

/* Why a comparison of snapshots that was begun has no end. */
enum explain_left {
	LEFT_AT_END, /* the run was over */
	LEFT_FOR_COST,
	LEFT_BY_PROCESS, /* it was over */
	LEFT_UNANSWERED,
};

struct explanation {
	bool wanted;   /* there was growth to ask about: firm, or memory has risen long enough */
	bool reached;  /* some Python of the run could be asked; else it was shut out, or is none */
	pid_t pid;     /* who was asked last; 0 nobody */
	pid_t mute;    /* most of the growth is in this one, which cannot be asked; 0 none */
	int snapshots; /* taken in all */
	int64_t objects, longest_ms; /* of the largest and of the slowest of them */
	int64_t total_ms;            /* of a processor's time, by all of them */
	int64_t dear_ms;             /* what one would take, and the last was left for that; 0 none was */
	enum explain_left left;
	struct explain_answer growth; /* the last comparison of two or more; snapshots 0: there is none */
	double epochs, seconds;       /* between its first and its last snapshot; epochs 0: not known */
	struct explain_answer latest; /* the last answer of all, for the frameworks' own counters */
	char trouble[ANSWER_TEXT];    /* why there is no answer; "" there is, or nobody was asked */
};

/* A name with what it means for one series. */
struct named_growth {
	const struct grown_name *what;
	double count, bytes, nodes; /* per epoch, or per minute */
	double share;               /* of the series' growth, 0 to 1; < 0 unknown */
};

enum { NAMED_MAX = 5 };

/* Those that matter to a series, largest first, the program's own counting double: at least a fiftieth of its growth, or a graph; else the one that may hold what Python does not know of. For a series that grows, or
 * rises so far; none for others. Returns how many. */
int explanation_named(const struct explanation *e, const struct series_verdict *s,
		      struct named_growth out[NAMED_MAX]);
/* Figures are per epoch; else per minute. */
bool explanation_per_epoch(const struct explanation *e, const struct series_verdict *s);

/* "kept by BadCallback.saved: list of ndarray (float32 3000x50), +1 and 586 KiB per epoch (97 % of what grows)". Returns
 * buf. */
char *explanation_sentence(char buf[SENTENCE_MAX], const struct named_growth *n, bool per_epoch);

/* What else is to be said of a series, in lines: that nothing in Python grew, what there is more of, what a framework says
 * of its memory on a GPU. Returns how many. */
enum { EXPLANATION_LINES = 4 };
int explanation_rest(const struct explanation *e, const struct run_verdict *run,
		     const struct series_verdict *s, char lines[EXPLANATION_LINES][SENTENCE_MAX]);

/* One line on the asking itself: "names: 3 snapshots of process 4711, 476,310 objects, the longest 0.21 s"; "" when there
 * is nothing to say. Returns buf. */
char *explanation_effort(char buf[SENTENCE_MAX], const struct explanation *e);

#endif
