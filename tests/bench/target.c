/* SPDX-License-Identifier: MIT */
/* What is watched. All modes hold MIB of touched memory in small pages, say "ready" and end with their input:
 *   target hold MIB            one process that sleeps
 *   target tree MIB CHILDREN   the same with sleeping children of 8 MiB
 *   target workers MIB CHILDREN  children that share all of it, as workers forked by a loaded program do
 *   target blocks MIB PAIRS    has MIB in small blocks of malloc and changes them at random, in turns of the same work;
 *                              before one of two comes the line of an epoch, at which heaps are read. On a processor
 *                              of its own, in real time, where that is permitted: then prints "# real time". Prints for
 *                              each pair, after a #, of the beginning of the turn with the line and of that without:
 *                              CPU seconds, seconds, voluntary switches; then CPU seconds of both turns
 *   target churn MIB SECONDS   on the first line of input maps, touches and unmaps memory as fast as it can, then
 *                              prints: voluntary switches, involuntary switches, rounds, CPU seconds */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
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

struct turn {
	double cpu_s, s;
	long switches;
};

static void **block;
static size_t block_count;

/* The same work whoever watches: so many blocks freed and taken again. */
static struct turn change_blocks(size_t rounds)
{
	enum { SIZE_MAX_BYTES = 512 };
	static unsigned long random = 88172645463325252UL;
	struct rusage before, after;
	double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), begin = seconds(CLOCK_MONOTONIC);

	getrusage(RUSAGE_SELF, &before);
	for (size_t i = 0; i < rounds; i++) {
		size_t at = block[i % block_count] ? random / 64 % block_count : i;

		random = random * 6364136223846793005UL + 1442695040888963407UL;
		free(block[at]);
		block[at] = malloc(16 + random / 4096 % (SIZE_MAX_BYTES - 16));
		memset(block[at], 1, 16);
	}
	getrusage(RUSAGE_SELF, &after);
	return (struct turn){seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - begin,
			     after.ru_nvcsw - before.ru_nvcsw};
}

/* What else runs on the machine is then elsewhere. */
static void leave_the_others(void)
{
	cpu_set_t all, last;
	int cpu = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(all), &all) != 0 || CPU_COUNT(&all) < 2)
		return;
	while (!CPU_ISSET((size_t)cpu, &all))
		cpu--;
	CPU_ZERO(&last);
	CPU_SET((size_t)cpu, &last);
	if (sched_setaffinity(0, sizeof(last), &last) == 0 &&
	    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}) == 0)
		puts("# real time");
}

/* Now the one, now the other comes first, so that a machine that becomes busier is nobody's fault. A reading takes place
 * at the beginning of a turn: what happens later would only add noise. */
static void blocks(size_t bytes, int pairs)
{
	enum { ROUNDS = 3000000, ROUNDS_BEGIN = 600000, BLOCK_MEAN = 272 };
	struct turn begin[2];
	double cpu = 0;

	leave_the_others();
	block_count = bytes / BLOCK_MEAN;
	block = calloc(block_count, sizeof(*block));
	change_blocks(block_count);
	for (int i = 0; i < 2 * pairs; i++) {
		bool line = (i % 2 == 0) == (i % 4 < 2);

		if (line) {
			printf("Epoch %d/%d\n", i / 2 + 1, pairs);
			fflush(stdout);
		}
		begin[line] = change_blocks(ROUNDS_BEGIN);
		cpu += begin[line].cpu_s + change_blocks(ROUNDS - ROUNDS_BEGIN).cpu_s;
		if (i % 2 == 0)
			continue;
		printf("# %.6f %.6f %ld %.6f %.6f %ld %.6f\n", begin[1].cpu_s, begin[1].s, begin[1].switches,
		       begin[0].cpu_s, begin[0].s, begin[0].switches, cpu);
		cpu = 0;
	}
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
