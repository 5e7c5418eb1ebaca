/* SPDX-License-Identifier: MIT */
/* A model is built for each of the fits and kept: MIB more in every one; its two epochs take nothing. */
#include "workload.h"

enum { EPOCHS = 2 };

int main(int argc, char **argv)
{
	struct workload fits = workload_args(argc, argv, (struct workload){12, 8, 250});
	struct workload fit = {EPOCHS, fits.mib, fits.ms};

	for (int i = 0; i < fits.epochs; i++) {
		workload_take(fits.mib);
		for (int epoch = 1; epoch <= EPOCHS; epoch++) {
			workload_epoch_begin(&fit, epoch);
			workload_sleep_ms(fits.ms);
			workload_epoch_end(&fit, epoch);
		}
	}
	return 0;
}
