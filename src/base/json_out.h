/* SPDX-License-Identifier: MIT */
/* JSON in one line: the same values give the same bytes, in any locale. */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_out {
	FILE *f;
	bool comma; /* something stands before the next value on this level */
};

/* name is NULL inside arrays and for the outermost value. */
void json_open(struct json_out *j, const char *name, char bracket);
void json_close(struct json_out *j, char bracket);
/* NULL is null; bad UTF-8 becomes U+FFFD. */
void json_string(struct json_out *j, const char *name, const char *text);
void json_int(struct json_out *j, const char *name, int64_t v);
void json_real(struct json_out *j, const char *name, double v); /* at most three decimals */
void json_bool(struct json_out *j, const char *name, bool v);
void json_null(struct json_out *j, const char *name);
/* null when it is not known. */
void json_int_if(struct json_out *j, const char *name, bool known, int64_t v);
void json_real_if(struct json_out *j, const char *name, bool known, double v);

#endif
