/* SPDX-License-Identifier: MIT */
/* A stand-in for a training run: a model, an epoch that uses and frees a batch, a line per epoch. Built twice:
 * ONCE_MIB is taken in the third epoch and kept, EACH_MIB is kept in every epoch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EPOCHS = 16, ONCE_EPOCH = 3, MODEL_MIB = 60, BATCH_MIB = 16, BATCH_MS = 150, PAUSE_MS = 100 };

static void pass_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* What is not freed is kept to the end of the program. */
static char *take(size_t mib)
{
	char *p = malloc(mib << 20);

	if (!p)
		exit(1);
	memset(p, 1, mib << 20);
	return p;
}

int main(void)
{
	take(MODEL_MIB);
	for (int epoch = 1; epoch <= EPOCHS; epoch++) {
		char *batch = take(BATCH_MIB);

		take(EACH_MIB);
		if (epoch == ONCE_EPOCH)
			take(ONCE_MIB);
		pass_ms(BATCH_MS);
		free(batch);
		pass_ms(PAUSE_MS);
		printf("Epoch %d/%d loss: %.4f\n", epoch, EPOCHS, 2.0 / (epoch + 1));
		fflush(stdout);
	}
	return 0;
}
