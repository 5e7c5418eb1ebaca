/* SPDX-License-Identifier: MIT */
/* Two workers write to all of the MIB that their parent took before they were forked, at once, and then wait through
 * the run: each has copies of its own before the first epoch begins. */
#include <signal.h>
#include <sys/wait.h>

#include "workload.h"

enum { WORKERS = 2 };

static void work(const struct workload *w, char *shared, int ready)
{
	for (size_t at = 0; at < w->mib << 20; at += 4096)
		shared[at] = 2;
	if (write(ready, "", 1) != 1)
		_exit(1);
	pause();
}

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){10, 40, 1000});
	char byte, *shared = workload_take(w.mib);
	pid_t workers[WORKERS];
	int ready[2];

	if (pipe(ready))
		return 1;
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = fork();
		if (workers[i] == 0)
			work(&w, shared, ready[1]);
	}
	for (int i = 0; i < WORKERS; i++)
		if (read(ready[0], &byte, 1) != 1)
			return 1;
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
