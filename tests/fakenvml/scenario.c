/* SPDX-License-Identifier: MIT */
/* Reads the scenario and answers what holds at a moment. Knows nothing of NVML's layouts. */
#include "scenario.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct fake fake;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void bad(const char *line)
{
	fprintf(stderr, "fakenvml: cannot read: %s", line);
	_exit(99);
}

static struct fake_dev *device(int gpu, int slot)
{
	if (gpu < 0 || gpu >= FAKE_GPUS || slot >= FAKE_SLOTS)
		return NULL;
	return slot < 0 ? &fake.gpu[gpu] : &fake.mig[gpu][slot];
}

static struct fake_call *call_named(const char *function)
{
	int i = 0;

	while (i < fake.n_call && strcmp(fake.call[i].function, function) != 0)
		i++;
	if (i == fake.n_call && fake.n_call++ < FAKE_CALLS)
		snprintf(fake.call[i].function, sizeof(fake.call[i].function), "%s", function);
	return &fake.call[i];
}

static bool read_gpu(const char *line)
{
	unsigned long long bytes;
	char uuid[96], name[96];
	int i;
	struct fake_dev *d;

	if (sscanf(line, "gpu %d %llu %95s %95[^\n]", &i, &bytes, uuid, name) != 4 || !(d = device(i, -1)))
		return false;
	*d = (struct fake_dev){.here = true, .index = i, .slot = -1, .bytes = bytes};
	snprintf(d->uuid, sizeof(d->uuid), "%s", uuid);
	snprintf(d->name, sizeof(d->name), "%s", name);
	if (fake.n_gpu <= i)
		fake.n_gpu = i + 1;
	return true;
}

static bool read_mig(const char *line)
{
	unsigned long long bytes;
	char uuid[96];
	int i, slot;
	struct fake_dev *d;

	if (sscanf(line, "mig %d %d %llu %95s", &i, &slot, &bytes, uuid) != 4 || !(d = device(i, slot)) ||
	    slot < 0)
		return false;
	*d = (struct fake_dev){.here = true, .index = i, .slot = slot, .bytes = bytes};
	snprintf(d->uuid, sizeof(d->uuid), "%s", uuid);
	strcpy(d->name, "MIG device");
	fake.has_mig[i] = true;
	return true;
}

static bool read_used(const char *line)
{
	unsigned long long bytes;
	long tick;
	int i, slot = -1;
	struct fake_dev *d;

	if (sscanf(line, "used %ld %d.%d %llu", &tick, &i, &slot, &bytes) != 4) {
		slot = -1;
		if (sscanf(line, "used %ld %d %llu", &tick, &i, &bytes) != 3)
			return false;
	}
	d = device(i, slot);
	if (!d)
		return false;
	d->used = realloc(d->used, (d->n_used + 1) * sizeof(d->used[0]));
	d->used[d->n_used++] = (struct fake_used){.tick = tick, .bytes = bytes};
	return true;
}

static bool read_at(const char *line)
{
	char where[16], pid[512], bytes[32], kinds[8] = "C";
	struct fake_event e = {0};
	struct fake_dev *d;
	int i, slot = -1;

	if (sscanf(line, "at %ld %15s %511s %31s %7s", &e.tick, where, pid, bytes, kinds) < 4)
		return false;
	if (sscanf(where, "%d.%d", &i, &slot) < 1 || !(d = device(i, slot)))
		return false;
	snprintf(e.kinds, sizeof(e.kinds), "%.3s", kinds);
	e.gone = strcmp(bytes, "gone") == 0;
	e.bytes = strcmp(bytes, "na") == 0 ? UINT64_MAX : strtoull(bytes, NULL, 10);
	e.after_end = pid[0] == '+';
	if (pid[0] == '@' || pid[0] == '+')
		e.pid_file = strdup(pid + 1);
	else
		e.pid = (unsigned)strtoul(pid, NULL, 10);
	if ((d->n_event & (d->n_event - 1)) == 0)
		d->event = realloc(d->event, (d->n_event ? 2 * d->n_event : 1) * sizeof(e));
	d->event[d->n_event++] = e;
	return true;
}

static bool read_err(const char *line)
{
	struct fake_err e = {.gpu = -1};

	if (fake.n_err == FAKE_ERRS ||
	    sscanf(line, "err %63s %ld %ld %d %d", e.function, &e.from, &e.to, &e.code, &e.gpu) < 4)
		return false;
	fake.err[fake.n_err++] = e;
	return true;
}

static bool read_await(const char *line)
{
	char function[64], file[512];
	struct fake_call *call;
	long lines;

	if (sscanf(line, "await %63s %511s %ld", function, file, &lines) != 3)
		return false;
	call = call_named(function);
	call->await_file = strdup(file);
	call->await_lines = lines;
	return true;
}

static bool read_line(const char *line)
{
	char function[64];
	long ms;

	if (line[0] == '#' || line[0] == '\n')
		return true;
	if (sscanf(line, "driver %79s", fake.driver) == 1 || sscanf(line, "clock %ld", &fake.clock_ms) == 1 ||
	    sscanf(line, "ticks %511s", fake.ticks_file) == 1 ||
	    sscanf(line, "entry %ld", &fake.entry_bytes) == 1)
		return true;
	if (sscanf(line, "delay %63s %ld", function, &ms) == 2) {
		call_named(function)->delay_ms = ms;
		return true;
	}
	return read_await(line) || read_gpu(line) || read_mig(line) || read_used(line) || read_at(line) ||
	       read_err(line);
}

static void make_scratch(struct fake_dev *d)
{
	if (!d->here) /* untouched, so that a client's own memory can be measured */
		return;
	d->pid_of = calloc(d->n_event + 1, sizeof(d->pid_of[0]));
	d->bytes_of = calloc(d->n_event + 1, sizeof(d->bytes_of[0]));
}

static void load(void)
{
	const char *file = getenv("FAKENVML");
	FILE *f = file ? fopen(file, "re") : NULL;
	char line[1024];

	strcpy(fake.driver, "570.124.06");
	while (f && fgets(line, sizeof(line), f))
		if (!read_line(line))
			bad(line);
	if (f)
		fclose(f);
	for (int i = 0; i < FAKE_GPUS; i++) {
		make_scratch(&fake.gpu[i]);
		for (int s = 0; s < FAKE_SLOTS; s++)
			make_scratch(&fake.mig[i][s]);
	}
	fake.start_ms = now_ms();
	fake.loaded = true;
}

void fake_load(void)
{
	pthread_mutex_lock(&lock);
	if (!fake.loaded)
		load();
	pthread_mutex_unlock(&lock);
}

static void free_device(struct fake_dev *d)
{
	for (size_t i = 0; i < d->n_event; i++)
		free(d->event[i].pid_file);
	free(d->event);
	free(d->used);
	free(d->pid_of);
	free(d->bytes_of);
}

__attribute__((destructor)) static void unload(void)
{
	for (int i = 0; i < fake.n_call; i++)
		free(fake.call[i].await_file);
	for (int i = 0; i < FAKE_GPUS; i++) {
		free_device(&fake.gpu[i]);
		for (int s = 0; s < FAKE_SLOTS; s++)
			free_device(&fake.mig[i][s]);
	}
}

/* -1: there is no such file. */
static long lines_of(const char *file)
{
	FILE *f = fopen(file, "re");
	long lines = 0;
	int c;

	if (!f)
		return -1;
	while ((c = getc(f)) != EOF)
		lines += c == '\n';
	fclose(f);
	return lines;
}

static void await_lines(const char *file, long more)
{
	long now = lines_of(file), until = now + more;

	for (; now >= 0 && now < until; now = lines_of(file))
		usleep(1000);
}

int fake_enter(const char *function, const struct fake_dev *dev)
{
	const char *await_file;
	struct fake_call *call;
	long n, delay_ms, more;
	int gpu = dev ? dev->index : -1, code = 0;

	fake_load();
	pthread_mutex_lock(&lock);
	call = call_named(function);
	n = ++call->n[gpu < 0 ? FAKE_GPUS : gpu];
	delay_ms = call->delay_ms;
	await_file = call->await_file;
	more = call->await_lines;
	for (int i = 0; i < fake.n_err && !code; i++) {
		const struct fake_err *e = &fake.err[i];

		if (strcmp(e->function, function) == 0 && n >= e->from && n <= e->to &&
		    (e->gpu < 0 || e->gpu == gpu))
			code = e->code;
	}
	pthread_mutex_unlock(&lock);
	while (delay_ms < 0)
		pause();
	if (delay_ms > 0)
		usleep((useconds_t)delay_ms * 1000);
	if (await_file)
		await_lines(await_file, more);
	return code;
}

long fake_tick(const struct fake_dev *dev)
{
	if (fake.ticks_file[0])
		return lines_of(fake.ticks_file);
	return fake.clock_ms ? (long)((now_ms() - fake.start_ms) / fake.clock_ms) : dev->lists;
}

/* A zombie's contexts are gone. */
static bool runs(unsigned pid)
{
	char path[64], state = 'X';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'X';
	if (f)
		fclose(f);
	return state != 'X' && state != 'Z';
}

static unsigned event_pid(const struct fake_event *e)
{
	unsigned pid = 0;
	FILE *f;

	if (!e->pid_file)
		return e->pid;
	f = fopen(e->pid_file, "re");
	if (f && fscanf(f, "%u", &pid) != 1)
		pid = 0;
	if (f)
		fclose(f);
	return e->after_end || runs(pid) ? pid : 0;
}

/* Later lines override earlier ones for the same pid and kind. A pid's place is kept, so lookups start at the last one. */
unsigned fake_list(struct fake_dev *dev, char kind)
{
	long tick = fake_tick(dev);
	unsigned n = 0, kept = 0;

	for (size_t i = 0; i < dev->n_event; i++) {
		const struct fake_event *e = &dev->event[i];
		unsigned pid, at;

		if (e->tick > tick || !strchr(e->kinds, kind) || !(pid = event_pid(e)))
			continue;
		for (at = n; at > 0 && dev->pid_of[at - 1] != pid; at--)
			;
		at = at ? at - 1 : n++;
		dev->pid_of[at] = pid;
		dev->bytes_of[at] = e->gone ? UINT64_MAX - 1 : e->bytes;
	}
	for (unsigned i = 0; i < n; i++) {
		if (dev->bytes_of[i] == UINT64_MAX - 1)
			continue;
		dev->pid_of[kept] = dev->pid_of[i];
		dev->bytes_of[kept++] = dev->bytes_of[i];
	}
	return kept;
}

uint64_t fake_used(struct fake_dev *dev)
{
	long tick = fake_tick(dev);
	uint64_t sum = 0;
	unsigned n;

	if (dev->n_used) {
		for (size_t i = 0; i < dev->n_used; i++)
			if (dev->used[i].tick <= tick)
				sum = dev->used[i].bytes;
		return sum;
	}
	n = fake_list(dev, 'C');
	for (unsigned i = 0; i < n; i++)
		sum += dev->bytes_of[i] == UINT64_MAX ? 0 : dev->bytes_of[i];
	return sum;
}
