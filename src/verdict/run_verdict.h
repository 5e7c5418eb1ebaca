/* SPDX-License-Identifier: MIT */
/* What a run amounts to: a verdict for each of its series. */
#ifndef VERDICT_RUN_VERDICT_H
#define VERDICT_RUN_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "detect/detector.h"
#include "epochs/fits.h"
#include "host/frameworks.h"
#include "record/sample.h"
#include "verdict/heap_share.h"
#include "verdict/shortage.h"

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

/* The level at the planned end against the limit. */
enum outlook {
	OUTLOOK_UNKNOWN,
	OUTLOOK_FITS,
	OUTLOOK_TIGHT,   /* it may be reached, within the bounds of the slope, or nearly is */
	OUTLOOK_EXCEEDS, /* it is, before the end */
};

struct planned_end {
	int64_t epochs; /* planned; -1 unknown */
	int64_t left;   /* of these, where the levels are known */
	bool known;     /* the levels are */
	double bytes, low, high;
	enum outlook outlook;
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
	struct planned_end end;
	double risen_s; /* how long it has grown so, where one of them is known */
};

struct run_verdict {
	int64_t duration_ms;
	int64_t epochs; /* finished; -1 unknown */
	uint64_t samples;
	int n; /* host first, then the GPUs that were ever seen */
	struct series_verdict *series;
	int worst;                /* index of the worst series; -1 when there is none */
	unsigned frameworks;      /* of enum framework, or-ed; 0 none, or not known as of a recording */
	struct shortage shortage; /* of memory, around the run */
	bool named;               /* --explain has named most of what grows on the host */
	bool ran_out;             /* the kernel killed a process for want of memory; known live only */
};

#endif
