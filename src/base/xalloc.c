/* SPDX-License-Identifier: MIT */
/* Allocation that either succeeds or ends memwatch. */
#include "base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"

static void (*on_failure)(void);

void xalloc_on_failure(void (*fn)(void))
{
	on_failure = fn;
}

/* A thread beside the main one goes to sleep, as if what it asks did not answer: whoever waits for it does so with a
 * limit, and nothing that the main thread uses is closed under its hands. */
static _Noreturn void no_memory(void)
{
	while (on_failure && gettid() != getpid())
		pause();
	if (on_failure)
		on_failure();
	die("out of memory");
}

static void *or_die(void *p)
{
	if (!p)
		no_memory();
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	return or_die(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *old, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		no_memory();
	return or_die(realloc(old, bytes > 0 ? bytes : 1));
}

char *xstrdup(const char *s)
{
	return or_die(strdup(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return or_die(s);
}
