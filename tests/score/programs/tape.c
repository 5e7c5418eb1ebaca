/* SPDX-License-Identifier: MIT */
/* Gradients in C by a tape that lives in an arena of its own: chunks that are taken from malloc when a batch needs more than any
 * before, never given back, and used anew for every batch. Sequences are of any length up to a bound, so batches are, too; the
 * longest comes in the first epoch. tape SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "lot.h"

enum { WIDTH_MOST = 24, BATCHES = 12, LONGEST = 40, ROWS = 20000 };

struct chunk {
	struct chunk *next;
	size_t used, size;
	unsigned char at[];
};

struct arena {
	struct chunk *first, *now;
	size_t chunk_size;
};

struct value {
	float at, gradient;
	struct value *left, *right;
	float by_left, by_right;
	struct value *before; /* on the tape */
};

static uint64_t state;
static struct arena arena;
static struct value *last;
static float (*data)[LONGEST]; /* ROWS << 0 to 2 */
static size_t rows;

static uint64_t next(void)
{
	return drawn(&state);
}

static float any(void)
{
	return (float)(next() % 20001) / 10000 - 1;
}

static void *taken(size_t size)
{
	struct chunk *c = arena.now;
	if (!c || c->used + size > c->size) {
		struct chunk *after = c ? c->next : arena.first;
		if (!after) {
			after = malloc(sizeof(*after) + arena.chunk_size);
			if (!after)
				abort();
			after->next = NULL;
			after->size = arena.chunk_size;
			if (c)
				c->next = after;
			else
				arena.first = after;
		}
		after->used = 0;
		arena.now = c = after;
	}
	void *p = c->at + c->used;
	c->used += (size + 15) / 16 * 16;
	return p;
}

static struct value *value(float at, struct value *left, float by_left, struct value *right, float by_right)
{
	struct value *v = taken(sizeof(*v));
	*v = (struct value){at, 0, left, right, by_left, by_right, last};
	return last = v;
}

static struct value *sum(struct value *a, struct value *b)
{
	return value(a->at + b->at, a, 1, b, 1);
}

static struct value *product(struct value *a, struct value *b)
{
	return value(a->at * b->at, a, b->at, b, a->at);
}

static struct value *bent(struct value *a)
{
	float t = tanhf(a->at);
	return value(t, a, 1 - t * t, NULL, 0);
}

/* Leaves are no part of the tape. */
struct net {
	int width;
	struct value in[WIDTH_MOST], on[WIDTH_MOST * WIDTH_MOST], out[WIDTH_MOST];
};

static float learn(struct net *net, int length)
{
	arena.now = NULL;
	last = NULL;
	struct value *h[WIDTH_MOST];
	float wish = 0;
	const float *row = data[next() % rows];
	for (int i = 0; i < net->width; i++)
		h[i] = value(0, NULL, 0, NULL, 0);
	for (int step = 0; step < length; step++) {
		struct value *x = value(row[step], NULL, 0, NULL, 0), *new[WIDTH_MOST];
		wish = 0.5F * wish + 0.5F * x->at;
		for (int i = 0; i < net->width; i++) {
			struct value *all = product(x, &net->in[i]);
			for (int j = 0; j < net->width; j++)
				all = sum(all, product(h[j], &net->on[i * net->width + j]));
			new[i] = bent(all);
		}
		memcpy(h, new, sizeof(new));
	}
	struct value *guess = product(h[0], &net->out[0]);
	for (int i = 1; i < net->width; i++)
		guess = sum(guess, product(h[i], &net->out[i]));
	float gap = guess->at - wish;
	guess->gradient = gap;
	for (struct value *v = last; v; v = v->before) {
		if (v->left)
			v->left->gradient += v->gradient * v->by_left;
		if (v->right)
			v->right->gradient += v->gradient * v->by_right;
	}
	return gap * gap;
}

static void step(struct value *weights, int n)
{
	for (int i = 0; i < n; i++) {
		float g = weights[i].gradient;
		weights[i].at -= 0.01F * (g > 1 ? 1 : g < -1 ? -1 : g);
		weights[i].gradient = 0;
	}
}

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	state = lot_of(atoi(argv[1]));
	int epochs = atoi(argv[2]), start = atoi(argv[5]), ms = atoi(argv[6]);
	size_t size = (size_t)(atof(argv[3]) * 1024);
	static struct net net;
	net.width = 8 << next() % 2;
	net.width += (int)(next() % 8);
	arena.chunk_size = (size_t)64 << 10 << next() % 5;
	const char *line = next() % 2 ? "Epoch %d/%d loss %.5f\n" : "epoch %d of %d: loss=%.4f\n";
	rows = (size_t)ROWS << next() % 3;
	data = malloc(rows * sizeof(*data));
	if (!data)
		return 1;
	for (size_t i = 0; i < rows * LONGEST; i++)
		data[0][i] = any();
	for (int i = 0; i < net.width; i++) {
		net.in[i].at = any();
		net.out[i].at = any();
	}
	for (int i = 0; i < net.width * net.width; i++)
		net.on[i].at = any() / (float)net.width;
	for (int epoch = 0; epoch < epochs; epoch++) {
		double loss = 0;
		for (int batch = 0; batch < BATCHES; batch++) {
			int length = batch == 0 ? LONGEST : 3 + (int)(next() % (LONGEST - 2));
			for (int i = 0; i < 20; i++)
				loss += (double)learn(&net, length);
			step(net.in, net.width);
			step(net.on, net.width * net.width);
			step(net.out, net.width);
			sleep_ms(ms / BATCHES);
		}
		printf(line, epoch + 1, epochs, loss / BATCHES);
		fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
