/* SPDX-License-Identifier: MIT */
/* What the tree's programs have in malloc's heaps and what is free there, from a thread of its own: a walk may take
 * longer than a tick. It has a budget: all together take at most 1 % of one core from half a minute on, and more only
 * before, so that the first epochs are read (heap_budget.h). Ends of epochs come first, then looks between them: what was
 * not in use at one of these comes and goes, whatever the batch that has begun uses it for. */
#ifndef HOST_HEAP_H
#define HOST_HEAP_H

#include "host/heap_image.h"
#include "host/host.h"
#include "record/sample.h"

struct heap; /* opaque */

/* Ends of epochs are the moments to read at: from one to the next a heap that is only used again and again differs
 * by kilobytes, within an epoch it swings by megabytes. But many a program begins its next batch sooner than it can be
 * read. As the first epoch begins there is as good a moment; but what a program takes in that epoch for the first time
 * does not come and go, so it is not looked at. */
enum heap_moment { HEAP_AT_EPOCH_END, HEAP_AT_FIRST_EPOCH, HEAP_BETWEEN };

enum { HEAP_WHY_MAX = 80 };

struct heap_facts {
	uint64_t walks, known;  /* of the tree; how many gave a number */
	int64_t cpu_ns;         /* all that they took */
	char why[HEAP_WHY_MAX]; /* why the last one gave none, half a sentence; "" when it did */
};

struct heap *heap_new(void);
/* Ends a walk that is under way; one that is stuck is left behind after a second. NULL is legal. */
void heap_free(struct heap *heap);

/* Asks for a walk of the processes alive in host's last tick, of which held_bytes was said, if the budget allows one
 * at this moment. Starts the thread when it is asked for the first time. */
void heap_ask(struct heap *heap, const struct host *host, uint64_t held_bytes, int64_t now_ns,
	      enum heap_moment moment);

/* The figures of a walk that has ended since the last call: those of the heaps, and CH_HELD as it was at that moment, so
 * that what is outside the heaps can be told; all absent otherwise. */
void heap_take(struct heap *heap, struct sample *out);

void heap_facts(const struct heap *heap, struct heap_facts *out);

#endif
