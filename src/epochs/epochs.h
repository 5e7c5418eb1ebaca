/* SPDX-License-Identifier: MIT */
/* The lines of a run's output and its marks -> the number of epochs finished. One tracker per run, fed from
 * all its streams. No I/O; no clock and no allocation after epochs_new(), but for the user's own expression (regex.h). */
#ifndef EPOCHS_EPOCHS_H
#define EPOCHS_EPOCHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "epochs/line_reader.h"

struct epochs;

/* start_ns: when watching began, on the clock of the lines' times. */
struct epochs *epochs_new(int64_t start_ns);
void epochs_free(struct epochs *e);

/* Only lines that match this POSIX extended expression count from now on; group 1, if it took part, is the
 * number. 0, or -EINVAL with a reason in why: it is wrong, or might take time or memory without bound. */
int epochs_set_regex(struct epochs *e, const char *regex, char *why, size_t why_size);
bool epochs_regex_missed(const struct epochs *e);   /* there is one and no line has matched it */
bool epochs_regex_given_up(const struct epochs *e); /* it took too long on the lines of this run */

/* A line_fn: epochs is the struct epochs. */
void epochs_line(void *epochs, const struct text_line *line);

/* The user's own mark: number epochs are finished, or one more when number is -1. Outranks every line. */
void epochs_mark(struct epochs *e, int64_t number, int64_t time_ns);

/* A named mark; ends an epoch as long as the user has marked none by epochs_mark(). */
void epochs_label(struct epochs *e, int64_t time_ns);

/* The output is over and the program has ended; clean: by itself and with success. The running epoch then
 * counts as finished if its bar was full, or if nothing speaks against it. */
void epochs_end_of_output(struct epochs *e, bool clean);

/* Epochs finished so far: -1 before the first sign, 0 while the first one runs. In the program's own numbers,
 * so a run resumed at "Epoch 18/40" gives 17; goes on rising over several fits; never falls. */
int64_t epochs_finished(const struct epochs *e);

/* Fits begun: 2 after the numbers went back once; 0 before the first sign. */
int epochs_fits(const struct epochs *e);

/* Epochs that will be finished at the end, as the program says (100 of "Epoch 7/100"); -1 unknown. Where a second fit has
 * begun nobody knows how many follow. */
int64_t epochs_planned(const struct epochs *e);

struct epochs_summary {
	const char *format; /* "Hugging Face", "progress bars", "marks"; NULL when no epoch was seen */
	bool marks;         /* the user's own */
	int64_t finished;   /* as epochs_finished() */
	int64_t found;      /* of these, finished since the first one that was shown; -1 none */
	int fits;           /* as epochs_fits() */
	bool buffered;      /* boundaries came in blocks (python without -u): their times mean nothing */
	int64_t timed; /* epochs whose length is known; the first counts only as long as there is no other */
	double mean_s; /* their mean length */
	double spread; /* standard deviation of the length over its mean: 0 is perfectly regular */
};

void epochs_summarize(const struct epochs *e, struct epochs_summary *out);

#endif
