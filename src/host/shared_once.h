/* SPDX-License-Identifier: MIT */
/* How much a tree of processes holds: anonymous, shared-memory and swapped pages, each shared page once.
 *
 * Every tick gives what each process has mapped (status); only now and then a pass over smaps_rollup tells
 * how much of that is shared. Between passes a process counts
 *     max(0, anon + swap - shared) + shmem * share
 * with shared and share from its last reading: new anonymous pages are private, shared memory that comes and
 * goes (batches of loader workers) stays as shared as it was. A process forked from a member and not read yet
 * counts only what it has beyond its parent, the least it can have; one whose mapped memory halves has called exec and
 * shares nothing any more. What a process shared with others stays theirs when it ends: it is carried over
 * until the next pass. The sum never exceeds what is mapped, and a tree of one process counts all it has
 * mapped: no correction, no noise; what it then shares is shared with outsiders and stays its own when it
 * gets company. The first pass is believed; a later one that would move the sum by more than 1/64 is believed
 * when the next one says so too: a fork in the midst of a pass makes one reading wrong, not two.
 * A pass finds at once what came about since the last one: pages that a worker wrote to are its own now, though
 * nothing it maps has changed. So the sum does not step to what was found; each process slides there from what it
 * counted, for as long as it took to come about.
 * Of a process that was forked nothing is known before its first reading, and most of what it copies it copies in its
 * first second. So while that matters (shared_once_unsure()) readings are wanted in a hurry and believed at once. The
 * first one is in force at once, too: what was not known before did not come about when it was read.
 * Pure: no I/O, no clock. */
#ifndef HOST_SHARED_ONCE_H
#define HOST_SHARED_ONCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/procfile.h"

enum { SHMEM_SHARE_ONE = 1 << 16 };

struct shared_once_view {     /* what one PSS reading says of a process */
	uint64_t shared;      /* bytes of anon + swap that others account for */
	uint64_t carried;     /* bytes of its count that others keep when it ends */
	uint32_t shmem_share; /* of SHMEM_SHARE_ONE */
};

struct shared_once_process {
	struct shared_once_view view; /* in force */
	struct shared_once_view next; /* from a pass that is not finished or not believed yet */
	bool next_ok;
	bool tried,
	    read; /* in the pass that is not believed yet; in one that was: what is shared is no guess */
	uint64_t outside; /* bytes shared with processes that are not watched, seen while it was alone */
	int64_t first_ns; /* the first tick that counted it, 0 none */
	int64_t behind;   /* bytes that it counted more than its view says when the slide began */
};

struct shared_once_tree {
	uint64_t carried;            /* from processes that ended since the last believed pass */
	uint32_t shmem_share;        /* over the tree, for processes not read yet */
	bool passed;                 /* there was a believed pass */
	int64_t unsure_ns;           /* the last tick in which guesses mattered, 0 never */
	int doubt;                   /* sign of the last pass that was not believed, 0 none */
	int64_t behind;              /* likewise of what was carried until then */
	int64_t now_ns, believed_ns; /* the tick; the last pass believed, where the slide begins */
	int64_t slide_ns;            /* how long the slide takes; 0 none */
	double left, left_before;    /* part of it that is still to come; likewise when the last one ended */
	uint64_t mapped, counted, staged; /* sums of the tick: all mapped; by view; by next where known */
	uint64_t shown;                   /* as counted, on the slide */
	uint64_t guessed; /* bytes taken to be shared by forks that were not read yet and outlived a tick */
	uint64_t shmem, shmem_staged; /* of those read in the pass: mapped; by next */
};

void shared_once_tree_init(struct shared_once_tree *t);

/* A new process; parent is what its parent has mapped now, NULL counts it in full. */
void shared_once_born(const struct shared_once_tree *t, struct shared_once_process *p,
		      const struct proc_status *now, const struct proc_status *parent);
/* One reading of smaps_rollup, with the status read just before it; staged until shared_once_pass_end(). Without
 * parts: there is none to be had, and the guess stays. */
void shared_once_stage(struct shared_once_process *p, const struct proc_status *now,
		       const struct proc_rollup *rollup);
/* Bytes that a process has mapped, shared or not. */
uint64_t shared_once_mapped(const struct proc_status *now);
/* Bytes that a process counts; takes note when it must have called exec. */
uint64_t shared_once_count(const struct shared_once_tree *t, struct shared_once_process *p,
			   const struct proc_status *now);
/* A process that counted as now in the last tick has ended. */
void shared_once_left(struct shared_once_tree *t, const struct shared_once_process *p,
		      const struct proc_status *now);

/* The sums of a tick: begin, add each live process, end, total. */
void shared_once_sum_begin(struct shared_once_tree *t, int64_t now_ns);
void shared_once_sum_add(struct shared_once_tree *t, struct shared_once_process *p,
			 const struct proc_status *now);
void shared_once_sum_end(struct shared_once_tree *t);
uint64_t shared_once_sum_total(const struct shared_once_tree *t, int64_t processes);
/* Whether guesses of what forks share make up more than 1/64 of the sum, or did less than a second before the last
 * pass that was believed. */
bool shared_once_unsure(const struct shared_once_tree *t);

/* After the sums of the tick in which a pass ended: true when the staged views are to be put in force with
 * shared_once_commit() for each process. steady: no process came or went during the pass. */
bool shared_once_pass_end(struct shared_once_tree *t, bool steady, int64_t processes);
void shared_once_commit(struct shared_once_tree *t, struct shared_once_process *p,
			const struct proc_status *now, bool believed, int64_t processes);

#endif
