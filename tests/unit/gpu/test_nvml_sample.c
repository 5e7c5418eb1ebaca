/* SPDX-License-Identifier: MIT */
/* What memwatch makes of each thing a driver can say: a scenario for the fake driver, the cells of the first
 * samples, the notes. */
#include "gpu/nvml_sample.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "gpu_world.h"

#define GPU0 "gpu 0 24000 GPU-aaaa-0 Fake A\n"
#define GPU1 "gpu 1 24000 GPU-bbbb-1 Fake B\n"

struct row {
	const char *name, *variant, *scenario;
	int samples; /* 0: there is nothing to sample */
	const char
	    *cells; /* a word for each sample, "-" absent, devices parted by "|"; no samples: why not */
	const char *notes; /* a part of them; "" none at all */
	const char *tree;  /* pids; default 100 */
	const char *basis; /* of the first device at the end */
	const char *ns;    /* default the initial one */
	const char *fds;   /* "PID LINK[,PID LINK]..." */
	const char *nodes; /* device files that exist */
};

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* most rows need the first six */
static const struct row rows[] = {
    {"no library", NULL, "", 0, "cannot open shared object", "cannot open shared"},
    {"library without symbols", "empty", "", 0, "is not the NVIDIA management library", "calls are missing"},
    {"no GPU", "r550", "", 0, "no GPU can be read", ""},
    {"init: uninitialized", "r550", GPU0 "err Init 1 9 1\n", 0, "does not start", "(1)"},
    {"init: no permission", "r550", GPU0 "err Init 1 9 4\n", 0, "does not start", "(4)"},
    {"init: driver not loaded", "r550", GPU0 "err Init 1 9 9\n", 0, "not loaded", ""},
    {"init: timeout", "r550", GPU0 "err Init 1 9 10\n", 0, "Timeout (10)", "(10)"},
    {"init: library not found", "r550", GPU0 "err Init 1 9 12\n", 0, "(12)", ""},
    {"init: lost", "r550", GPU0 "err Init 1 9 15\n", 0, "(15)", "(15)"},
    {"init: blocked by cgroup", "r550", GPU0 "err Init 1 9 17\n", 0, "(17)", "(17)"},
    {"init: upgraded without reboot", "r550", GPU0 "err Init 1 9 18\n", 0, "upgraded without a reboot",
     "upgraded without a reboot"},
    {"init: not ready", "r550", GPU0 "err Init 1 9 27\n", 0, "(27)", "(27)"},
    {"init: gpu not found", "r550", GPU0 "err Init 1 9 28\n", 0, "(28)", "(28)"},
    {"init: unknown", "r550", GPU0 "err Init 1 9 999\n", 0, "(999)", "(999)"},
    {"handle: no permission is no news", "r550", GPU0 GPU1 "err GetHandleByIndex 1 9 4 0\nat 1 1 100 50 C\n",
     1, "50", ""},
    {"handle: blocked by cgroup is no news", "r550",
     GPU0 GPU1 "err GetHandleByIndex 1 9 17 0\nat 1 1 100 50 C\n", 1, "50", ""},
    {"handle: lost", "r550", GPU0 GPU1 "err GetHandleByIndex 1 9 15 0\nat 1 1 100 50 C\n", 1, "50",
     "GPU 0 cannot be read: GPU is lost (15)"},
    {"handle: unknown", "r550", GPU0 GPU1 "err GetHandleByIndex 1 9 999 0\nat 1 1 100 50 C\n", 1, "50",
     "GPU 0 cannot be read: Unknown Error (999)"},
    {"handle: all refused", "r550", GPU0 "err GetHandleByIndex 1 9 4\n", 0, "no GPU can be read", ""},
    {"list: uninitialized, started again", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 2 2 1\n", 3, "50 - 50", ""},
    {"list: invalid argument steps down", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses_v2 1 9 2\n", 2, "50 50", ""},
    {"list: version mismatch steps down", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses_v2 1 9 25\n", 2, "50 50", ""},
    {"list: function not found steps down", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses_v2 1 9 13\n", 2, "50 50", ""},
    {"list: not supported, the device's growth instead", "r550",
     GPU0 "used 0 0 1000\nat 1 0 100 50 C\nerr GetComputeRunningProcesses 1 99 3\nerr "
	  "GetGraphicsRunningProcesses 1 99 3\n",
     2, "- -", "no figure for a process", .basis = "device-delta"},
    {"list: no permission", "r550", GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 1 9 4\n", 2, "- -",
     "GPU 0: no figures: Insufficient Permissions (4)"},
    {"list: not found is empty", "r550", GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 1 1 6\n", 2,
     "0 50", ""},
    {"list: no data is empty", "r550", GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 1 1 21\n", 2,
     "0 50", ""},
    {"list: timeout, silent for 30 s, then again", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 2 2 10\n", 33,
     "50 - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 50 50",
     "GPU 0: no figures: Timeout (10); tried again every 30 s"},
    {"list: not ready", "r550", GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 2 2 27\n", 3, "50 - -",
     "(27); tried again"},
    {"list: unknown", "r550", GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 2 2 999\n", 3, "50 - -",
     "(999); tried again"},
    {"list: lost in mid-run, the other GPU goes on", "r550",
     GPU0 GPU1 "at 1 0 100 50 C\nat 1 1 100 70 C\nerr GetComputeRunningProcesses 3 3 15 0\n", 4,
     "50 50 - -|70 70 70 70", "GPU 0 is lost since "},
    {"list: reset required is final", "r550", GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 2 2 16\n",
     3, "50 - -", "GPU 0 is lost since "},
    {"list: blocked by cgroup is final", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 2 2 17\n", 3, "50 - -", "GPU 0 is lost since "},
    {"list: gpu not found", "r550", GPU0 "at 1 0 100 50 C\nerr GetComputeRunningProcesses 2 2 28\n", 3,
     "50 - -", "(28); tried again"},
    {"list: a lesser list may be refused", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetGraphicsRunningProcesses 1 9 4\nerr GetMPSComputeRunningProcesses 1 9 3\n",
     2, "50 50", ""},
    {"list: a refusal after it worked is the device's own", "r550",
     GPU0 GPU1 "at 1 0 100 50 C\nat 1 1 100 70 C\nerr GetComputeRunningProcesses 2 9 2 0\n", 3,
     "50 - -|70 70 70", "GPU 0: no figures"},
    {"memory: not supported", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetMemoryInfo 1 99 3\nerr GetMemoryInfo_v2 1 99 3\n", 2, "50 50", ""},
    {"memory: no permission", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetMemoryInfo 1 99 4\nerr GetMemoryInfo_v2 1 99 4\n", 2, "50 50", ""},
    {"memory: timeout", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetMemoryInfo 1 99 10\nerr GetMemoryInfo_v2 1 99 10\n", 2, "50 50", ""},
    {"memory: unknown", "r550",
     GPU0 "at 1 0 100 50 C\nerr GetMemoryInfo 1 99 999\nerr GetMemoryInfo_v2 1 99 999\n", 2, "50 50", ""},
    {"memory: lost", "r550", GPU0 "at 9 0 100 50 C\nerr GetMemoryInfo_v2 3 99 15\n", 3, "0 - -",
     "GPU 0 is lost since "},
    {"memory: version mismatch steps down", "r550", GPU0 "at 1 0 100 50 C\nerr GetMemoryInfo_v2 1 99 25\n", 2,
     "50 50", ""},
    {"not available is never zero", "r550", GPU0 "used 0 0 1000\nat 1 0 100 na C\n", 2, "- -",
     "no figure for a process", .basis = "device-delta"},
    {"not available: the device's growth", "r550",
     GPU0 "used 0 0 1000\nused 1 0 4000\nused 2 0 900\nat 1 0 100 na C\n", 3, "- 3000 -", "device delta",
     .basis = "device-delta"},
    {"not available for once, after figures", "r550",
     GPU0 "at 1 0 100 50 C\nat 2 0 100 na C\nat 3 0 100 60 C\n", 3, "50 - 60", "", .basis = "exact"},
    {"one process of two without a figure", "r550", GPU0 "at 1 0 100 50 C\nat 2 0 101 na C\n", 2, "50 -", "",
     .tree = "100 101"},
    {"empty list, then the process", "r550", GPU0 "at 3 0 100 50 C\n", 4, "0 0 50 50", "", .basis = "exact"},
    {"gone and back", "r550", GPU0 "at 1 0 100 50 C\nat 2 0 100 gone C\nat 4 0 100 60 C\n", 4, "50 0 0 60",
     ""},
    {"two GPUs", "r550", GPU0 GPU1 "at 1 0 100 50 C\nat 1 1 100 70 C\nat 2 1 100 90 C\n", 2, "50 50|70 90",
     ""},
    {"a child holds the memory", "r550", GPU0 "at 1 0 101 50 C\nat 1 0 999 70 C\n", 1, "50", "",
     .tree = "100 101"},
    {"the sum over the tree", "r550", GPU0 "at 1 0 101 50 C\nat 1 0 102 70 C\nat 1 0 99 1000 C\n", 1, "120",
     "", .tree = "102 101 100"},
    {"the largest of the lists, not their sum", "r550", GPU0 "at 1 0 100 50 CG\nat 1 0 100 60 M\n", 3,
     "60 60 60", ""},
    {"graphics only", "r550", GPU0 "at 1 0 100 50 G\n", 2, "50 50", ""},
    {"one in compute, another in graphics: no sawtooth", "r550", GPU0 "at 1 0 100 50 C\nat 1 0 101 30 G\n", 4,
     "80 80 80 80", "", .tree = "100 101"},
    {"MPS client", "r550", GPU0 "at 1 0 100 50 M\n", 2, "50 50", ""},
    {"MIG slots with a hole", "r550",
     GPU0
     "mig 0 0 10000 MIG-a\nmig 0 2 5000 MIG-c\nat 1 0.0 100 50 C\nat 1 0.2 100 70 C\nat 1 0 100 9999 C\n",
     1, "50|70", ""},
    {"impossible entries are left out", "r550",
     GPU0 "at 1 0 0 5 C\nat 1 0 4294967295 5 C\nat 1 0 100 50 C\nat 2 0 100 24001 C\n", 2, "50 0",
     "processes that cannot be"},
    {"r440: 16-byte entries", "r440", GPU0 "at 1 0 99 10 C\nat 1 0 100 50 C\nat 1 0 101 60 C\n", 1, "110", "",
     .tree = "100 101"},
    {"r470", "r470", GPU0 "at 1 0 99 10 C\nat 1 0 100 50 C\nat 1 0 101 60 C\n", 1, "110", "",
     .tree = "100 101"},
    {"r535.54", "r535.54", GPU0 "at 1 0 99 10 C\nat 1 0 100 50 C\nat 1 0 101 60 C\n", 1, "110", "",
     .tree = "100 101"},
    {"r535.54, only the 32-byte call left", "r535.54",
     GPU0 "at 1 0 99 10 C\nat 1 0 100 50 C\nat 1 0 101 60 C\nerr GetComputeRunningProcesses 1 2 13\n", 1,
     "110", "", .tree = "100 101"},
    {"r535.98", "r535.98", GPU0 "at 1 0 99 10 C\nat 1 0 100 50 C\nat 1 0 101 60 C\n", 1, "110", "",
     .tree = "100 101"},
    {"r550, a 16-byte third version", "r550",
     GPU0
     "entry 16\nat 1 0 99 10 C\nat 1 0 100 50 C\nat 1 0 101 60 C\nerr GetComputeRunningProcesses 1 2 13\n",
     1, "110", "", .tree = "100 101"},
    {"container, old driver: a number that matches by accident", "r550",
     "driver 470.82.01\n" GPU0 "used 0 0 700\nat 1 0 1 50 C\n", 2, "- -", "", .tree = "1", .basis = "none",
     .ns = INNER_NS},
    {"container, old driver: the one listed is the one user", "r550",
     "driver 470.82.01\n" GPU0 "used 0 0 700\nat 1 0 31337 50 C\n", 2, "50 50", "(assumed)", .tree = "7",
     .basis = "assumed", .ns = INNER_NS, .fds = "7 /dev/nvidia0", .nodes = "nvidia0 nvidiactl"},
    {"container: assumed, never mixed with the device's growth", "r550",
     "driver 470.82.01\n" GPU0 "used 0 0 700\nused 2 0 900\nat 1 0 31337 50 C\nat 3 0 31338 60 C\n", 4,
     "50 50 - -", "--pid=host", .tree = "7", .basis = "assumed", .ns = INNER_NS, .fds = "7 /dev/nvidia0",
     .nodes = "nvidia0"},
    {"container: another local user", "r550",
     "driver 470.82.01\n" GPU0 "used 0 0 700\nused 1 0 1200\nat 1 0 31337 50 C\n", 2, "- 500",
     "(device delta)", .tree = "7", .basis = "device-delta", .ns = INNER_NS,
     .fds = "7 /dev/nvidia0,8 /dev/nvidia0", .nodes = "nvidia0"},
    {"container, 550: zero is not available", "r550",
     "driver 550.54.14\n" GPU0 "used 0 0 700\nat 1 0 7 0 C\n", 2, "- -", "", .tree = "7", .basis = "none",
     .ns = INNER_NS, .fds = "7 /dev/nvidia0", .nodes = "nvidia0"},
    {"container, 550: two listed, the device's growth", "r550",
     "driver 550.54.14\n" GPU0 "used 0 0 700\nused 1 0 1000\nat 1 0 7 5 C\nat 1 0 8 5 C\n", 2, "- 300",
     "driver 550.54.14 does not know this container", .tree = "7", .basis = "device-delta", .ns = INNER_NS},
    {"container, 565: exact again", "r550", "driver 565.57.01\n" GPU0 "at 1 0 7 50 C\n", 1, "50", "",
     .tree = "7", .basis = "exact", .ns = INNER_NS},
    {"host, old driver: exact", "r440", "driver 440.33\n" GPU0 "at 1 0 100 50 C\n", 1, "50", "",
     .basis = "exact"},
    {"a GPU the tree does not use is not asked", "r550", GPU0 GPU1 "at 1 0 100 50 C\nat 1 1 100 70 C\n", 2,
     "0 0|70 70", "", .fds = "100 /dev/nvidia1", .nodes = "nvidia0 nvidia1"},
    {"nvidiactl alone may be MPS: all are asked", "r550", GPU0 GPU1 "at 1 0 100 50 C\n", 2, "50 50|0 0", "",
     .fds = "100 /dev/nvidiactl", .nodes = "nvidia0 nvidia1"},
};

static void make_fds(const struct world *w, const struct row *r)
{
	char text[256], *save = NULL;

	snprintf(text, sizeof(text), "%s", r->fds ? r->fds : "");
	for (char *p = strtok_r(text, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
		char link[64];
		int pid;

		assert_int_equal(sscanf(p, "%d %63s", &pid, link), 2);
		world_link(w, link, "proc/%d/fd/5", pid);
	}
	snprintf(text, sizeof(text), "%s", r->nodes ? r->nodes : "");
	for (char *p = strtok_r(text, " ", &save); p; p = strtok_r(NULL, " ", &save))
		world_file(w, "", "dev/%s", p);
}

static size_t read_tree(const char *text, pid_t *pids)
{
	size_t n = 0;
	int used;

	for (const char *p = text ? text : "100"; sscanf(p, "%d%n", &pids[n], &used) == 1; p += used)
		n++;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (pids[j] < pids[i]) {
				pid_t t = pids[i];

				pids[i] = pids[j];
				pids[j] = t;
			}
	return n;
}

static void sample_all(const struct row *r, const struct world *w, struct gpu_devices *set, char *out,
		       enum gpu_basis *basis)
{
	struct gpu_open_files *fds = gpu_open_files_new(w->proc, w->dev);
	char line[8][512] = {{0}};
	struct gpu_cell cell[8] = {0};
	pid_t pids[16];
	size_t n = read_tree(r->tree, pids);

	for (int k = 0; k < r->samples; k++) {
		struct gpu_ask ask = {.pids = pids, .n = n, .fds = fds, .now_ns = (k + 1) * NS_PER_S};

		gpu_open_files_update(fds, pids, n, ask.now_ns);
		gpu_devices_sample(set, &ask, cell);
		for (int i = 0; i < set->n; i++) {
			size_t at = strlen(line[i]);

			if (cell[i].tree.ok)
				snprintf(line[i] + at, 512 - at, "%s%llu", k ? " " : "",
					 (unsigned long long)cell[i].tree.bytes);
			else
				snprintf(line[i] + at, 512 - at, "%s-", k ? " " : "");
		}
	}
	*basis = cell[0].basis;
	out[0] = '\0';
	for (int i = 0; i < set->n; i++)
		snprintf(out + strlen(out), 512, "%s%.500s", i ? "|" : "", line[i]);
	gpu_open_files_free(fds);
}

static const char *basis_text(enum gpu_basis b)
{
	return b == GPU_BASIS_EXACT     ? "exact"
	       : b == GPU_BASIS_ASSUMED ? "assumed"
	       : b == GPU_BASIS_DELTA   ? "device-delta"
					: "none";
}

static bool row_holds(const struct row *r)
{
	char cells[8 * 512] = "", why[GPU_WHY_MAX] = "";
	enum gpu_basis basis = GPU_BASIS_NONE;
	struct gpu_devices set;
	struct world w;
	const char *notes;
	bool ok;

	world_open(&w, r->ns ? r->ns : INITIAL_NS);
	make_fds(&w, r);
	world_driver(&w, r->variant, r->scenario);
	struct gpu_env env = world_env(&w);

	assert_int_equal(gpu_devices_open(&set, &env, "auto", why, sizeof(why)), 0);
	if (set.n)
		sample_all(r, &w, &set, cells, &basis);
	notes = world_notes(&w);
	ok = r->samples ? strcmp(cells, r->cells) == 0 : set.n == 0 && strstr(why, r->cells) != NULL;
	ok &= r->notes[0] ? strstr(notes, r->notes) != NULL : notes[0] == '\0';
	ok &= !r->basis || strcmp(r->basis, basis_text(basis)) == 0;
	if (!ok)
		print_error("%s\n  cells '%s', expected '%s'\n  why '%s'\n  notes '%s'\n  basis %s\n",
			    r->name, cells, r->cells, why, notes, basis_text(basis));
	gpu_devices_close(&set);
	world_close(&w);
	return ok;
}

static void every_answer_has_its_outcome(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		failed += !row_holds(&rows[i]);
	assert_int_equal(failed, 0);
}

/* 64 entries fit at first; 100 are there at the first call, 300 at the second. */
static void a_list_that_grows_while_it_is_read(void **state)
{
	static char text[64 * 1024];
	const struct row r = {.name = "grows twice",
			      .variant = "r550",
			      .scenario = text,
			      .samples = 2,
			      .cells = "300 300",
			      .notes = "",
			      .tree = "5000"};
	size_t n = (size_t)sprintf(text, GPU0 "at 1 0 5000 300 C\n");

	(void)state;
	for (int i = 0; i < 99; i++)
		n += (size_t)sprintf(text + n, "at 1 0 %d 1 C\n", 1000 + i);
	for (int i = 0; i < 200; i++)
		n += (size_t)sprintf(text + n, "at 2 0 %d 1 C\n", 2000 + i);
	assert_true(row_holds(&r));
}

/* Every process of every device is the tree's. */
static void sixty_four_gpus_with_512_processes_each(void **state)
{
	enum { GPUS = 64, PROCESSES = 512 };
	static char text[2 << 20], why[GPU_WHY_MAX];
	static struct gpu_cell cell[GPUS];
	static pid_t pids[PROCESSES];
	struct gpu_devices set;
	struct world w;
	size_t n = 0;

	(void)state;
	for (int g = 0; g < GPUS; g++) {
		n += (size_t)sprintf(text + n, "gpu %d 85899345920 GPU-%d Big\n", g, g);
		for (int p = 0; p < PROCESSES; p++)
			n += (size_t)sprintf(text + n, "at 1 %d %d %d C\n", g, 1000 + p, (g + 1) * 1000 + p);
	}
	for (int p = 0; p < PROCESSES; p++)
		pids[p] = 1000 + p;
	world_open(&w, INITIAL_NS);
	world_driver(&w, "r550", text);
	struct gpu_env env = world_env(&w);
	struct gpu_open_files *fds = gpu_open_files_new(w.proc, w.dev);
	struct gpu_ask ask = {.pids = pids, .n = PROCESSES, .fds = fds, .now_ns = NS_PER_S};

	assert_int_equal(gpu_devices_open(&set, &env, "auto", why, sizeof(why)), 0);
	assert_int_equal(set.n, GPUS);
	gpu_open_files_update(fds, pids, PROCESSES, NS_PER_S);
	gpu_devices_sample(&set, &ask, cell);
	for (int g = 0; g < GPUS; g++) {
		assert_true(cell[g].tree.ok);
		assert_int_equal(cell[g].tree.bytes,
				 (uint64_t)(g + 1) * 1000 * PROCESSES + PROCESSES * (PROCESSES - 1) / 2);
	}
	gpu_open_files_free(fds);
	gpu_devices_close(&set);
	world_close(&w);
}

static void devices_are_picked_by_number_and_uuid(void **state)
{
	static const struct {
		const char *which, *picked; /* indices, or the error */
	} picks[] = {
	    {"auto", "0 1 2"},
	    {"1", "1"},
	    {"2,0", "0 2"},
	    {"GPU-bbbb", "1"},
	    {"gpu-BBBB-1,2", "1 2"},
	    {"3", "no GPU 3 here, only 0 to 2"},
	    {"0,GPU-zzzz", "no GPU GPU-zzzz here, only 0 to 2"},
	    {"0x", "no GPU 0x here, only 0 to 2"},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < sizeof(picks) / sizeof(picks[0]); i++) {
		char why[GPU_WHY_MAX] = "", got[64] = "";
		struct gpu_devices set;

		world_open(&w, INITIAL_NS);
		world_driver(&w, "r550", GPU0 GPU1 "gpu 2 24000 GPU-cccc-2 Fake C\n");
		struct gpu_env env = world_env(&w);

		if (gpu_devices_open(&set, &env, picks[i].which, why, sizeof(why)) == 0)
			for (int k = 0; k < set.n; k++)
				sprintf(got + strlen(got), "%s%d", k ? " " : "", set.device[k].index);
		assert_string_equal(why[0] ? why : got, picks[i].picked);
		gpu_devices_close(&set);
		world_close(&w);
	}
}

/* GB10 and Jetson: no memory of their own. */
static void a_device_without_memory_has_the_machines(void **state)
{
	char why[GPU_WHY_MAX];
	struct gpu_devices set;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	world_driver(&w, "r550", GPU0 "err GetMemoryInfo 1 9 3\nerr GetMemoryInfo_v2 1 9 3\n");
	struct gpu_env env = world_env(&w);

	assert_int_equal(gpu_devices_open(&set, &env, "auto", why, sizeof(why)), 0);
	assert_int_equal(set.device[0].total_bytes, 16384000ULL * 1024);
	gpu_devices_close(&set);
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_answer_has_its_outcome),
	    cmocka_unit_test(a_list_that_grows_while_it_is_read),
	    cmocka_unit_test(sixty_four_gpus_with_512_processes_each),
	    cmocka_unit_test(devices_are_picked_by_number_and_uuid),
	    cmocka_unit_test(a_device_without_memory_has_the_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
