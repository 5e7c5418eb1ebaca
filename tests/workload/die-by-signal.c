/* SPDX-License-Identifier: MIT */
/* Leaks as leak does and ends itself in the last epoch with signal 9, or the fourth argument: what an out-of-memory
 * kill looks like from outside. */
#include <signal.h>

#include "workload.h"

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){8, 16, 250});

	workload_take(32);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		workload_sleep_ms(w.ms);
		workload_take(w.mib);
		if (epoch == w.epochs)
			raise(argc > 4 ? atoi(argv[4]) : SIGKILL);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
