/* SPDX-License-Identifier: MIT */
/* Turns the members of the tree into one row: sums, PSS when it is due, and what is held. */
#include "host/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "host/pss.h"
#include "host/shared_once.h"
#include "host/tree.h"

enum { FDS_RESERVED = 64 };

struct host {
	struct tree tree;
	struct pss pss;
	struct shared_once_tree shared;
	pid_t *pids;
	size_t pid_count, pid_cap;
	int64_t last_ns, tick_ns; /* time of the last tick, time between the last two */
	int64_t cost_ns;          /* of the last tick, PSS left out */
};

struct sums {
	uint64_t rss, anon, file, shmem, swap;
	int64_t live;
	bool split;
};

static size_t descriptors_allowed(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur <= FDS_RESERVED)
		return 0;
	return lim.rlim_cur - FDS_RESERVED;
}

struct host *host_new(const struct host_conf *conf)
{
	struct host *h = xcalloc(1, sizeof(*h));
	/* libproc2 reads /proc and nothing else. */
	tree_list_fn *list = conf->proc_root ? NULL : process_list_read;
	int err = tree_init(&h->tree, conf->proc_root ? conf->proc_root : "/proc", conf->children,
			    descriptors_allowed(), list);

	shared_once_tree_init(&h->shared);
	if (!err)
		return h;
	free(h);
	errno = -err;
	return NULL;
}

void host_free(struct host *h)
{
	if (!h)
		return;
	tree_free(&h->tree);
	free(h->pids);
	free(h);
}

pid_t host_add_root(struct host *h, pid_t pid)
{
	return tree_add_root(&h->tree, pid);
}

int host_adopt_children_of(struct host *h, pid_t pid, bool (*ignore)(void *ctx, pid_t pid), void *ctx)
{
	return tree_adopt(&h->tree, pid, ignore, ctx);
}

void host_epoch_ended(struct host *h)
{
	h->pss.wanted = true;
}

/* A member that lived in the last tick and does no more leaves what it shared to the others. */
static void note_leavers(struct host *h)
{
	for (size_t i = 0; i < h->tree.count; i++) {
		struct process *m = &h->tree.members[i];

		if (m->was_live && !m->live)
			shared_once_left(&h->shared, &m->shared, &m->last);
	}
}

/* What is there at the first tick is counted in full until it is read; what comes later was forked. */
static void note_newcomers(struct host *h, size_t from)
{
	for (size_t i = from; i < h->tree.count; i++) {
		struct process *m = &h->tree.members[i];
		const struct process *parent = h->last_ns ? tree_find(&h->tree, m->ppid) : NULL;

		shared_once_born(&h->shared, &m->shared, &m->now, parent ? &parent->now : NULL);
		if (h->pss.active)
			m->pass = h->pss.pass;
	}
}

static void add_member(struct host *h, struct sums *s, struct process *m)
{
	m->seen_ticks++;
	if (!m->live)
		return;
	h->pids[h->pid_count++] = m->pid;
	s->live++;
	if (!m->now.mm)
		return;
	s->rss += m->now.rss;
	s->anon += m->now.anon;
	s->file += m->now.file;
	s->shmem += m->now.shmem;
	s->swap += m->now.swap;
	s->split = s->split && m->now.split;
}

static void sum_shared(struct host *h, int64_t now_ns)
{
	shared_once_sum_begin(&h->shared, now_ns);
	for (size_t i = 0; i < h->tree.count; i++) {
		struct process *m = &h->tree.members[i];

		if (m->live && m->now.mm)
			shared_once_sum_add(&h->shared, &m->shared, &m->now);
	}
	shared_once_sum_end(&h->shared);
}

static void sum_up(struct host *h, int64_t now_ns, struct sums *s)
{
	if (h->pid_cap < h->tree.count) {
		h->pid_cap = h->tree.cap;
		h->pids = xrealloc(h->pids, h->pid_cap, sizeof(*h->pids));
	}
	*s = (struct sums){.split = true};
	h->pid_count = 0;
	for (size_t i = 0; i < h->tree.count; i++)
		add_member(h, s, &h->tree.members[i]);
	sum_shared(h, now_ns);
}

/* PSS of this tick, if a pass ends in it; the sums of held memory then follow the pass. */
static struct reading step_pss(struct host *h, int64_t now_ns, struct sums *s)
{
	struct reading pss = {0};
	bool believed;

	if (pss_step(&h->pss, &h->tree, now_ns, h->tick_ns, h->cost_ns) != PSS_DONE)
		return pss;
	sum_shared(h, now_ns);
	believed = shared_once_pass_end(&h->shared, h->pss.changes == h->tree.changes, s->live);
	for (size_t i = 0; i < h->tree.count; i++) {
		struct process *m = &h->tree.members[i];

		shared_once_commit(&h->shared, &m->shared, &m->now, believed, s->live);
	}
	h->pss.wanted = h->pss.wanted || h->shared.doubt;
	return (struct reading){.bytes = h->pss.sum_bytes, .ok = !h->pss.unknown};
}

static struct reading known(uint64_t bytes, bool ok)
{
	return (struct reading){.bytes = ok ? bytes : 0, .ok = ok};
}

int host_read(struct host *h, int64_t now_ns, struct sample *out)
{
	int64_t begun = clock_mono_ns();
	struct sums s;
	size_t old;

	if (h->last_ns && !h->tick_ns && h->tree.list == process_list_read)
		process_list_prepare(); /* at the second tick: the first row does not wait for it */
	h->tick_ns = h->last_ns ? now_ns - h->last_ns : 0;
	tree_refresh(&h->tree);
	note_leavers(h);
	tree_sweep(&h->tree);
	old = h->tree.count;
	tree_discover(&h->tree, now_ns);
	note_newcomers(h, h->last_ns ? old : 0);
	sum_up(h, now_ns, &s);
	h->pss.hurry = shared_once_unsure(&h->shared);
	h->cost_ns = clock_mono_ns() - begun;

	out->procs = s.live;
	out->v[CH_RSS] = known(s.rss, true);
	out->v[CH_ANON] = known(s.anon, s.split);
	out->v[CH_FILE] = known(s.file, s.split);
	out->v[CH_SHMEM] = known(s.shmem, s.split);
	out->v[CH_SWAP] = known(s.swap, true);
	out->v[CH_PSS] = step_pss(h, now_ns, &s);
	out->v[CH_HELD] = known(shared_once_sum_total(&h->shared, s.live), true);
	h->last_ns = now_ns;
	return s.live ? 0 : -ESRCH;
}

size_t host_pids(const struct host *h, const pid_t **out)
{
	*out = h->pids;
	return h->pid_count;
}

size_t host_count(const struct host *h)
{
	return h->tree.count;
}

void host_process(const struct host *h, size_t index, struct host_process *out)
{
	const struct process *m = &h->tree.members[index];
	struct shared_once_process shared = m->shared;

	*out = (struct host_process){
	    .pid = m->pid, .ppid = m->ppid, .root = m->root, .live = m->live, .seen_ticks = m->seen_ticks};
	memcpy(out->name, m->name, sizeof(out->name));
	if (!m->live || !m->now.mm)
		return;
	out->rss = m->now.rss;
	out->anon = m->now.anon;
	out->file = m->now.file;
	out->shmem = m->now.shmem;
	out->swap = m->now.swap;
	out->mapped_bytes = shared_once_mapped(&m->now);
	out->held_bytes =
	    h->pid_count <= 1 ? shared_once_mapped(&m->now) : shared_once_count(&h->shared, &shared, &m->now);
}

bool host_lives(const struct host *h, pid_t pid)
{
	for (size_t i = 0; i < h->tree.count; i++)
		if (h->tree.members[i].pid == pid && h->tree.members[i].live)
			return true;
	return false;
}

void host_totals(const struct host *h, struct host_totals *out)
{
	*out = (struct host_totals){.processes_seen = h->tree.seen, .pss_errno = h->pss.error};
}
