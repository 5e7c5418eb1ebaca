/* SPDX-License-Identifier: MIT */
/* AMD and Intel GPUs without any library: the kernel's own accounting in /proc/PID/fdinfo of each open
 * /dev/dri file (the kernel's drm-usage-stats document). NVIDIA's modules write no such keys. Knows nothing
 * of threads or columns. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/open_files.h"
#include "gpu/sysfs.h"

#include "gpu/backend.h"

enum { REGIONS_MAX = 12, FDINFO_BYTES = 8192 };

struct drm_card {
	int number; /* N of cardN */
	char driver[16], pci[32];
	bool shared; /* has no memory of its own to speak of: the system pages it holds count too */
};

struct drm_client { /* already counted */
	int device;
	uint64_t id;
};

struct drm_state {
	struct gpu_env env;
	struct drm_card *card;
	int n;
	struct drm_client *client;
	size_t n_client, cap_client;
};

struct drm_region {
	char name[16];
	int rank; /* of the key its figure is from: resident 3, memory 2, total 1 */
	uint64_t bytes;
};

struct drm_usage { /* one fdinfo file */
	char pdev[32];
	uint64_t id;
	bool has_id, has_memory;
	uint64_t own_bytes;    /* vram*, local* */
	uint64_t system_bytes; /* gtt, system*, stolen* */
};

static bool starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* "512 KiB" -> bytes; without a unit it is bytes already. */
static uint64_t parse_amount(const char *s)
{
	char *end;
	uint64_t v = strtoull(s, &end, 10);

	while (*end == ' ')
		end++;
	return starts(end, "KiB") ? v << 10 : starts(end, "MiB") ? v << 20 : v;
}

static void add_region(struct drm_region *regions, int *n, const char *name, size_t len, int rank,
		       uint64_t bytes)
{
	int i = 0;

	while (i < *n && (strlen(regions[i].name) != len || strncmp(regions[i].name, name, len) != 0))
		i++;
	if (i == REGIONS_MAX || len >= sizeof(regions[0].name))
		return;
	if (i == *n) {
		regions[i] = (struct drm_region){0};
		memcpy(regions[i].name, name, len);
		(*n)++;
	}
	if (rank > regions[i].rank) {
		regions[i].rank = rank;
		regions[i].bytes = bytes;
	}
}

static void parse_memory_line(const char *line, struct drm_region *regions, int *n)
{
	static const char *const keys[] = {NULL, "drm-total-", "drm-memory-", "drm-resident-"};

	for (int rank = 1; rank <= 3; rank++) {
		const char *name = line + strlen(keys[rank]), *colon;

		if (!starts(line, keys[rank]))
			continue;
		colon = strchr(name, ':');
		if (colon)
			add_region(regions, n, name, (size_t)(colon - name), rank,
				   parse_amount(colon + 1 + strspn(colon + 1, " \t")));
	}
}

static void sum_regions(const struct drm_region *regions, int n, struct drm_usage *u)
{
	for (int i = 0; i < n; i++) {
		const char *name = regions[i].name;

		if (starts(name, "vram") || starts(name, "local"))
			u->own_bytes += regions[i].bytes;
		else if (starts(name, "gtt") || starts(name, "system") || starts(name, "stolen"))
			u->system_bytes += regions[i].bytes;
	}
	u->has_memory = n > 0;
}

/* text is changed. False: not a GPU's file. */
static bool parse_fdinfo(char *text, struct drm_usage *u)
{
	struct drm_region regions[REGIONS_MAX];
	int n = 0;

	memset(u, 0, sizeof(*u));
	for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "drm-pdev: %31s", u->pdev) == 1)
			continue;
		if (starts(line, "drm-client-id:")) {
			u->id = strtoull(line + strlen("drm-client-id:"), NULL, 10);
			u->has_id = true;
		}
		parse_memory_line(line, regions, &n);
	}
	sum_regions(regions, n, u);
	return u->pdev[0] && u->has_memory;
}

static void copy_value(char *out, size_t size, const char *text, const char *key)
{
	const char *value = gpu_sysfs_value(text, key);

	snprintf(out, size, "%.*s", value ? (int)strcspn(value, "\n") : 0, value ? value : "");
}

static bool read_card(const struct gpu_env *env, int number, struct drm_card *card)
{
	char text[1024];
	uint64_t vram;

	if (gpu_sysfs_read(text, sizeof(text), "%s/class/drm/card%d/device/uevent", env->sys_root, number) <
	    0)
		return false;
	memset(card, 0, sizeof(*card));
	card->number = number;
	copy_value(card->driver, sizeof(card->driver), text, "DRIVER");
	copy_value(card->pci, sizeof(card->pci), text, "PCI_SLOT_NAME");
	if (strcmp(card->driver, "amdgpu") == 0) {
		/* Only boards with memory chips of their own name the maker of these; an APU lives in gtt (25
		 * GB against 5 MB, nvtop#492). */
		card->shared =
		    gpu_sysfs_read(text, sizeof(text), "%s/class/drm/card%d/device/mem_info_vram_vendor",
				   env->sys_root, number) < 0 &&
		    gpu_sysfs_number(&vram, "%s/class/drm/card%d/device/mem_info_gtt_total", env->sys_root,
				     number);
		return true;
	}
	if (strcmp(card->driver, "xe") != 0 && strcmp(card->driver, "i915") != 0)
		return false;
	card->shared = strcmp(card->pci, "0000:00:02.0") == 0; /* where Intel's integrated GPU always sits */
	return true;
}

static int by_number(const void *a, const void *b)
{
	return ((const struct drm_card *)a)->number - ((const struct drm_card *)b)->number;
}

static void find_cards(struct drm_state *s)
{
	char path[256];
	struct drm_card card;
	struct dirent *e;
	int number, used;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/drm", s->env.sys_root);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		if (sscanf(e->d_name, "card%d%n", &number, &used) != 1 || e->d_name[used] ||
		    !read_card(&s->env, number, &card))
			continue;
		s->card = xrealloc(s->card, (size_t)s->n + 1, sizeof(card));
		s->card[s->n++] = card;
	}
	if (dir)
		closedir(dir);
	if (s->n)
		qsort(s->card, (size_t)s->n, sizeof(s->card[0]), by_number);
}

static void drm_close(void *state)
{
	struct drm_state *s = state;

	free(s->card);
	free(s->client);
	free(s);
}

static bool drm_possible(const struct gpu_env *env)
{
	char path[256];
	struct dirent *e;
	bool card = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/drm", env->sys_root);
	dir = opendir(path);
	while (dir && !card && (e = readdir(dir)))
		card = strncmp(e->d_name, "card", 4) == 0;
	if (dir)
		closedir(dir);
	return card;
}

static void *drm_probe(const struct gpu_env *env, char *why, size_t why_size)
{
	struct drm_state *s = xcalloc(1, sizeof(*s));

	s->env = *env;
	find_cards(s);
	if (s->n > 0)
		return s;
	snprintf(why, why_size, "no GPU of amdgpu, xe or i915");
	drm_close(s);
	return NULL;
}

static uint64_t card_number(const struct drm_state *s, const struct drm_card *c, const char *file)
{
	uint64_t v;

	return gpu_sysfs_number(&v, "%s/class/drm/card%d/device/%s", s->env.sys_root, c->number, file) ? v
												       : 0;
}

static void name_card(const struct drm_state *s, const struct drm_card *c, struct gpu_device_info *out)
{
	bool amd = strcmp(c->driver, "amdgpu") == 0;
	char text[1024], id[32];

	if (gpu_sysfs_read(out->name, sizeof(out->name), "%s/class/drm/card%d/device/product_name",
			   s->env.sys_root, c->number) > 1) {
		out->name[strcspn(out->name, "\n")] = '\0';
	} else {
		gpu_sysfs_read(text, sizeof(text), "%s/class/drm/card%d/device/uevent", s->env.sys_root,
			       c->number);
		copy_value(id, sizeof(id), text, "PCI_ID");
		snprintf(out->name, sizeof(out->name), "%s GPU %s", amd ? "AMD" : "Intel", id);
	}
	if (gpu_sysfs_read(out->uuid, sizeof(out->uuid), "%s/class/drm/card%d/device/unique_id",
			   s->env.sys_root, c->number) > 1)
		out->uuid[strcspn(out->uuid, "\n")] = '\0';
	else
		out->uuid[0] = '\0';
}

static int drm_devices(void *state, struct gpu_device_info *out, int max)
{
	struct drm_state *s = state;

	for (int i = 0; i < s->n && i < max; i++) {
		const struct drm_card *c = &s->card[i];

		memset(&out[i], 0, sizeof(out[i]));
		out[i].mig = -1;
		out[i].integrated = c->shared && strcmp(c->driver, "amdgpu") != 0;
		out[i].used_bytes = UINT64_MAX;
		snprintf(out[i].pci, sizeof(out[i].pci), "%s", c->pci);
		name_card(s, c, &out[i]);
		out[i].total_bytes = card_number(s, c, "mem_info_vram_total");
		if (c->shared)
			out[i].total_bytes += card_number(s, c, "mem_info_gtt_total");
	}
	return s->n;
}

/* Descriptors are duplicated and inherited: one client is counted once for the whole tree. */
static bool counted_before(struct drm_state *s, int device, uint64_t id)
{
	for (size_t i = 0; i < s->n_client; i++)
		if (s->client[i].device == device && s->client[i].id == id)
			return true;
	if (s->n_client == s->cap_client) {
		s->cap_client = s->cap_client ? 2 * s->cap_client : 16;
		s->client = xrealloc(s->client, s->cap_client, sizeof(s->client[0]));
	}
	s->client[s->n_client++] = (struct drm_client){.device = device, .id = id};
	return false;
}

static int device_at(const struct drm_state *s, const char *pci)
{
	int i = 0;

	while (i < s->n && strcasecmp(s->card[i].pci, pci) != 0)
		i++;
	return i < s->n ? i : -1;
}

static void add_usage(struct drm_state *s, const struct drm_usage *u, pid_t pid, size_t from,
		      struct gpu_rows *rows)
{
	int device = device_at(s, u->pdev);
	uint64_t bytes;
	size_t i;

	if (device < 0 || (u->has_id && counted_before(s, device, u->id)))
		return;
	bytes = u->own_bytes + (s->card[device].shared ? u->system_bytes : 0);
	for (i = from; i < rows->n && rows->row[i].device != device; i++)
		;
	if (i == rows->n)
		gpu_rows_add(rows, device, pid, bytes);
	else if (u->has_id)
		rows->row[i].bytes += bytes;
	else if (bytes > rows->row[i].bytes) /* old kernels: duplicates cannot be told, so the largest */
		rows->row[i].bytes = bytes;
}

static void drm_sample(void *state, const struct gpu_ask *ask, struct gpu_answer *answer,
		       struct gpu_rows *rows)
{
	struct drm_state *s = state;
	char text[FDINFO_BYTES];
	struct drm_usage u;
	bool hidden = false;

	s->n_client = 0;
	for (size_t i = 0; i < gpu_open_files_count(ask->fds); i++) {
		const struct gpu_fd_pid *p = gpu_open_files_at(ask->fds, i);
		size_t from = rows->n;

		hidden |= p->unreadable;
		for (int f = 0; f < p->n_drm; f++) {
			int got = gpu_sysfs_read(text, sizeof(text), "%s/%d/fdinfo/%d", s->env.proc_root,
						 (int)p->pid, p->drm[f]);

			hidden |= got == -EACCES || got == -EPERM;
			if (got > 0 && parse_fdinfo(text, &u))
				add_usage(s, &u, p->pid, from, rows);
		}
	}
	if (hidden)
		gpu_note(s->env.notes,
			 "GPU: another user's process: what it holds on AMD and Intel GPUs cannot be read");
	for (int i = 0; i < s->n; i++) {
		uint64_t used =
		    ask->want && !ask->want[i] ? 0 : card_number(s, &s->card[i], "mem_info_vram_used");

		answer[i] = (struct gpu_answer){
		    .state = hidden ? GPU_ANSWER_ABSENT : GPU_ANSWER_OK,
		    .basis = GPU_BASIS_EXACT,
		    .used_bytes = used ? used : UINT64_MAX,
		    .listed = -1,
		};
	}
}

static void drm_describe(void *state, struct gpu_facts *f)
{
	static const char *const keys[] = {"card_1", "card_2", "card_3", "card_4",
					   "card_5", "card_6", "card_7", "card_8"};
	struct drm_state *s = state;

	for (int i = 0; i < s->n && i < 8; i++)
		gpu_fact(f, keys[i], "card%d %s %s%s", s->card[i].number, s->card[i].driver, s->card[i].pci,
			 s->card[i].shared ? ", shares the machine's memory" : "");
}

const struct gpu_backend gpu_drm = {
    .name = "drm",
    .possible = drm_possible,
    .probe = drm_probe,
    .devices = drm_devices,
    .sample = drm_sample,
    .describe = drm_describe,
    .close = drm_close,
};
