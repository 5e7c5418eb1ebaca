/* SPDX-License-Identifier: MIT */
/* Takes MIB once, in the second epoch, and keeps it: a reservation. */
#include "workload.h"

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){12, 256, 250});

	workload_take(16);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		if (epoch == 2)
			workload_take(w.mib);
		workload_sleep_ms(w.ms);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
