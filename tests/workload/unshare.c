/* SPDX-License-Identifier: MIT */
/* Two workers live through the run and write, bit by bit, to the MIB that their parent took before they were forked:
 * each gets copies of its own, and what any of them maps stays as it was. */
#include <signal.h>
#include <sys/wait.h>

#include "workload.h"

enum { WORKERS = 2, BITS = 40 }; /* of an epoch's part */

static void work(const struct workload *w, char *shared)
{
	size_t all = w->mib << 20, bit = all / (size_t)(w->epochs * BITS);

	for (int i = 0; i < w->epochs * BITS; i++) {
		for (size_t at = (size_t)i * bit; at < (size_t)(i + 1) * bit; at += 4096)
			shared[at] = 2;
		workload_nap(w->ms / BITS);
	}
	pause();
}

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){10, 200, 1000});
	char *shared = workload_take(w.mib);
	pid_t workers[WORKERS];

	for (int i = 0; i < WORKERS; i++) {
		workers[i] = fork();
		if (workers[i] == 0)
			work(&w, shared);
	}
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		workload_sleep_ms(w.ms);
		workload_epoch_end(&w, epoch);
	}
	for (int i = 0; i < WORKERS; i++) {
		kill(workers[i], SIGKILL);
		waitpid(workers[i], NULL, 0);
	}
	return 0;
}
