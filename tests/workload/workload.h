/* SPDX-License-Identifier: MIT */
/* What every workload shares: its parameters, memory that is really there, and the lines of an epoch.
 * Usage of all: NAME [EPOCHS [MIB [MS]]]: epochs, MiB per step, milliseconds per epoch. Where the variable PACE names
 * the watcher's CSV, epochs take longer if need be: until each has its rows, however busy the machine is. PACE=parent
 * counts how often the parent went to sleep instead, which a watcher does before each sample. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	PARTS = 4,     /* an epoch is slept in parts, so that its inside has samples too */
	PACE_MS = 40,  /* a pause of so many ms has another row */
	LOOK_MS = 5,   /* between two looks at PACE */
	LOOKS = 24000, /* then the watcher is broken, and the test is to see that */
};

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

static inline long workload_lines(const char *path)
{
	static long lines;
	static int fd = -1;
	char text[4096];
	ssize_t n;

	if (fd < 0)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, text, sizeof(text))) > 0)
		for (ssize_t i = 0; i < n; i++)
			lines += text[i] == '\n';
	return lines;
}

static inline long workload_parent_slept(void)
{
	char line[128];
	long times = 0;
	FILE *f;

	snprintf(line, sizeof(line), "/proc/%d/status", (int)getppid());
	f = fopen(line, "re");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "voluntary_ctxt_switches: %ld", &times);
	if (f)
		fclose(f);
	return times;
}

/* How far the watcher is; no number where nobody is to be waited for. */
static inline long workload_watcher(void)
{
	const char *pace = getenv("PACE");

	if (!pace)
		return -1;
	return strcmp(pace, "parent") == 0 ? workload_parent_slept() : workload_lines(pace);
}

static inline void workload_nap(int ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000L};

	nanosleep(&t, NULL);
}

static inline void workload_sleep_ms(int ms)
{
	long until = workload_watcher() + 1 + ms / PACE_MS;

	workload_nap(ms);
	for (int i = 0; i < LOOKS && getenv("PACE") && workload_watcher() < until; i++)
		workload_nap(LOOK_MS);
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
