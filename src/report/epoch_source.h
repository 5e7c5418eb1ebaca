/* SPDX-License-Identifier: MIT */
/* How the epochs of a run were found, how regular they are, and what its fits held: as text and as JSON. */
#ifndef REPORT_EPOCH_SOURCE_H
#define REPORT_EPOCH_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json_out.h"
#include "epochs/fits.h"
#include "epochs/lengths.h"
#include "record/sample.h"
#include "verdict/judge.h"

enum epochs_way {
	WAY_NONE,    /* nothing was judged */
	WAY_MARKS,   /* the user's own */
	WAY_OUTPUT,  /* lines of the output */
	WAY_EVERY,   /* --epochs every:DURATION */
	WAY_COLUMN,  /* a recorded run: the column says so, not from where */
	WAY_PATTERN, /* a period in the memory itself */
	WAY_WINDOWS, /* equal windows of time */
};

struct epochs_found {
	enum epochs_way way;
	const char *format; /* of the output lines, "Hugging Face"; NULL unknown */
	int64_t found;      /* epochs finished while somebody told of them; -1 none */
	bool recorded;      /* a file told of them */
	double silent_s;    /* since the last one, where that is too long to go by them; else 0 */
	int fits;           /* 0 unknown */
	bool buffered;      /* lines came in blocks, too late to time them */
	int64_t timed;      /* epochs whose length is known; the first, slow one only if there is no other */
	double mean_s;      /* their mean length */
	double interval_s;  /* between two samples; 0 unknown */
	double spread;      /* standard deviation over mean */
	const char *no_log; /* the file of --epochs log:FILE if it never appeared; NULL */
	const char *no_match; /* --epoch-regex if no line matched it; NULL */
	bool unseen;          /* attached: standard output goes where it cannot be read */
	bool discarded;       /* not attached: it goes to a device such as /dev/null, or is closed */
};

/* The epochs of a recorded run, row by row. */
struct recorded_epochs {
	int64_t found, epoch, began_ms; /* epochs that ended, the column now, and when it began to be so */
	struct epoch_lengths lengths;   /* in milliseconds */
	bool blank, begun;              /* blank: rows of no epoch came first */
};

void recorded_epochs_push(struct recorded_epochs *r, const struct sample *s);

/* What a file tells: the basis of the verdict and, where it has epochs, their lengths. recorded may be
 * NULL. */
void epoch_source_run(struct epochs_found *from, const struct run_verdict *run,
		      const struct recorded_epochs *recorded);

/* "epochs: 12 found in the output (Hugging Face), 2.1 s each (+-4 %)" and, for two fits and more, a line of
 * theirs. */
void epoch_source_text(FILE *out, const struct epochs_found *from, const struct epoch_fits *fits);

/* The members "epochs_from" and "fits" of the document. fits may be NULL. */
void epoch_source_json(struct json_out *j, const struct epochs_found *from, const struct epoch_fits *fits);

#endif
