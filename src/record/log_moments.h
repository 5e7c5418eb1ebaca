/* SPDX-License-Identifier: MIT */
/* Rows in, moments out: those of one moment added up, on one clock that only goes on. Knows no text. */
#ifndef RECORD_LOG_MOMENTS_H
#define RECORD_LOG_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/log_formats.h"
#include "record/sample.h"

enum { LOG_GPUS_MAX = 64 };

struct log_gpu_use {
	int slot;
	uint64_t bytes;
	struct reading total;
};

struct log_moment {
	int64_t ms;
	int64_t epoch; /* -1 unknown */
	int64_t procs; /* 0 unknown */
	struct reading rss, pss, swap, limit;
	size_t gpu_from, gpu_count; /* in gpu_uses */
};

struct log_call {
	char name[LOG_ID_MAX];
	double from_s, to_s;
};

struct log_moments {
	struct log_moment *list;
	size_t n, room;
	struct log_gpu_use *gpu_uses;
	size_t gpu_n, gpu_room;
	char gpu_names[LOG_GPUS_MAX]
		      [LOG_ID_MAX]; /* in the order of their slots; "" for a number that was not seen */
	int gpus;
	struct log_call *calls;
	size_t call_n, call_room;

	double slack_s, interval_s;
	enum log_clock clock;
	double scale; /* of the log's times to seconds */
	double first_s, last_s, days_s, opened_s;
	bool since_1970, given; /* given: a line told the time of the rows that follow it */
	bool apart;             /* the next row begins a moment of its own */
	uint64_t keys[1024];    /* whose rows the newest moment has, as hashes */
	int key_n;
	uint64_t gone;  /* rows of a process that had ended */
	uint64_t blank; /* rows without a figure of memory */
};

void log_moments_init(struct log_moments *m, double slack_s, double interval_s);
void log_moments_free(struct log_moments *m);

/* False: its time goes back, from *was_s to *is_s since the start. */
bool log_moments_row(struct log_moments *m, const struct log_row *row, double *was_s, double *is_s);

/* A line that tells the time of what follows; the same result. */
bool log_moments_time(struct log_moments *m, const struct log_row *row, double *was_s, double *is_s);

/* A new table begins: rows below it are of another moment where they have no time of their own. */
void log_moments_table(struct log_moments *m);

void log_moments_call(struct log_moments *m, const struct log_row *row);

/* After the last row: drops what was measured before the command began, if that may be (early), and takes the calls of a
 * function that was called again and again for epochs; its name, or NULL. */
const char *log_moments_finish(struct log_moments *m, bool early);

#endif
