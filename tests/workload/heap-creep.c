/* SPDX-License-Identifier: MIT */
/* A heap that becomes larger in every epoch by about KIB: with "kept" the program keeps that much more; with "freed"
 * it needs that much more for a moment and frees it, but for the last block, so that malloc cannot give it back.
 *
 *     heap-creep kept|freed [EPOCHS [KIB [MS]]] */
#include "workload.h"

enum { BLOCK = 1000, BLOCKS_MAX = 1 << 16 };

static void *blocks[BLOCKS_MAX];
static size_t used;

static void take(size_t kib)
{
	for (size_t bytes = 0; bytes < kib * 1024 && used < BLOCKS_MAX; bytes += BLOCK + 16) {
		blocks[used] = malloc(BLOCK);
		memset(blocks[used++], 1, BLOCK);
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_args(argc - 1, argv + 1, (struct workload){14, 320, 200});
	int kept = argc > 1 && strcmp(argv[1], "kept") == 0;

	for (int epoch = 1; epoch <= w.epochs; epoch++) {
		workload_epoch_begin(&w, epoch);
		workload_sleep_ms(w.ms / 2);
		take(kept ? w.mib : w.mib * (size_t)epoch);
		if (!kept) {
			for (size_t i = 0; i + 1 < used; i++)
				free(blocks[i]);
			used = 0; /* the last block stays where it is */
		}
		workload_epoch_end(&w, epoch);
		workload_sleep_ms(w.ms / 2);
	}
	return 0;
}
