/* SPDX-License-Identifier: MIT */
/* --explain: the question that is open, one at a time. */
#ifndef WATCH_QUESTION_H
#define WATCH_QUESTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "explain/folder.h"

enum question_kind {
	QUESTION_COUNT,  /* how many objects there are: what a snapshot would take */
	QUESTION_AFRESH, /* the first snapshot of a comparison */
	QUESTION_SNAPSHOT,
	QUESTION_COUNTERS, /* those of frameworks */
};

struct question {
	pid_t pid;  /* an answer is awaited from; 0 none */
	pid_t last; /* who was asked last; 0 nobody */
	enum question_kind kind;
	int64_t asked_ns;
};

/* False: pid is 0, or that process is busy or gone, and may be asked again later. */
bool question_ask(struct question *q, struct explain_folder *folder, pid_t pid, enum question_kind kind,
		  int64_t now_ns);
/* An answer may still come. */
bool question_waits(const struct question *q, int64_t now_ns);
/* No answer is awaited any more. */
void question_end(struct question *q);

#endif
