/* SPDX-License-Identifier: MIT */
/* `memwatch compare`: what differs between recorded runs. */
#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/gate.h"
#include "record/log_reader.h"

struct compare_request {
	const char *const *files;
	size_t file_count;
	/* The first files are repeats of one side, the others of the other; 0: the first is BASE, and each of the
	 * others is compared with it. */
	size_t base_count;
	const char *const *called; /* what people know the files as; NULL: by their names */
	const char *const *names;  /* of the two sides, instead of their files; NULL: none */
	bool json, markdown;
	const char *const *out; /* -r */
	size_t out_count;
	bool force;
	bool fail_on_regression;
	struct regression_limit limit;
	struct log_request log;
};

/* Could the files of -r be written, as things stand? What could not is said. */
bool cmd_compare_can_write(const struct compare_request *q);

/* Says everything itself. The exit status: 0, 3 (--fail-on regression), 125. */
int cmd_compare(const struct compare_request *q);

#endif
