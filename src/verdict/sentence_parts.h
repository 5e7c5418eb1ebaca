/* SPDX-License-Identifier: MIT */
/* A sentence that is put together bit by bit; what does not fit is cut off. */
#ifndef VERDICT_SENTENCE_PARTS_H
#define VERDICT_SENTENCE_PARTS_H

#include <stddef.h>
#include <stdint.h>

enum { SENTENCE_MAX = 768 };

/* How what is still to come is spoken of. */
enum tense {
	TENSE_ANY, /* "would be full": the same words for a run that goes on and for its recording */
	TENSE_NOW, /* "is full" */
	TENSE_OVER /* "would have been full": the run has ended */
};

struct text {
	char *buf; /* of SENTENCE_MAX bytes */
	size_t at;
};

__attribute__((format(printf, 2, 3))) void text_add(struct text *t, const char *fmt, ...);
void text_bytes(struct text *t, double bytes); /* below 0 is 0 */
void text_epochs(struct text *t, int64_t n);   /* "1 epoch", "2,900 epochs" */
void text_duration(struct text *t, double seconds);

#endif
