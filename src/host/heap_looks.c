/* SPDX-License-Identifier: MIT */
/* Spreads looks over an epoch. */
#include "host/heap_looks.h"

#include "base/clock.h"

#define LOOK_FIRST_NS (NS_PER_MS / 5) /* as much is expected of the first look, and at least */
#define LOOK_LEAST_NS NS_PER_MS       /* between two */

void heap_looks_init(struct heap_looks *l)
{
	*l = (struct heap_looks){.cost_ns = LOOK_FIRST_NS};
}

void heap_looks_plan(struct heap_looks *l, int64_t now_ns, int64_t epoch_ns, int64_t spare_ns)
{
	int64_t looks = spare_ns / l->cost_ns;

	l->spare_ns = spare_ns;
	l->left = looks < HEAP_LOOKS_MAX ? (int)looks : HEAP_LOOKS_MAX;
	l->pause_ns = epoch_ns / (l->left + 1);
	if (l->pause_ns < LOOK_LEAST_NS)
		l->pause_ns = LOOK_LEAST_NS;
	l->next_ns = now_ns + l->pause_ns;
}

bool heap_looks_are_due(const struct heap_looks *l, int64_t now_ns)
{
	return l->left > 0 && now_ns >= l->next_ns;
}

/* Half to one and a half, so that looks do not keep step with the batches. */
static int64_t uneven(int64_t ns, int number)
{
	return ns / 2 + ns * (number * 618 % 1000) / 1000;
}

void heap_looks_begin(struct heap_looks *l, int64_t now_ns)
{
	l->left--;
	l->next_ns = now_ns + uneven(l->pause_ns, l->left);
}

void heap_looks_end(struct heap_looks *l, int64_t cpu_ns, bool go_on)
{
	l->spent_ns += cpu_ns;
	l->cost_ns = cpu_ns > LOOK_FIRST_NS ? cpu_ns : LOOK_FIRST_NS;
	l->spare_ns -= cpu_ns;
	if (!go_on || l->spare_ns < l->cost_ns)
		l->left = 0;
}
