/* SPDX-License-Identifier: MIT */
/* What a Python process answered. It comes out of a program that is not trusted: what is too long, too much or no
 * number is left out, and text is made fit to be shown. */
#ifndef EXPLAIN_ANSWER_H
#define EXPLAIN_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sample.h"

enum {
	ANSWER_NAMES = 32,
	ANSWER_TYPES = 12,
	ANSWER_POOLS = 16,
	ANSWER_TEXT = 200,
	ANSWER_WORD = 64,
};

/* Something that grew from the first snapshot to the last, and in each step between them. */
struct grown_name {
	char name[ANSWER_TEXT];   /* "BadCallback.saved"; "" has none within the steps looked at */
	char place[ANSWER_WORD];  /* "fit.py:12", of what is local or a closure; "" */
	char kind[ANSWER_WORD];   /* list, dict, set, deque; object: one that gets larger; objects, calls:
				  one in each; graph: one tensor's */
	char of[ANSWER_WORD];     /* type of what it holds, or is: "ndarray" */
	char detail[ANSWER_WORD]; /* "float32 3000x50"; "" */
	char device[ANSWER_WORD]; /* "cuda:0"; "" host memory */
	int64_t count;            /* elements more; 0 for object and graph */
	uint64_t bytes;           /* more */
	int64_t nodes;            /* more, of a graph */
	bool graph;               /* a tensor that keeps what it was computed from */
	bool own;                 /* its name is of the program itself, of no library */
	bool opaque;              /* what it holds may have memory that Python does not know of */
};

struct grown_type {
	char name[ANSWER_TEXT]; /* "keras.src.models.sequential.Sequential" */
	int64_t count;          /* objects more */
};

/* What a framework says of its own memory on a device. */
struct memory_pool {
	char framework[ANSWER_WORD], device[ANSWER_WORD]; /* "PyTorch", "cuda:0" */
	uint64_t used_bytes;
	struct reading reserved; /* absent: it does not say */
};

struct explain_answer {
	int snapshots;       /* compared; 1: none yet */
	int64_t objects;     /* looked at */
	int64_t took_ms;     /* for the whole answer */
	int64_t worked_ms;   /* of a processor's time, likewise; it may have waited, while the program ran */
	int64_t expected_ms; /* that a snapshot would take; 0 was not said */
	int64_t moment_ns;   /* of the snapshot, by the clock of clock_mono_ns(); 0 unknown */
	char failed[ANSWER_TEXT];  /* why there is none; "" there is */
	char refused[ANSWER_TEXT]; /* likewise, by its own choice */
	int n_names, n_types, n_pools;
	struct grown_name names[ANSWER_NAMES];
	struct grown_type types[ANSWER_TYPES];
	struct memory_pool pools[ANSWER_POOLS];
};

/* Takes the text apart, changing it. 0, or -EINVAL: it is no answer, or not whole. */
int explain_answer_parse(char *text, struct explain_answer *out);

#endif
