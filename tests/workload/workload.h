/* SPDX-License-Identifier: MIT */
/* What every workload shares: its parameters, memory that is really there, and the lines of an epoch.
 * Usage of all: NAME [EPOCHS [MIB [MS]]]: epochs, MiB per step, milliseconds per epoch. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PARTS = 4 }; /* an epoch is slept in parts, so that its inside has samples too */

struct workload {
	int epochs;
	size_t mib;
	int ms;
};

static inline struct workload workload_args(int argc, char **argv, struct workload defaults)
{
	struct workload w = defaults;

	if (argc > 1)
		w.epochs = atoi(argv[1]);
	if (argc > 2)
		w.mib = (size_t)atoi(argv[2]);
	if (argc > 3)
		w.ms = atoi(argv[3]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	return w;
}

static inline void workload_sleep_ms(int ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000L};

	nanosleep(&t, NULL);
}

/* mmap, not malloc: what is freed leaves the process at once, so that every run looks the same. */
static inline void *workload_take(size_t mib)
{
	char *p = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	for (size_t i = 0; i < mib << 20; i += 4096)
		p[i] = 1;
	return p;
}

static inline void workload_give(void *p, size_t mib)
{
	munmap(p, mib << 20);
}

static inline void workload_epoch_begin(const struct workload *w, int epoch)
{
	printf("Epoch %d/%d\n", epoch, w->epochs);
}

static inline void workload_epoch_end(const struct workload *w, int epoch)
{
	printf(" - loss: %.4f\n", 1.0 / (w->epochs + epoch));
}

#endif
