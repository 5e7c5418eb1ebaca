/* SPDX-License-Identifier: MIT */
/* Four workers live through the run and take MIB / 4 more in every epoch: the parent itself stays flat. */
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

enum { WORKERS = 4 };

static void work(const struct workload *w, int orders)
{
	char order;

	while (read(orders, &order, 1) == 1)
		workload_take(w->mib / WORKERS);
	_exit(0);
}

static int start_worker(const struct workload *w)
{
	int ends[2];

	if (pipe(ends))
		exit(1);
	if (fork() == 0) {
		close(ends[1]);
		work(w, ends[0]);
	}
	close(ends[0]);
	return ends[1];
}

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc, argv, (struct workload){12, 8, 250});
	int orders[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		orders[i] = start_worker(&w);
	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		workload_sleep_ms(w.ms / 2);
		for (int i = 0; i < WORKERS; i++)
			if (write(orders[i], "", 1) != 1)
				return 1;
		workload_sleep_ms(w.ms / 2);
		workload_epoch_end(&w, epoch);
	}
	for (int i = 0; i < WORKERS; i++)
		close(orders[i]);
	for (int i = 0; i < WORKERS; i++)
		wait(NULL);
	return 0;
}
