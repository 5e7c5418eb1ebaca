/* SPDX-License-Identifier: MIT */
/* Takes MIB in parts during each epoch and gives all back at its end: a collector at work. */
#include "workload.h"

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){12, 64, 250});

	workload_take(32);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		void *part[PARTS];

		workload_epoch_begin(&w, epoch);
		for (int i = 0; i < PARTS; i++) {
			part[i] = workload_take(w.mib / PARTS);
			workload_sleep_ms(w.ms / PARTS);
		}
		for (int i = 0; i < PARTS; i++)
			workload_give(part[i], w.mib / PARTS);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
