/* SPDX-License-Identifier: MIT */
/* What is watched. All modes hold MIB of touched memory in small pages, say "ready" and end with their input:
 *   target hold MIB            one process that sleeps
 *   target tree MIB CHILDREN   the same with sleeping children of 8 MiB
 *   target workers MIB CHILDREN  children that share all of it, as workers forked by a loaded program do
 *   target blocks MIB EPOCHS   has MIB in small blocks of malloc and changes them at random, a line for each epoch;
 *                              prints at the end: CPU seconds, voluntary switches
 *   target churn MIB SECONDS   on the first line of input maps, touches and unmaps memory as fast as it can, then
 *                              prints: voluntary switches, involuntary switches, rounds, CPU seconds */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MIB = 1 << 20, CHILD_BYTES = 8 * MIB, ROUND_BYTES = 1 * MIB };

static char *hold(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	madvise(p, bytes, MADV_NOHUGEPAGE);
	memset(p, 1, bytes);
	return p;
}

/* Children that share the given number of bytes with this process, and have some of their own. */
static void spawn_children(int count, size_t shared_bytes)
{
	pid_t parent = getpid();

	if (shared_bytes)
		hold(shared_bytes);
	for (int i = 0; i < count; i++) {
		if (fork() != 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		hold(CHILD_BYTES);
		while (getppid() == parent)
			pause();
		_exit(0);
	}
}

static double seconds(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void churn(double duration)
{
	struct rusage before, after;
	double end = seconds(CLOCK_MONOTONIC) + duration, cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	long rounds = 0;

	getrusage(RUSAGE_SELF, &before);
	for (; seconds(CLOCK_MONOTONIC) < end; rounds++)
		munmap(hold(ROUND_BYTES), ROUND_BYTES);
	getrusage(RUSAGE_SELF, &after);
	printf("%ld %ld %ld %.6f\n", after.ru_nvcsw - before.ru_nvcsw, after.ru_nivcsw - before.ru_nivcsw,
	       rounds, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	fflush(stdout);
}

/* The same work whoever watches: so many blocks freed and taken again in an epoch. */
static void blocks(size_t bytes, int epochs)
{
	enum { ROUNDS = 3000000, SIZE_MAX_BYTES = 512 };
	size_t count = bytes / (SIZE_MAX_BYTES / 2 + 16);
	void **block = calloc(count, sizeof(*block));
	unsigned long random = 88172645463325252UL;
	struct rusage used;

	for (int epoch = 0; epoch <= epochs; epoch++) {
		for (size_t i = 0; i < (epoch ? (size_t)ROUNDS : count); i++) {
			size_t at = epoch ? random / 64 % count : i;

			random = random * 6364136223846793005UL + 1442695040888963407UL;
			free(block[at]);
			block[at] = malloc(16 + random / 4096 % (SIZE_MAX_BYTES - 16));
			memset(block[at], 1, 16);
		}
		printf("Epoch %d/%d\n", epoch, epochs);
		fflush(stdout);
	}
	getrusage(RUSAGE_SELF, &used);
	printf("%.6f %ld\n", seconds(CLOCK_PROCESS_CPUTIME_ID), used.ru_nvcsw);
}

int main(int argc, char **argv)
{
	char line[64];
	size_t bytes;

	if (argc < 3)
		return 2;
	bytes = strtoul(argv[2], NULL, 10) * MIB;
	if (argc > 3 && strcmp(argv[1], "blocks") == 0) {
		blocks(bytes, atoi(argv[3]));
		return 0;
	}
	if (argc > 3 && strcmp(argv[1], "tree") == 0)
		spawn_children(atoi(argv[3]), 0);
	if (argc > 3 && strcmp(argv[1], "workers") == 0)
		spawn_children(atoi(argv[3]), bytes);
	else
		hold(bytes);
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin))
		if (argc > 3 && strcmp(argv[1], "churn") == 0)
			churn(strtod(argv[3], NULL));
	return 0;
}
