/* SPDX-License-Identifier: MIT */
/* Preloaded into memwatch: counts the calls of each process that it forks, and lets one of them fail. COMMAND never sees
 * it: the variables are taken away before main() runs.
 *
 * FAULTS_COUNTS names the file for the counts (struct counts). FAULTS_FAIL is "ROLE CALL N ERRNO": the N-th call of that
 * name fails in the process of that role; ERRNO 0 is half a read or write. A role is the way from memwatch to a process:
 * 0 itself, 1 the first that it forks, 2 the second, 8 * 1 + 2 the second that the first one forks; the last digit is 7 in
 * threads. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

/* How a call says that it failed: -1 and errno, NULL and errno, or the errno itself. */
enum outcome { MINUS, NOTHING, NUMBER };

enum first { OTHER, FD }; /* what its first argument is */

enum {
#define CALL(name, outcome, first) CALL_##name,
	CALLS
#undef CALL
	    CALL_fork,
	CALL_malloc,
	CALL_calloc,
	CALL_realloc,
	CALLS_COUNT,
};

static const char *const names[] = {
#define CALL(name, outcome, first) #name,
    CALLS
#undef CALL
    "fork",
    "malloc",
    "calloc",
    "realloc",
};

static const bool is_io[] = {
#define CALL(name, outcome, first) (first) == FD,
    CALLS
#undef CALL
    false,
    false,
    false,
    false,
};

enum { ROLES = 512, FORKS_MAX = 6, THREAD = 7, HALF = 0 };

struct counts {
	_Atomic uint32_t hit; /* the call was made to fail */
	_Atomic uint32_t made[ROLES][CALLS_COUNT];
};

typedef long call_fn(long, long, long, long, long, long, long);

static struct counts *counts; /* NULL: main() is still to come, or there is nothing to do */
static int role, forks;
static _Thread_local bool is_main;
static call_fn *raw; /* syscall() itself */
static struct {
	int role, call, error;
	uint32_t n;
} fault = {.role = -1};

static int own_role(void)
{
	int mine = is_main ? role : role * 8 + THREAD;

	return mine < ROLES ? mine : ROLES - 1;
}

/* An error that the call never gives in this place would tell nothing: a pipe knows no full disk. The arguments are its
 * first, third and fourth. */
static bool is_plausible(int call, long fd, long bytes, long options)
{
	int error = fault.error;
	struct stat st;

	if (call == CALL_waitpid || call == CALL_waitid) /* interrupted only while it waits */
		return !((call == CALL_waitpid ? bytes : options) & WNOHANG);
	if (!is_io[call] || raw(SYS_fstat, fd, (long)&st, 0, 0, 0, 0) != 0)
		return true;
	if (error == EAGAIN)
		return raw(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK;
	if (error == EIO || error == ENOSPC)
		return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
	if (error == HALF) /* a pipe takes PIPE_BUF bytes whole or not at all */
		return S_ISREG(st.st_mode) || S_ISCHR(st.st_mode) ||
		       (S_ISFIFO(st.st_mode) && bytes > PIPE_BUF);
	return true;
}

/* Counts a call and says whether it is the one. */
static bool fails(int call, long first, long third, long fourth)
{
	uint32_t n;

	if (!counts)
		return false;
	n = atomic_fetch_add(&counts->made[own_role()][call], 1) + 1;
	if (call != fault.call || n != fault.n || own_role() != fault.role ||
	    !is_plausible(call, first, third, fourth))
		return false;
	atomic_store(&counts->hit, 1);
	return true;
}

static long failure(enum outcome outcome)
{
	errno = fault.error;
	return outcome == MINUS ? -1 : outcome == NOTHING ? 0 : fault.error;
}

/* Whatever the call's own arguments are, they come and go in the same registers. A descriptor is closed even where
 * close() fails. */
#define CALL(name, outcome, first)                                                                           \
	long faulty_##name(long a, long b, long c, long d, long e, long f, long g) __asm__(#name);           \
	long faulty_##name(long a, long b, long c, long d, long e, long f, long g)                           \
	{                                                                                                    \
		static call_fn *real;                                                                        \
                                                                                                             \
		if (!real)                                                                                   \
			real = (call_fn *)dlsym(RTLD_NEXT, #name);                                           \
		if (!fails(CALL_##name, a, c, d))                                                            \
			return real(a, b, c, d, e, f, g);                                                    \
		if (fault.error == HALF)                                                                     \
			return real(a, b, c > 1 ? c / 2 : c, d, e, f, g);                                    \
		if ((int)CALL_##name == CALL_close || (int)CALL_##name == CALL_fclose)                       \
			real(a, b, c, d, e, f, g);                                                           \
		return failure(outcome);                                                                     \
	}
CALLS
#undef CALL

pid_t faulty_fork(void) __asm__("fork");
pid_t faulty_fork(void)
{
	static pid_t (*real)(void);
	pid_t pid;

	if (!real)
		real = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
	if (fails(CALL_fork, 0, 0, 0))
		return (pid_t)failure(MINUS);
	forks += forks < FORKS_MAX;
	pid = real();
	if (pid == 0) {
		role = role * 8 + forks;
		forks = 0;
		is_main = true;
	}
	return pid;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
	return fails(CALL_malloc, 0, 0, 0) ? (errno = ENOMEM, NULL) : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(CALL_calloc, 0, 0, 0) ? (errno = ENOMEM, NULL) : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return fails(CALL_realloc, 0, 0, 0) ? (errno = ENOMEM, NULL) : __libc_realloc(old, size);
}

static void read_fault(const char *text)
{
	char name[32];

	if (!text || sscanf(text, "%d %31s %u %d", &fault.role, name, &fault.n, &fault.error) != 4)
		return;
	for (fault.call = 0; fault.call < CALLS_COUNT && strcmp(names[fault.call], name) != 0;)
		fault.call++;
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAULTS_COUNTS");
	struct counts *shared;
	int fd;

	raw = (call_fn *)dlsym(RTLD_NEXT, "syscall");
	is_main = true;
	read_fault(getenv("FAULTS_FAIL"));
	fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	unsetenv("FAULTS_COUNTS");
	unsetenv("FAULTS_FAIL");
	unsetenv("LD_PRELOAD");
	if (fd < 0)
		return;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (shared != MAP_FAILED)
		counts = shared;
}
