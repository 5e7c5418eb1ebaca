/* SPDX-License-Identifier: MIT */
/* Takes MIB more in every epoch and never gives it back. */
#include "workload.h"

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){12, 8, 250});

	workload_take(32);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		workload_sleep_ms(w.ms / 2);
		workload_take(w.mib);
		workload_sleep_ms(w.ms / 2);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
