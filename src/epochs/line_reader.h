/* SPDX-License-Identifier: MIT */
/* Bytes of a program's output in, lines of plain text out. Knows nothing of epochs, files or terminals'
 * size. */
#ifndef EPOCHS_LINE_READER_H
#define EPOCHS_LINE_READER_H

#include <stddef.h>
#include <stdint.h>

/* What is kept of a line. TRL's and Hugging Face's one-line dictionaries, the longest that name an epoch, end
 * in "'epoch': 0.01}" after 600 to 1500 bytes. */
enum { LINE_KEPT_MAX = 2048 };

enum line_end {
	LINE_OPEN,    /* so far: the read ended here; the same line comes again when more of it has arrived */
	LINE_REDRAWN, /* a carriage return or a cursor movement: a progress bar draws over it */
	LINE_ENDED,   /* a newline, or the end of the output */
};

struct text_line {
	const char *text; /* NUL-terminated, no control characters but tab; lent until the callback returns */
	size_t len;       /* at most LINE_KEPT_MAX; 1 or more: empty lines are not told */
	enum line_end end;
	int64_t time_ns; /* of the read that brought the line's last byte; LINE_TIME_UNKNOWN for old output */
	uint64_t offset; /* bytes of the stream up to and including the line's end */
};

#define LINE_TIME_UNKNOWN INT64_MIN

typedef void line_fn(void *ctx, const struct text_line *line);

struct line_reader;

struct line_reader *line_reader_new(void);
void line_reader_free(struct line_reader *r);

/* Tells fn every line that ends within these bytes, and the open rest once. Escape sequences are left out,
 * backspaces take back what stands before them, a carriage return right before a newline is part of it. */
void line_reader_push(struct line_reader *r, const char *bytes, size_t n, int64_t time_ns, line_fn *fn,
		      void *ctx);

/* Bytes are missing here: neither the line before nor what comes of it is told; "Epoch 1" may have been
 * "Epoch 12". */
void line_reader_gap(struct line_reader *r);

/* The output is over: the open line, if any, is told as ended. The reader may be used for another stream. */
void line_reader_finish(struct line_reader *r, int64_t time_ns, line_fn *fn, void *ctx);

#endif
