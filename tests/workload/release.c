/* SPDX-License-Identifier: MIT */
/* Holds MIB for the first third of its epochs and gives it back. */
#include "workload.h"

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){12, 256, 250});
	void *held;

	workload_take(32);
	held = workload_take(w.mib);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		if (epoch == w.epochs / 3)
			workload_give(held, w.mib);
		workload_sleep_ms(w.ms);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
