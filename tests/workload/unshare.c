/* SPDX-License-Identifier: MIT */
/* Two workers live through the run and write, bit by bit, to the MIB that their parent took before they were forked:
 * each gets copies of its own, and what any of them maps stays as it was. Where the variable PACE names the watcher's CSV,
 * they go no faster than its rows, and each epoch has a reading of what is shared. */
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "workload.h"

enum { WORKERS = 2, BITS = 40, PSS_COLUMN = 10 }; /* bits of an epoch's part */

static void work(const struct workload *w, char *shared, int told)
{
	size_t all = w->mib << 20, bit = all / (size_t)(w->epochs * BITS);
	char word;

	for (int i = 0; i < w->epochs * BITS && read(told, &word, 1) == 1; i++)
		for (size_t at = (size_t)i * bit; at < (size_t)(i + 1) * bit; at += 4096)
			shared[at] = 2;
	pause();
}

static bool has_reading(const char *row)
{
	for (int column = 1; row && column < PSS_COLUMN; column++)
		row = (row = strchr(row, ',')) ? row + 1 : NULL;
	return row && *row >= '0' && *row <= '9';
}

static int readings(void)
{
	FILE *csv = fopen(getenv("PACE"), "re");
	char row[1024];
	int n = 0;

	while (csv && fgets(row, sizeof(row), csv))
		n += has_reading(row);
	if (csv)
		fclose(csv);
	return n;
}

/* What a reading costs is measured in time that passes: on a busy machine there are fewer of them. */
static void await_readings(int n)
{
	for (int i = 0; i < LOOKS && getenv("PACE") && readings() < n; i++)
		workload_nap(LOOK_MS);
}

static void copy_bit_by_bit(const struct workload *w, int tell[WORKERS])
{
	long from = workload_watcher(), rows = 1 + w->ms / PACE_MS;

	for (int bit = 1; bit <= BITS; bit++) {
		for (int i = 0; i < WORKERS; i++)
			if (write(tell[i], "x", 1) != 1)
				exit(1);
		workload_nap(w->ms / BITS);
		for (int i = 0; i < LOOKS && from >= 0 && workload_watcher() < from + rows * bit / BITS; i++)
			workload_nap(LOOK_MS);
	}
}

static pid_t start_worker(const struct workload *w, char *shared, int *tell)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends) != 0)
		exit(1);
	pid = fork();
	if (pid == 0)
		work(w, shared, ends[0]);
	*tell = ends[1];
	return pid;
}

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){10, 200, 1000});
	char *shared = workload_take(w.mib);
	pid_t workers[WORKERS];
	int tell[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		workers[i] = start_worker(&w, shared, &tell[i]);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		copy_bit_by_bit(&w, tell);
		await_readings(1 + epoch);
		workload_epoch_end(&w, epoch);
	}
	for (int i = 0; i < WORKERS; i++) {
		kill(workers[i], SIGKILL);
		waitpid(workers[i], NULL, 0);
	}
	return 0;
}
