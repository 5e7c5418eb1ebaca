/* SPDX-License-Identifier: MIT */
/* Starts a worker of MIB in every epoch and never joins one: each is level, the tree grows. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "workload.h"

static void work(const struct workload *w)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	workload_take(w->mib);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){20, 4, 250});

	workload_take(32);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		if (fork() == 0)
			work(&w);
		workload_sleep_ms(w.ms);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
