/* SPDX-License-Identifier: MIT */
/* Takes MIB before the first epoch and never moves. */
#include "workload.h"

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){12, 64, 250});

	workload_take(w.mib);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		workload_sleep_ms(w.ms);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
