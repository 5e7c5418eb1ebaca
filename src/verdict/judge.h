/* SPDX-License-Identifier: MIT */
/* The series of one run and what they amount to: samples in, verdicts out. The sampler's loop and `memwatch
 * report` use the same one, so that a moment is judged alike live and from the CSV. Knows no files and no
 * clock. */
#ifndef VERDICT_JUDGE_H
#define VERDICT_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "detect/detector.h"
#include "epochs/fits.h"
#include "host/frameworks.h"
#include "record/sample.h"
#include "verdict/heap_share.h"

struct judge; /* opaque */

/* Where host memory grows. */
enum part {
	PART_ANON,
	PART_SHMEM,
	PART_SWAP,
	PART_FILE,     /* not part of what is held, so never the cause; named when it moves */
	PART_UNSHARED, /* forked processes copy pages they shared: the tree holds more, none of them does */
	PART_COUNT
};

struct part_growth {
	enum part part;
	double slope; /* bytes per epoch, or per second where epochs are unknown */
	double share; /* of the series' growth, 0 to 1 */
};

struct series_verdict {
	char name[CHANNEL_NAME_MAX]; /* "host", "gpu0", "gpu0_mig1" */
	enum series_kind kind;
	struct verdict v;
	struct heap_split heap;               /* of the host */
	struct part_growth parts[PART_COUNT]; /* largest first; only for growth of the host */
	int n_parts;
	bool unshared; /* the rise is copy-on-write pages being copied: not called growth */
	bool crowded;  /* growth of the host: the tree has ever more processes, from so many to so many */
	int64_t procs_from, procs_to;
	struct fits_growth fits; /* growth of the host with every fit, known live only; zeros: not so */
	bool rss_only;           /* nothing better than RSS is known */
	double file_slope;       /* mapped files grow while what is held does not; 0 no */
	uint64_t limit_bytes;    /* 0 unknown */
	uint64_t room_bytes;     /* until the limit, or what the machine has left if that is less */
	bool machine_full;       /* it is less */
	double full_in_s;        /* at this growth; < 0 unknown or never */
	double full_in_epochs;
	double full_in_fits;
	double risen_s; /* how long it has grown so, where one of them is known */
};

struct run_verdict {
	int64_t duration_ms;
	int64_t epochs; /* finished; -1 unknown */
	uint64_t samples;
	int n; /* host first, then the GPUs that were ever seen */
	struct series_verdict *series;
	int worst;           /* index of the worst series; -1 when there is none */
	unsigned frameworks; /* of enum framework, or-ed; 0 none, or not known as of a recording */
	bool ran_out;        /* the kernel killed a process for want of memory; known live only */
};

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

/* "gpu0" of "gpu0_bytes". */
void judge_series_name(const struct channel *channel, char name[CHANNEL_NAME_MAX]);

/* The words used in reports: "anon", "shmem", "swap", "file", "unshared". */
const char *judge_part_name(enum part part);

/* How bad a verdict is beside others; larger is worse. */
int judge_rank(const struct verdict *v);

/* --fail-on: what makes the exit status 3. */
enum fail_on {
	FAIL_ON_GROWTH = 1 << 0,
	FAIL_ON_LIMIT =
	    1 << 1, /* growth that is nearly there, a host that came within 5 % of its limit, a kill */
	FAIL_ON_RETAINED = 1 << 2, /* GPU memory still held after the end; known live only */
};

/* Did a series end as one of fail_on (or-ed)? */
bool judge_fails(const struct run_verdict *run, unsigned fail_on);

/* The peak of the host is above its limit. */
bool judge_above_limit(const struct series_verdict *s);

/* The forecast reaches more than 20 times as far as what was seen: a guess, and no date. */
bool judge_far_from_full(const struct series_verdict *s);

/* Less than an hour or 10 epochs left at this growth, and that is not far from what was seen; of a rise so far, once
 * it has lasted for as long. */
bool judge_soon_full(const struct series_verdict *s);

/* And less left than it has grown by, or than a tenth of the limit. */
bool judge_nearly_full(const struct series_verdict *s);

#endif
