/* SPDX-License-Identifier: MIT */
/* Logistic regression in C: a file of bytes is mapped and decoded once into a large anonymous mapping; threads learn from blocks of
 * rows in another order each epoch, with margins of their own that they map and unmap; every third epoch is validated.
 * decoded SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kept.h"
#include "lot.h"

enum { WIDTH = 64, BLOCK = 4096, THREADS_MOST = 3, SEEN_SHARE = 8 };

struct data {
	const uint8_t *bytes; /* WIDTH values and a label a row, as in the file */
	float *values;
	size_t rows;
};

struct learner {
	const struct data *data;
	float *weights;
	uint64_t state;
	size_t blocks;
	int ms;
	double loss;
};

static void *mapped(size_t size, int flags, int fd)
{
	void *p = mmap(NULL, size, fd < 0 ? PROT_READ | PROT_WRITE : PROT_READ, flags, fd, 0);
	if (p == MAP_FAILED)
		abort();
	return p;
}

static int written(size_t rows, uint64_t *state)
{
	char path[] = "/tmp/decoded-XXXXXX";
	int fd = mkstemp(path);
	uint8_t block[1024 * (WIDTH + 1)];
	if (fd < 0)
		abort();
	unlink(path);
	for (size_t row = 0; row < rows; row += 1024) {
		for (size_t i = 0; i + 8 <= sizeof(block); i += 8) {
			uint64_t some = drawn(state);
			memcpy(&block[i], &some, 8);
		}
		for (uint8_t *at = block; at < block + sizeof(block); at += WIDTH + 1)
			at[WIDTH] = at[0] + at[1] > 255;
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			abort();
	}
	return fd;
}

static void decode(struct data *d)
{
	for (size_t row = 0; row < d->rows; row++)
		for (size_t i = 0; i < WIDTH; i++)
			d->values[row * WIDTH + i] = (float)d->bytes[row * (WIDTH + 1) + i] / 128 - 1;
}

static float margin(const float *x, const float *weights)
{
	float sum = 0;
	for (int i = 0; i < WIDTH; i++)
		sum += x[i] * weights[i];
	return sum;
}

static void *learn(void *arg)
{
	struct learner *l = arg;
	for (size_t turn = 0; turn < l->blocks; turn++) {
		size_t size = (BLOCK + drawn(&l->state) % BLOCK) * sizeof(float) * 4;
		float *own = mapped(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		size_t from = drawn(&l->state) % (l->data->rows - BLOCK);
		for (size_t row = 0; row < BLOCK; row++) {
			const float *x = &l->data->values[(from + row) * WIDTH];
			float wish = l->data->bytes[(from + row) * (WIDTH + 1) + WIDTH];
			own[row] = 1 / (1 + expf(-margin(x, l->weights)));
			l->loss -= (double)logf(1e-6F + (wish > 0 ? own[row] : 1 - own[row]));
			for (int i = 0; i < WIDTH; i++)
				l->weights[i] -= 0.001F * (own[row] - wish) * x[i];
		}
		munmap(own, size);
		sleep_ms(l->ms / (int)l->blocks);
	}
	return NULL;
}

static double validated(const struct data *d, const float *weights)
{
	size_t rows = d->rows / SEEN_SHARE, right = 0;
	float *guesses = filled(rows * sizeof(*guesses));
	for (size_t row = 0; row < rows; row++)
		guesses[row] = margin(&d->values[row * WIDTH], weights);
	for (size_t row = 0; row < rows; row++)
		right += (guesses[row] > 0) == d->bytes[row * (WIDTH + 1) + WIDTH];
	free(guesses);
	return (double)right / (double)rows;
}

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	uint64_t state = lot_of(atoi(argv[1]));
	int epochs = atoi(argv[2]), start = atoi(argv[5]), ms = atoi(argv[6]);
	size_t size = (size_t)(atof(argv[3]) * 1024);
	struct data d = {.rows = ((size_t)2100 + drawn(&state) % 200) * 1024};
	int fd = written(d.rows, &state), threads = 1 + (int)(drawn(&state) % THREADS_MOST);
	d.bytes = mapped(d.rows * (WIDTH + 1), MAP_SHARED, fd);
	d.values = mapped(d.rows * WIDTH * sizeof(float), MAP_PRIVATE | MAP_ANONYMOUS, -1);
	decode(&d);
	float weights[WIDTH] = {0};
	const char *line =
	    drawn(&state) % 2 ? "Epoch %d/%d - loss: %.4f\n" : "epoch %d of %d, log loss %.5f\n";
	for (int epoch = 0; epoch < epochs; epoch++) {
		struct learner learners[THREADS_MOST];
		pthread_t ids[THREADS_MOST];
		double loss = 0;
		for (int i = 0; i < threads; i++) {
			learners[i] =
			    (struct learner){&d, weights, drawn(&state), 8 + drawn(&state) % 8, ms, 0};
			pthread_create(&ids[i], NULL, learn, &learners[i]);
		}
		for (int i = 0; i < threads; i++) {
			pthread_join(ids[i], NULL);
			loss += learners[i].loss / (double)(learners[i].blocks * BLOCK) / threads;
		}
		if (epoch % 3 == 2)
			printf("accuracy %.4f\n", validated(&d, weights));
		printf(line, epoch + 1, epochs, loss);
		fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
