/* SPDX-License-Identifier: MIT */
/* One row: what every source said at one moment. The order of the channels is the order of the CSV's
 * columns, but for those of GPUs. */
#ifndef RECORD_SAMPLE_H
#define RECORD_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

enum channel_host {
	CH_RSS,
	CH_ANON,
	CH_FILE,
	CH_SHMEM,
	CH_SWAP,
	CH_PSS,       /* shared pages counted once; read at a bounded rate, absent in between */
	CH_HELD,      /* what cannot be given back for free: the host series that is judged */
	CH_AVAILABLE, /* the machine's MemAvailable */
	CH_LIMIT,     /* memory at which the run would be killed */
	CH_HEAP_USED, /* what the programs have in malloc's heaps; read at ends of epochs, absent in between */
	CH_HEAP_FREE,      /* what they freed there and the allocator keeps */
	CH_HEAP_PASSING,   /* the part in use that was not at some moment of late: batches come and go */
	CH_HEAP_UNTOUCHED, /* the part of that which has not been written to and takes no memory */
	CH_HOST_COUNT
};

enum { GPU_MAX = 512 }; /* 64 devices, each whole or cut into at most 7 MIG devices */
enum { CH_MAX = CH_HOST_COUNT + 2 * GPU_MAX, CHANNEL_NAME_MAX = 32 };

struct reading {
	uint64_t bytes;
	bool ok; /* absent is ok=false, never 0 bytes */
};

struct channel {
	char name[CHANNEL_NAME_MAX]; /* CSV column name: "rss_bytes", "gpu0_bytes", "gpu0_total_bytes" */
};

struct sample {
	int64_t elapsed_ms; /* since the start, monotonic; what the CSV holds, so that replay judges alike */
	int64_t wall_ms;    /* since 1970, for people and files; -1 when unknown */
	int64_t epoch;      /* epochs finished so far; -1 before the first sign of one */
	int64_t procs;      /* processes in the tree; -1 when unknown */
	int64_t
	    pressure_us; /* some task has waited for memory so long by now; -1 unknown, or not asked in this row */
	int64_t major_faults; /* pages read back for the tree since watching began; likewise */
	int n;                /* channels in use: CH_HOST_COUNT plus two for each GPU device */
	struct reading v[CH_MAX];
};

#endif
