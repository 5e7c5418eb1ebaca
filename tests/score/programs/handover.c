/* SPDX-License-Identifier: MIT */
/* Sparse examples in C: threads parse lines into examples of many small blocks and hand them over in a ring to other threads,
 * which learn from them and free them, so that what one thread's arena gave comes back from another.
 * handover SEED EPOCHS KEEP_KIB KIND START MS: the arguments of trees.c. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kept.h"
#include "lot.h"

enum { PAIRS_MOST = 3, WEIGHTS = 1 << 20, FEATURES_MOST = 120, RING_MOST = 4096 };

struct feature {
	struct feature *next;
	char *name;
	float value;
};

struct example {
	struct feature *features;
	float wish;
};

struct ring {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct example *slots[RING_MOST];
	int first, n, least, parsers; /* learners wait for so many, to mix them */
	float *weights;
	double loss;
};

struct parser {
	struct ring *ring;
	uint64_t state;
	int examples, ms;
};

static struct example *parsed(uint64_t *state)
{
	struct example *e = filled(sizeof(*e));
	int n = 5 + (int)(drawn(state) % FEATURES_MOST);
	*e = (struct example){.wish = n > FEATURES_MOST / 2};
	for (int i = 0; i < n; i++) {
		struct feature *f = filled(sizeof(*f));
		size_t length = 8 + drawn(state) % 40;
		f->name = filled(length);
		snprintf(f->name, length, "%llx", (unsigned long long)drawn(state) >> 40);
		f->value = (float)(drawn(state) % 100) / 100;
		f->next = e->features;
		e->features = f;
	}
	return e;
}

static void put(struct ring *r, struct example *e)
{
	pthread_mutex_lock(&r->lock);
	while (r->n == RING_MOST)
		pthread_cond_wait(&r->changed, &r->lock);
	r->slots[(r->first + r->n++) % RING_MOST] = e;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

/* -> NULL: nobody parses any more */
static struct example *taken(struct ring *r)
{
	struct example *e = NULL;
	pthread_mutex_lock(&r->lock);
	while (r->parsers > 0 && r->n <= r->least)
		pthread_cond_wait(&r->changed, &r->lock);
	if (r->n > 0) {
		e = r->slots[r->first];
		r->first = (r->first + 1) % RING_MOST;
		r->n--;
		pthread_cond_broadcast(&r->changed);
	}
	pthread_mutex_unlock(&r->lock);
	return e;
}

static void *parse(void *arg)
{
	struct parser *p = arg;
	for (int i = 0; i < p->examples; i++) {
		put(p->ring, parsed(&p->state));
		if (i % (p->examples / 20 + 1) == 0)
			sleep_ms(p->ms / 20);
	}
	pthread_mutex_lock(&p->ring->lock);
	p->ring->parsers--;
	pthread_cond_broadcast(&p->ring->changed);
	pthread_mutex_unlock(&p->ring->lock);
	return NULL;
}

static uint32_t place(const char *name)
{
	uint32_t hash = 2166136261u;
	while (*name)
		hash = (hash ^ (uint8_t)*name++) * 16777619u;
	return hash % WEIGHTS;
}

static double learnt(struct example *e, float *weights)
{
	float sum = 0;
	for (struct feature *f = e->features; f; f = f->next)
		sum += f->value * weights[place(f->name)];
	float gap = 1 / (1 + expf(-sum)) - e->wish;
	for (struct feature *f = e->features, *next; f; f = next) {
		next = f->next;
		weights[place(f->name)] -= 0.05F * gap * f->value;
		free(f->name);
		free(f);
	}
	free(e);
	return (double)(gap * gap);
}

static void *learn(void *arg)
{
	struct ring *r = arg;
	double loss = 0;
	for (struct example *e = taken(r); e; e = taken(r))
		loss += learnt(e, r->weights);
	pthread_mutex_lock(&r->lock);
	r->loss += loss;
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	uint64_t state = lot_of(atoi(argv[1]));
	int epochs = atoi(argv[2]), start = atoi(argv[5]), ms = atoi(argv[6]);
	size_t size = (size_t)(atof(argv[3]) * 1024);
	static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
	int pairs = 1 + (int)(drawn(&state) % PAIRS_MOST), examples = 6000 << drawn(&state) % 2;
	bool anew = drawn(&state) % 2; /* threads start in every epoch with another number of examples */
	ring.least = 1800 + (int)(drawn(&state) % 1200);
	ring.weights = filled(WEIGHTS * sizeof(float));
	memset(ring.weights, 0, WEIGHTS * sizeof(float));
	const char *line =
	    drawn(&state) % 2 ? "Epoch %d/%d squared loss %.5f\n" : "[epoch %d of %d] loss %.5f\n";
	for (int epoch = 0; epoch < epochs; epoch++) {
		struct parser parsers[PAIRS_MOST];
		pthread_t ids[2 * PAIRS_MOST];
		ring.parsers = pairs;
		ring.loss = 0;
		for (int i = 0; i < pairs; i++) {
			int n = anew ? examples / 2 + (int)(drawn(&state) % (uint64_t)examples) : examples;
			parsers[i] = (struct parser){&ring, drawn(&state), n / pairs, ms};
			pthread_create(&ids[2 * i], NULL, parse, &parsers[i]);
			pthread_create(&ids[2 * i + 1], NULL, learn, &ring);
		}
		for (int i = 0; i < 2 * pairs; i++)
			pthread_join(ids[i], NULL);
		printf(line, epoch + 1, epochs, ring.loss / examples);
		fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
}
