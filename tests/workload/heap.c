/* SPDX-License-Identifier: MIT */
/* A heap with a history, and what malloc itself says of it:
 *
 *     heap SCENARIO THREADS MIB MOMENTS
 *
 * At each moment all threads stand still, a line "USED FREE MAPPED" (bytes, mallinfo2) is printed, and the program
 * waits for a byte on its standard input. Scenarios: small, large, holes, trim, scattered, storm, mixed; swapped: the insides of large
 * blocks that were freed are swapped out, and in the second moment the whole heap; exchange: from the first moment to the second,
 * until there is a further byte, every thread frees blocks and takes others of their sizes, so that what is in use stays. */
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS_MAX = 64, PAGE_BYTES = 4096, LARGE_BYTES = 25 * PAGE_BYTES };

static const char *scenario;
static size_t bytes_each;
static int threads, moments;
static pthread_barrier_t stand_still, go_on;
static _Atomic bool exchange_ends;
static char *swap_from; /* the heap from here on, once malloc has said what is in it: that reads it */

struct bag { /* what one thread has */
	void **block;
	size_t count, cap, bytes;
	uint64_t random;
};

static uint64_t next_random(struct bag *b)
{
	b->random ^= b->random << 13;
	b->random ^= b->random >> 7;
	b->random ^= b->random << 17;
	return b->random;
}

static void take(struct bag *b, size_t size)
{
	if (b->count == b->cap) {
		b->cap = b->cap ? 2 * b->cap : 1024;
		b->block = realloc(b->block, b->cap * sizeof(*b->block));
	}
	b->block[b->count] = malloc(size);
	memset(b->block[b->count++], 1, size);
	b->bytes += size;
}

static void drop(struct bag *b, size_t index)
{
	free(b->block[index]);
	b->block[index] = b->block[--b->count];
}

/* Frees every other block, from one end to the other. */
static void drop_every_other(struct bag *b)
{
	size_t left = 0;

	for (size_t i = 0; i < b->count; i++) {
		if (i % 2)
			free(b->block[i]);
		else
			b->block[left++] = b->block[i];
	}
	b->count = left;
}

static size_t any_size(struct bag *b)
{
	uint64_t r = next_random(b);

	return r % 100 < 80   ? 16 + r / 128 % 500
	       : r % 100 < 97 ? 512 + r / 128 % 8000
			      : 8192 + r / 128 % 100000;
}

static void leak(struct bag *b, size_t min, size_t span)
{
	for (size_t goal = b->bytes + bytes_each / (size_t)moments; b->bytes < goal;)
		take(b, min + next_random(b) % span);
}

static void storm(struct bag *b, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		if (b->count > 64 && next_random(b) % 2)
			drop(b, next_random(b) % b->count);
		else if (b->count < bytes_each / 1500)
			take(b, any_size(b));
	}
}

static void fill(struct bag *b)
{
	for (b->bytes = 0; b->bytes < bytes_each;)
		take(b, any_size(b));
}

static bool has_input(void)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&in, 1, 0) > 0;
}

static void exchange(struct bag *b)
{
	enum { BETWEEN_LOOKS = 1000 };

	for (int i = 0; i < BETWEEN_LOOKS; i++) {
		void **block = &b->block[next_random(b) % b->count];
		size_t size = malloc_usable_size(*block);

		free(*block);
		*block = malloc(size);
		memset(*block, 1, size);
	}
}

static void work_exchange(struct bag *b)
{
	if (b->count == 0) {
		fill(b);
		return;
	}
	while (!exchange_ends) {
		exchange(b);
		if (has_input())
			exchange_ends = true;
	}
}

static void swap_out(char *from, const char *to)
{
	from += PAGE_BYTES - (uintptr_t)from % PAGE_BYTES;
	if (madvise(from, (size_t)(to - from) & ~(size_t)(PAGE_BYTES - 1), MADV_PAGEOUT) != 0)
		exit(1);
}

static void swap_out_what_is_freed(struct bag *b)
{
	for (b->bytes = 0; b->bytes < bytes_each;)
		take(b, LARGE_BYTES);
	for (size_t i = 1; i < b->count; i += 2)
		free(b->block[i]);
	for (size_t i = 1; i < b->count; i += 2)
		swap_out((char *)b->block[i] + PAGE_BYTES, (char *)b->block[i] + LARGE_BYTES - PAGE_BYTES);
}

static void work_swapped(struct bag *b)
{
	if (b->count == 0)
		swap_out_what_is_freed(b);
	else
		swap_from = b->block[0];
}

static void work(struct bag *b)
{
	if (strcmp(scenario, "small") == 0) {
		leak(b, 16, 200);
	} else if (strcmp(scenario, "large") == 0) {
		leak(b, 20000, 90000);
	} else if (strcmp(scenario, "holes") == 0) {
		fill(b);
		drop_every_other(b);
	} else if (strcmp(scenario, "trim") == 0) {
		fill(b);
		while (b->count > 100)
			drop(b, b->count - 1 - next_random(b) % 100);
		malloc_trim(0);
	} else if (strcmp(scenario, "scattered") == 0) {
		leak(b, 16, 96);
		for (size_t left = b->count / 2; b->count > left;)
			drop(b, next_random(b) % b->count);
	} else if (strcmp(scenario, "swapped") == 0) {
		work_swapped(b);
	} else if (strcmp(scenario, "exchange") == 0) {
		work_exchange(b);
	} else {
		storm(b, strcmp(scenario, "storm") == 0 ? 200000 : 20000);
		if (strcmp(scenario, "mixed") == 0)
			leak(b, 16, 100000);
	}
}

static void tell(void)
{
	struct mallinfo2 m = mallinfo2();
	char line[96];
	int len = snprintf(line, sizeof(line), "%zu %zu %zu\n", m.uordblks, m.fordblks, m.hblkhd);

	if (swap_from)
		swap_out(swap_from, sbrk(0));
	fwrite(line, 1, (size_t)len, stdout);
	fflush(stdout);
	if (getchar() == EOF)
		exit(0);
}

static void *live(void *arg)
{
	struct bag b = {.random = 88172645463325252U + (uintptr_t)arg * 7919};

	for (int i = 0; i < moments; i++) {
		work(&b);
		pthread_barrier_wait(&stand_still);
		if (!arg)
			tell();
		pthread_barrier_wait(&go_on);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static char out[256], in[256]; /* so that stdio has no block that comes and goes */
	pthread_t t[THREADS_MAX];

	if (argc != 5)
		return 2;
	setvbuf(stdout, out, _IOFBF, sizeof(out));
	setvbuf(stdin, in, _IOFBF, sizeof(in));
	scenario = argv[1];
	threads = atoi(argv[2]);
	moments = atoi(argv[4]);
	if (threads < 1 || threads > THREADS_MAX || moments < 1)
		return 2;
	bytes_each = (size_t)atoi(argv[3]) * 1024 * 1024 / (size_t)threads;
	pthread_barrier_init(&stand_still, NULL, (unsigned)threads);
	pthread_barrier_init(&go_on, NULL, (unsigned)threads);
	for (intptr_t i = 1; i < threads; i++)
		pthread_create(&t[i], NULL, live, (void *)i);
	live(NULL);
	return 0;
}
