/* SPDX-License-Identifier: MIT */
/* AMD and Intel devices from made /proc and /sys trees. */
#include "gpu/drm.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/clock.h"
#include "gpu_world.h"

static void card(const struct world *w, int number, const char *driver, const char *pci, const char *id)
{
	char text[256];

	snprintf(text, sizeof(text), "DRIVER=%s\nPCI_CLASS=30000\nPCI_ID=%s\nPCI_SLOT_NAME=%s\n", driver, id,
		 pci);
	world_file(w, text, "sys/class/drm/card%d/device/uevent", number);
}

static void amd_card(const struct world *w, int number, const char *pci, bool apu)
{
	card(w, number, "amdgpu", pci, "1002:744C");
	world_file(w, "25753026560\n", "sys/class/drm/card%d/device/mem_info_vram_total", number);
	world_file(w, "1000000\n", "sys/class/drm/card%d/device/mem_info_vram_used", number);
	world_file(w, "33541324800\n", "sys/class/drm/card%d/device/mem_info_gtt_total", number);
	if (!apu)
		world_file(w, "samsung\n", "sys/class/drm/card%d/device/mem_info_vram_vendor", number);
}

static void client(const struct world *w, int pid, int fd, const char *text)
{
	world_link(w, "/dev/dri/renderD128", "proc/%d/fd/%d", pid, fd);
	world_file(w, text, "proc/%d/fdinfo/%d", pid, fd);
}

/* The cells of one sample of the tree 100, 101, "-" absent. */
static const char *cells_of(struct world *w, const char *which, struct gpu_devices *set)
{
	static char text[256];
	const pid_t pids[] = {100, 101};
	struct gpu_env env = world_env(w);
	struct gpu_open_files *fds = gpu_open_files_new(w->proc, w->dev);
	struct gpu_ask ask = {.pids = pids, .n = 2, .fds = fds, .now_ns = NS_PER_S};
	struct gpu_cell cell[8];
	char why[GPU_WHY_MAX];

	env.nvml_file = "/nonexistent/libnvidia-ml.so.1";
	assert_int_equal(gpu_devices_open(set, &env, which, why, sizeof(why)), 0);
	gpu_open_files_update(fds, pids, 2, NS_PER_S);
	gpu_devices_sample(set, &ask, cell);
	text[0] = '\0';
	for (int i = 0; i < set->n; i++)
		snprintf(text + strlen(text), 32, "%s%lld", i ? " " : "",
			 cell[i].tree.ok ? (long long)cell[i].tree.bytes : -1);
	gpu_open_files_free(fds);
	return text;
}

static const struct {
	const char *name, *fdinfo;
	bool found;
	uint64_t own_bytes, system_bytes;
} texts[] = {
    {"amdgpu, resident before memory",
     "pos:\t0\ndrm-driver:\tamdgpu\ndrm-client-id:\t8\ndrm-pdev:\t0000:03:00.0\ndrm-total-vram:\t9000 KiB\n"
     "drm-memory-vram:\t700 KiB\ndrm-resident-vram:\t600 KiB\ndrm-memory-gtt: \t20 KiB\ndrm-memory-cpu: "
     "\t500 KiB\n",
     true, 600 << 10, 20 << 10},
    {"amdgpu, older kernel", "drm-pdev:\t0000:03:00.0\ndrm-memory-vram:\t3 MiB\ndrm-memory-gtt:\t1 MiB\n",
     true, 3 << 20, 1 << 20},
    {"xe",
     "drm-pdev:\t0000:03:00.0\ndrm-client-id:\t1\ndrm-total-vram0:\t5 "
     "MiB\ndrm-resident-vram0:\t4096\ndrm-resident-system:\t8 KiB\n",
     true, 4096, 8 << 10},
    {"i915",
     "drm-pdev:\t0000:03:00.0\ndrm-total-local0:\t7 KiB\ndrm-resident-system0:\t1 "
     "KiB\ndrm-resident-stolen-system0:\t1 KiB\n",
     true, 7 << 10, 2 << 10},
    {"order does not matter", "drm-resident-vram:\t1 KiB\ndrm-total-vram:\t9 KiB\ndrm-pdev:\t0000:03:00.0\n",
     true, 1 << 10, 0},
    {"no memory keys", "drm-driver:\tamdgpu\ndrm-pdev:\t0000:03:00.0\n", false, 0, 0},
    {"not a GPU", "pos:\t0\nflags:\t02\n", false, 0, 0},
    {"empty", "", false, 0, 0},
};

static void fdinfo_is_parsed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[1024];
		struct drm_usage u;

		snprintf(text, sizeof(text), "%s", texts[i].fdinfo);
		assert_int_equal(parse_fdinfo(text, &u), texts[i].found);
		if (!texts[i].found)
			continue;
		assert_string_equal(u.pdev, "0000:03:00.0");
		assert_int_equal(u.own_bytes, texts[i].own_bytes);
		assert_int_equal(u.system_bytes, texts[i].system_bytes);
	}
}

/* A duplicated and an inherited descriptor are the same client; another client of the same process adds up. */
static void a_client_counts_once_in_the_tree(void **state)
{
	static const char *const seven =
	    "drm-pdev: 0000:03:00.0\ndrm-client-id: 7\ndrm-resident-vram: 100\ndrm-resident-gtt: 5\n";
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	amd_card(&w, 0, "0000:03:00.0", false);
	client(&w, 100, 4, seven);
	client(&w, 100, 5, seven);
	client(&w, 101, 4, seven);
	client(&w, 101, 6, "drm-pdev: 0000:03:00.0\ndrm-client-id: 9\ndrm-resident-vram: 30\n");
	assert_string_equal(cells_of(&w, "auto", &set), "130");
	assert_int_equal(set.device[0].total_bytes, 25753026560);
	assert_string_equal(set.device[0].name, "AMD GPU 1002:744C");
	assert_string_equal(set.device[0].pci, "0000:03:00.0");
	gpu_devices_close(&set);
	world_close(&w);
}

static void without_ids_the_largest_counts(void **state)
{
	static const char *const text = "drm-pdev: 0000:03:00.0\ndrm-memory-vram: 100\n";
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	amd_card(&w, 0, "0000:03:00.0", false);
	client(&w, 100, 4, text);
	client(&w, 100, 5, text);
	client(&w, 101, 4, "drm-pdev: 0000:03:00.0\ndrm-memory-vram: 30\n");
	assert_string_equal(cells_of(&w, "auto", &set), "130");
	gpu_devices_close(&set);
	world_close(&w);
}

static void an_apu_holds_system_pages(void **state)
{
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	amd_card(&w, 1, "0000:c4:00.0", true);
	client(&w, 100, 4,
	       "drm-pdev: 0000:c4:00.0\ndrm-client-id: 7\ndrm-resident-vram: 100\ndrm-resident-gtt: 5000\n");
	assert_string_equal(cells_of(&w, "auto", &set), "5100");
	assert_int_equal(set.device[0].total_bytes, 25753026560 + 33541324800);
	gpu_devices_close(&set);
	world_close(&w);
}

/* Every laptop has one; nobody trains on it unless he says so. */
static void intels_integrated_gpu_must_be_asked_for(void **state)
{
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	card(&w, 0, "i915", "0000:00:02.0", "8086:46A6");
	card(&w, 1, "xe", "0000:03:00.0", "8086:56A0");
	card(&w, 2, "ast", "0000:05:00.0", "1A03:2000");
	client(&w, 100, 4, "drm-pdev: 0000:00:02.0\ndrm-client-id: 1\ndrm-resident-system0: 40\n");
	client(&w, 100, 5,
	       "drm-pdev: 0000:03:00.0\ndrm-client-id: 2\ndrm-resident-vram0: 50\ndrm-resident-system: 40\n");
	assert_string_equal(cells_of(&w, "auto", &set), "50");
	assert_int_equal(set.device[0].index, 1);
	gpu_devices_close(&set);
	assert_string_equal(cells_of(&w, "0,1", &set), "40 50");
	gpu_devices_close(&set);
	world_close(&w);
}

static void a_process_without_a_gpu_holds_nothing(void **state)
{
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	amd_card(&w, 0, "0000:03:00.0", false);
	world_link(&w, "/dev/null", "proc/100/fd/0");
	assert_string_equal(cells_of(&w, "auto", &set), "0");
	gpu_devices_close(&set);
	world_close(&w);
}

/* /sys/class/kfd: node 0 is the processor. */
static void kfd_node(const struct world *w, int number, const char *gpu_id, const char *properties)
{
	world_file(w, gpu_id, "sys/class/kfd/kfd/topology/nodes/%d/gpu_id", number);
	world_file(w, properties, "sys/class/kfd/kfd/topology/nodes/%d/properties", number);
	world_file(w, "gfx942\n", "sys/class/kfd/kfd/topology/nodes/%d/name", number);
	world_file(w, "heap_type 1\nsize_in_bytes 64000\nflags 0\n",
		   "sys/class/kfd/kfd/topology/nodes/%d/mem_banks/0/properties", number);
}

static void compute_memory_of_amd(void **state)
{
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	kfd_node(&w, 0, "0\n", "cpu_cores_count 64\nsimd_count 0\n");
	kfd_node(&w, 1, "51102\n", "simd_count 304\nlocation_id 768\ndomain 0\n");
	kfd_node(&w, 2, "51103\n", "simd_count 304\nlocation_id 9984\ndomain 1\n");
	world_link(&w, "/dev/kfd", "proc/100/fd/7");
	world_file(&w, "123456\n", "sys/class/kfd/kfd/proc/100/vram_51102");
	world_file(&w, "0\n", "sys/class/kfd/kfd/proc/100/vram_51103");
	world_file(&w, "999\n", "sys/class/kfd/kfd/proc/555/vram_51103");
	assert_string_equal(cells_of(&w, "auto", &set), "123456 0");
	assert_string_equal(set.device[0].pci, "0000:03:00.0");
	assert_string_equal(set.device[1].pci, "0001:27:00.0");
	assert_string_equal(set.device[0].name, "AMD gfx942");
	assert_int_equal(set.device[0].total_bytes, 64000);
	gpu_devices_close(&set);
	world_close(&w);
}

/* The same card through both drivers: one device, the larger figure for a process. */
static void one_card_of_two_drivers_is_one_device(void **state)
{
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	amd_card(&w, 0, "0000:03:00.0", false);
	kfd_node(&w, 1, "51102\n", "simd_count 304\nlocation_id 768\ndomain 0\n");
	world_link(&w, "/dev/kfd", "proc/100/fd/7");
	world_link(&w, "/dev/kfd", "proc/101/fd/7");
	client(&w, 100, 4, "drm-pdev: 0000:03:00.0\ndrm-client-id: 7\ndrm-resident-vram: 100\n");
	client(&w, 101, 4, "drm-pdev: 0000:03:00.0\ndrm-client-id: 8\ndrm-resident-vram: 60\n");
	world_file(&w, "40\n", "sys/class/kfd/kfd/proc/100/vram_51102");
	world_file(&w, "70\n", "sys/class/kfd/kfd/proc/101/vram_51102");
	assert_string_equal(cells_of(&w, "auto", &set), "170");
	assert_int_equal(set.device[0].total_bytes, 25753026560);
	gpu_devices_close(&set);
	world_close(&w);
}

static void compute_memory_is_the_hosts_business_only(void **state)
{
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INNER_NS);
	kfd_node(&w, 1, "51102\n", "simd_count 304\nlocation_id 768\ndomain 0\n");
	assert_string_equal(cells_of(&w, "auto", &set), "");
	assert_string_equal(set.part[2].why, "processes have other numbers in this container");
	gpu_devices_close(&set);
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fdinfo_is_parsed),
	    cmocka_unit_test(a_client_counts_once_in_the_tree),
	    cmocka_unit_test(without_ids_the_largest_counts),
	    cmocka_unit_test(an_apu_holds_system_pages),
	    cmocka_unit_test(intels_integrated_gpu_must_be_asked_for),
	    cmocka_unit_test(a_process_without_a_gpu_holds_nothing),
	    cmocka_unit_test(compute_memory_of_amd),
	    cmocka_unit_test(one_card_of_two_drivers_is_one_device),
	    cmocka_unit_test(compute_memory_is_the_hosts_business_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
