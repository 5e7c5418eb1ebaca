/* SPDX-License-Identifier: MIT */
/* The series of one run and what they amount to: samples in, verdicts out. The sampler's loop and `memwatch
 * report` use the same one, so that a moment is judged alike live and from the CSV. Knows no files and no
 * clock. */
#ifndef VERDICT_JUDGE_H
#define VERDICT_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/run_verdict.h"

struct judge; /* opaque */

struct judge *judge_new(void);
void judge_free(struct judge *j);

/* Says which GPU channels samples hold (channels[CH_HOST_COUNT..n)); may be called again when more are known.
 * Allocates the series of the new ones. */
void judge_channels(struct judge *j, const struct channel *channels, int n);

/* --limit: counts instead of the limit in the samples. */
void judge_limit(struct judge *j, uint64_t limit_bytes);

/* The kernel killed a process of the run for want of memory: it does not fit, whatever the samples say. */
void judge_ran_out(struct judge *j, bool ran_out);

/* What each fit held; borrowed, and read whenever the run is judged. A recording does not hold it. */
void judge_fits(struct judge *j, const struct epoch_fits *fits);

/* Epochs that the program says it will have trained at its end; -1 unknown, as of a recording. */
void judge_planned(struct judge *j, int64_t epochs);
/* So many have ended, also behind the last row; -1 only rows tell. */
void judge_finished(struct judge *j, int64_t epochs);
/* --explain has named most of what grows on the host: nobody needs to be told where to look. */
void judge_named(struct judge *j);

/* What the program has imported. */
void judge_frameworks(struct judge *j, const struct frameworks *f);

/* So many rows could not be read. Where they are most of all, no verdict is firm: rows in another order than
 * that of time leave a few, and those may look flat. */
void judge_lost(struct judge *j, uint64_t rows);

/* One row into every series; rows come in order of time. No allocation. */
void judge_push(struct judge *j, const struct sample *s);

/* The run as it stands; lent until the next call. */
const struct run_verdict *judge_run(struct judge *j);

/* What is judged of the host in a row pushed: held, else anonymous, shared and swapped, else RSS and swapped.
 * A row that lacks what better ones had tells nothing. */
struct reading judge_host_bytes(const struct judge *j, const struct sample *s);

/* The words used in reports: "anon", "shmem", "swap", "file", "unshared". */
const char *judge_part_name(enum part part);

/* A device that the tree never used is no news. */
bool judge_worth_telling(const struct series_verdict *s);

/* How bad a verdict is beside others; larger is worse. */
int judge_rank(const struct verdict *v);

#endif
