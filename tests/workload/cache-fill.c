/* SPDX-License-Identifier: MIT */
/* Half of what is left of MIB is added in every epoch, then nothing: a cache that fills and settles. */
#include "workload.h"

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){16, 128, 250});
	size_t left = w.mib;

	workload_take(32);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		if (left > 1)
			workload_take(left / 2);
		left -= left / 2;
		workload_sleep_ms(w.ms);
		workload_epoch_end(&w, epoch);
	}
	return 0;
}
