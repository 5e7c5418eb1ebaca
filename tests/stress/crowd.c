/* SPDX-License-Identifier: MIT */
/* A crowd: crowd STANDING RATE LIFE_MS. That many children stand still; then RATE more are born in each second, every
 * fourth without a parent of its own, and live for LIFE_MS. Says "standing" when the first are there, and for each of
 * the others "BIRTH DEATH" (wall clock, ns) in ./lives. Ends when ./stop exists. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ALIVE_MAX = 4096, NS_PER_MS = 1000000, ORPHAN_EACH = 4 };
#define NS_PER_S INT64_C(1000000000)

struct life {
	pid_t pid;
	int64_t born_ns, until_ns; /* wall clock; monotonic clock */
};

static struct life alive[ALIVE_MAX]; /* a ring: the oldest dies first */
static size_t first, count;
static FILE *lives;

static int64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static pid_t bear(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	if (pid < 0) {
		perror("crowd: fork");
		exit(1);
	}
	return pid;
}

static pid_t bear_orphan(void)
{
	int ends[2];
	pid_t pid, orphan = -1;

	if (pipe(ends))
		exit(1);
	pid = fork();
	if (pid == 0) {
		orphan = bear();
		_exit(write(ends[1], &orphan, sizeof(orphan)) == sizeof(orphan) ? 0 : 1);
	}
	if (read(ends[0], &orphan, sizeof(orphan)) != sizeof(orphan))
		exit(1);
	waitpid(pid, NULL, 0);
	close(ends[0]);
	close(ends[1]);
	return orphan;
}

static void bury_oldest(void)
{
	struct life *l = &alive[first];

	fprintf(lives, "%lld %lld\n", (long long)l->born_ns, (long long)now_ns(CLOCK_REALTIME));
	kill(l->pid, SIGKILL);
	first = (first + 1) % ALIVE_MAX;
	count--;
}

static void add_one(int64_t life_ns, int number)
{
	struct life *l = &alive[(first + count) % ALIVE_MAX];

	l->pid = number % ORPHAN_EACH ? bear() : bear_orphan();
	l->born_ns = now_ns(CLOCK_REALTIME);
	l->until_ns = now_ns(CLOCK_MONOTONIC) + life_ns;
	if (++count == ALIVE_MAX)
		bury_oldest();
}

static void churn(int rate, int64_t life_ns)
{
	int64_t next_ns = now_ns(CLOCK_MONOTONIC);
	int number = 0;

	while (access("stop", F_OK)) {
		struct timespec until = {next_ns / NS_PER_S, next_ns % NS_PER_S};

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		if (rate > 0)
			add_one(life_ns, number++);
		while (count > 0 && alive[first].until_ns <= now_ns(CLOCK_MONOTONIC))
			bury_oldest();
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		next_ns += rate > 0 ? NS_PER_S / rate : 10 * NS_PER_MS;
	}
	while (count > 0)
		bury_oldest();
}

int main(int argc, char **argv)
{
	int standing = argc > 1 ? atoi(argv[1]) : 10, rate = argc > 2 ? atoi(argv[2]) : 200;
	int64_t life_ns = (argc > 3 ? atoi(argv[3]) : 50) * (int64_t)NS_PER_MS;
	pid_t *pids = calloc((size_t)standing, sizeof(*pids));

	lives = fopen("lives", "we");
	if (!lives || !pids)
		return 1;
	for (int i = 0; i < standing; i++)
		pids[i] = bear();
	puts("standing");
	fflush(stdout);
	churn(rate, life_ns);
	for (int i = 0; i < standing; i++)
		kill(pids[i], SIGKILL);
	free(pids);
	return fclose(lives) ? 1 : 0;
}
