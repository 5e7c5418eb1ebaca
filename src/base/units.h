/* SPDX-License-Identifier: MIT */
/* Bytes and durations as people write and read them. Pure. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum { UNITS_TEXT_MAX = 32 };

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* "250ms", "1s", "1.5m", "1h", "2d"; a bare number is seconds. 0, or -EINVAL (not a duration) or -ERANGE. */
int units_parse_duration(const char *text, int64_t *out_ns);

/* "512M", "1.5GiB", "100kB", "4096"; K, M, G, T with or without "iB" are powers of 1024, with "B" alone
 * powers of 1000. 0, or -EINVAL or -ERANGE. */
int units_parse_size(const char *text, uint64_t *out_bytes);

/* All of these write a NUL-terminated text of at most UNITS_TEXT_MAX bytes to buf and return buf. */
char *units_bytes(char buf[UNITS_TEXT_MAX], uint64_t bytes);      /* "1.61 GiB", "512 B" */
char *units_bytes_signed(char buf[UNITS_TEXT_MAX], double bytes); /* "+8.0 MiB", "-3.1 KiB" */
char *units_duration(char buf[UNITS_TEXT_MAX], int64_t ns);       /* "0.8 s", "41 s", "2 h 10 min" */
char *units_clock(char buf[UNITS_TEXT_MAX], int64_t ms); /* "8.0 s", "0:41", "1:02:33" since the start */
char *units_count(char buf[UNITS_TEXT_MAX], uint64_t n); /* "2,900" */

/* Decimal digits of v at out, no NUL; returns one past the last. For rows that are written by hand. */
char *units_put_u64(char *out, uint64_t v);
/* v/1000 with exactly three decimals: 1234 -> "1.234". */
char *units_put_milli(char *out, int64_t v);

#endif
