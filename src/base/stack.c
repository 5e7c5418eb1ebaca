/* SPDX-License-Identifier: MIT */
/* The kernel counts the stack from its upper end, where it put the program's name, the environment and the arguments. */
#include "base/stack.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

uint64_t stack_limit_bytes(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

/* The name is the last of them, and its page the last of the stack. */
uint64_t stack_used_bytes(void)
{
	uint64_t name = getauxval(AT_EXECFN), page_bytes = getauxval(AT_PAGESZ),
		 here = (uintptr_t)__builtin_frame_address(0);

	if (name < here)
		return page_bytes;
	name += strlen((const char *)(uintptr_t)name);
	return name / page_bytes * page_bytes + page_bytes - here;
}
