/* SPDX-License-Identifier: MIT */
/* How large the stack of the main thread is, and may become. */
#ifndef BASE_STACK_H
#define BASE_STACK_H

#include <stdint.h>

uint64_t stack_limit_bytes(void); /* UINT64_MAX: none */
uint64_t stack_used_bytes(void);  /* by whoever asks and all above; arguments and environment count */

#endif
