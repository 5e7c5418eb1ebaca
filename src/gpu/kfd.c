/* SPDX-License-Identifier: MIT */
/* AMD's compute driver without any library: /sys/class/kfd/kfd/proc/PID/vram_GPUID is what a process holds on
 * a GPU, in bytes (Linux, kfd_process.c). The numbers are the host's, so a process namespace of our own rules
 * it out. Knows nothing of columns. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/open_files.h"
#include "gpu/sysfs.h"

#include "gpu/backend.h"

struct kfd_node {
	int number;
	uint64_t gpu_id;
	char pci[32];
};

struct kfd_state {
	struct gpu_env env;
	struct kfd_node *node;
	int n;
};

static uint64_t property(const char *text, const char *key)
{
	const char *value = gpu_sysfs_value(text, key);

	return value ? strtoull(value, NULL, 10) : 0;
}

/* A node without a gpu_id is a processor. */
static bool read_node(const struct gpu_env *env, int number, struct kfd_node *node)
{
	char text[4096];
	uint64_t at;

	*node = (struct kfd_node){.number = number};
	if (!gpu_sysfs_number(&node->gpu_id, "%s/class/kfd/kfd/topology/nodes/%d/gpu_id", env->sys_root,
			      number) ||
	    node->gpu_id == 0)
		return false;
	if (gpu_sysfs_read(text, sizeof(text), "%s/class/kfd/kfd/topology/nodes/%d/properties", env->sys_root,
			   number) < 0)
		return true;
	at = property(text, "location_id");
	snprintf(node->pci, sizeof(node->pci), "%04x:%02x:%02x.%x", (unsigned)property(text, "domain"),
		 (unsigned)(at >> 8) & 0xff, (unsigned)(at >> 3) & 0x1f, (unsigned)at & 7);
	return true;
}

static int by_number(const void *a, const void *b)
{
	return ((const struct kfd_node *)a)->number - ((const struct kfd_node *)b)->number;
}

static void find_nodes(struct kfd_state *s)
{
	struct kfd_node node;
	struct dirent *e;
	char path[256];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/kfd/kfd/topology/nodes", s->env.sys_root);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] < '0' || e->d_name[0] > '9' || !read_node(&s->env, atoi(e->d_name), &node))
			continue;
		s->node = xrealloc(s->node, (size_t)s->n + 1, sizeof(node));
		s->node[s->n++] = node;
	}
	if (dir)
		closedir(dir);
	if (s->n)
		qsort(s->node, (size_t)s->n, sizeof(s->node[0]), by_number);
}

static void kfd_close(void *state)
{
	struct kfd_state *s = state;

	free(s->node);
	free(s);
}

static bool kfd_possible(const struct gpu_env *env)
{
	return gpu_sysfs_exists("%s/class/kfd", env->sys_root);
}

static void *kfd_probe(const struct gpu_env *env, char *why, size_t why_size)
{
	struct kfd_state *s = xcalloc(1, sizeof(*s));

	s->env = *env;
	find_nodes(s);
	if (s->n > 0 && gpu_sysfs_initial_pids(env->proc_root))
		return s;
	snprintf(why, why_size, "%s",
		 s->n ? "processes have other numbers in this container" : "no AMD compute driver");
	kfd_close(s);
	return NULL;
}

/* Heaps 1 and 2 are the GPU's own memory, seen by the processor or not. */
static uint64_t node_bytes(const struct kfd_state *s, const struct kfd_node *node)
{
	uint64_t sum = 0;
	char text[1024];

	for (int bank = 0; bank < 8; bank++) {
		if (gpu_sysfs_read(text, sizeof(text),
				   "%s/class/kfd/kfd/topology/nodes/%d/mem_banks/%d/properties",
				   s->env.sys_root, node->number, bank) < 0)
			break;
		if (property(text, "heap_type") == 1 || property(text, "heap_type") == 2)
			sum += property(text, "size_in_bytes");
	}
	return sum;
}

static int kfd_devices(void *state, struct gpu_device_info *out, int max)
{
	struct kfd_state *s = state;
	char name[64];

	for (int i = 0; i < s->n && i < max; i++) {
		memset(&out[i], 0, sizeof(out[i]));
		out[i].mig = -1;
		out[i].used_bytes = UINT64_MAX;
		out[i].total_bytes = node_bytes(s, &s->node[i]);
		snprintf(out[i].pci, sizeof(out[i].pci), "%s", s->node[i].pci);
		if (gpu_sysfs_read(name, sizeof(name), "%s/class/kfd/kfd/topology/nodes/%d/name",
				   s->env.sys_root, s->node[i].number) > 1)
			name[strcspn(name, "\n")] = '\0';
		else
			snprintf(name, sizeof(name), "GPU");
		snprintf(out[i].name, sizeof(out[i].name), "AMD %s", name);
	}
	return s->n;
}

static void read_process(const struct kfd_state *s, pid_t pid, const bool *want, struct gpu_rows *rows)
{
	uint64_t bytes;

	for (int i = 0; i < s->n; i++)
		if ((!want || want[i]) &&
		    gpu_sysfs_number(&bytes, "%s/class/kfd/kfd/proc/%d/vram_%llu", s->env.sys_root, (int)pid,
				     (unsigned long long)s->node[i].gpu_id))
			gpu_rows_add(rows, i, pid, bytes);
}

static void kfd_sample(void *state, const struct gpu_ask *ask, struct gpu_answer *answer,
		       struct gpu_rows *rows)
{
	struct kfd_state *s = state;

	for (size_t i = 0; i < gpu_open_files_count(ask->fds); i++) {
		const struct gpu_fd_pid *p = gpu_open_files_at(ask->fds, i);

		if (ask->all || p->kfd || p->unreadable)
			read_process(s, p->pid, ask->want, rows);
	}
	for (int i = 0; i < s->n; i++)
		answer[i] = (struct gpu_answer){
		    .state = GPU_ANSWER_OK, .basis = GPU_BASIS_EXACT, .used_bytes = UINT64_MAX, .listed = -1};
}

const struct gpu_backend gpu_kfd = {
    .name = "kfd",
    .possible = kfd_possible,
    .probe = kfd_probe,
    .devices = kfd_devices,
    .sample = kfd_sample,
    .close = kfd_close,
};
