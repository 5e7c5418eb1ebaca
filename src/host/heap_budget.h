/* SPDX-License-Identifier: MIT */
/* When heaps are walked and what that may cost. Pure: it is told the time and what was spent. */
#ifndef HOST_HEAP_BUDGET_H
#define HOST_HEAP_BUDGET_H

#include "host/heap.h"

struct heap_outcome { /* of one walk of the tree */
	enum heap_state state;
	bool quick;
	bool quick_next; /* the next one may be: forks are always counted block by block */
	int64_t cpu_ns;
};

struct heap_budget {
	int64_t credit_ns, credited_ns; /* what may be spent, and when that was reckoned */
	int64_t spent_ns;               /* so far */
	int64_t asked_ns;               /* what the walk under way may take; 0 none is */
	int64_t need_ns, quick_ns;      /* what the next walk will take, whole or quick */
	int64_t first_ns, last_ns;      /* asked, and asked for a walk; 0 never */
	int64_t end_ns;                 /* the last end of an epoch; 0 none */
	int64_t epoch_ns; /* how long the one that ends now has lasted; 0 not known, or none ends */
	bool walked;      /* the last walk gave a number */
	bool given_up;    /* the last whole one took too long */
	bool quick_next;  /* the next one may be quick */
};

void heap_budget_init(struct heap_budget *b);
/* Time has passed. */
void heap_budget_pass(struct heap_budget *b, int64_t now_ns, enum heap_moment moment);

/* Looks have taken so much. */
void heap_budget_spend_looks(struct heap_budget *b, int64_t cpu_ns);

bool heap_budget_is_due(const struct heap_budget *b, int64_t now_ns, enum heap_moment moment);
/* Where a whole walk is too dear at this end of an epoch, what changes fastest may still be read. */
bool heap_budget_is_quick_due(const struct heap_budget *b, enum heap_moment moment);
/* A walk begins. Returns what it may take. */
int64_t heap_budget_ask(struct heap_budget *b, int64_t now_ns);
/* What the epoch that begins may spend on looks, if it lasts for so long. */
int64_t heap_budget_spare_ns(const struct heap_budget *b, int64_t epoch_ns);

void heap_budget_spend_walk(struct heap_budget *b, const struct heap_outcome *o);

#endif
