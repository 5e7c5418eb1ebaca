/* SPDX-License-Identifier: MIT */
/* The clocks, each with its duty. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { NS_PER_MS = 1000000, NS_PER_US = 1000, MS_PER_S = 1000 };
#define NS_PER_S INT64_C(1000000000)

int64_t clock_mono_ns(void);       /* CLOCK_MONOTONIC: for intervals and slopes */
int64_t clock_wall_ns(void);       /* since 1970: for people and files only */
int64_t clock_cpu_ns(void);        /* CPU time memwatch has used, all threads */
int64_t clock_thread_cpu_ns(void); /* the calling one alone */

struct timespec clock_timespec(int64_t ns);

#endif
