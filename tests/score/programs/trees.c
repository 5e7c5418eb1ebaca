/* SPDX-License-Identifier: MIT */
/* Boosting in C: in every epoch trees of small nodes are grown and freed, in an order of their own, by several threads.
 * trees SEED EPOCHS KEEP_KIB KIND START MS: with KEEP_KIB so much more is kept in every epoch from START on, in one
 * block (array), in nodes (small), five epochs' worth in every fifth (every5), or in twenty pieces (batches). */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "lot.h"

enum { NODES_MOST = 40000 };

struct node {
	struct node *left, *right;
	float *values;
};

struct grower {
	uint64_t state;
	struct node **nodes;
	int n;
	int ms;
};

static void *grow(void *arg)
{
	struct grower *g = arg;
	for (int i = 0; i < g->n; i++) {
		g->nodes[i] = filled(sizeof(struct node));
		g->nodes[i]->values = filled(16 + drawn(&g->state) % 500);
		if (i % (g->n / 20 + 1) == 0)
			sleep_ms(g->ms / 20);
	}
	for (int i = g->n - 1; i > 0; i--) {
		int j = (int)(drawn(&g->state) % (uint64_t)(i + 1));
		struct node *other = g->nodes[i];
		g->nodes[i] = g->nodes[j];
		g->nodes[j] = other;
	}
	for (int i = 0; i < g->n; i++) {
		free(g->nodes[i]->values);
		free(g->nodes[i]);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	uint64_t seed = 88172645463325252u + (uint64_t)atoi(argv[1]) * 2654435761u;
	int epochs = atoi(argv[2]), start = atoi(argv[5]);
	size_t size = (size_t)(atof(argv[3]) * 1024);
	struct grower growers[4];
	int threads = 1 + (int)(drawn(&seed) % 4);
	for (int i = 0; i < threads; i++)
		growers[i] = (struct grower){drawn(&seed), filled(NODES_MOST * sizeof(void *)), NODES_MOST / 4,
					     atoi(argv[6])};
	for (int epoch = 0; epoch < epochs; epoch++) {
		pthread_t ids[4];
		for (int i = 0; i < threads; i++) {
			growers[i].n = NODES_MOST / 4 + (int)(drawn(&seed) % (NODES_MOST / 2));
			if (pthread_create(&ids[i], NULL, grow, &growers[i]) != 0)
				abort();
		}
		for (int i = 0; i < threads; i++)
			pthread_join(ids[i], NULL);
		printf("Epoch %d/%d\n", epoch + 1, epochs);
		fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
	return 0;
}
