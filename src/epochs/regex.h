/* SPDX-License-Identifier: MIT */
/* The expression of --epoch-regex. The C library takes memory and time without a bound for some expressions: those are
 * refused, and one that turns out so on the lines of a run is given up. */
#ifndef EPOCHS_REGEX_H
#define EPOCHS_REGEX_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REGEX_LINE_MAX = 512 }; /* of a line is shown to the expression */

struct epoch_regex; /* opaque */

/* Compiles a POSIX extended expression, which is borrowed. 0, or -EINVAL with the reason in why. */
int epoch_regex_new(const char *regex, struct epoch_regex **out, char *why, size_t why_size);
void epoch_regex_free(struct epoch_regex *r); /* NULL is legal */

/* Whether the expression takes no longer than it may on lines made to be hard for it: tried in a process of its own,
 * so before signals are blocked. 0, or -EINVAL with the reason in why. */
int epoch_regex_try(const char *regex, char *why, size_t why_size);

/* Matches text, which has at most REGEX_LINE_MAX bytes and ends with a NUL; m[1] is group 1. */
bool epoch_regex_match(struct epoch_regex *r, const char *text, regmatch_t m[2]);

/* It took too long and is matched no more. */
bool epoch_regex_given_up(const struct epoch_regex *r);

#endif
