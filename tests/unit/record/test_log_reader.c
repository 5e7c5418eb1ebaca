/* SPDX-License-Identifier: MIT */
/* Each case is a log of a few lines and what it must come to. */
#include "record/log_reader.c"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOMENTS_MAX = 4 };

struct moment {
	int64_t ms, rss_kib, gpu_mib[2]; /* -1 absent */
};

struct seen {
	int err, n;
	const char *tool;
	struct moment moments[MOMENTS_MAX];
	int64_t epochs[MOMENTS_MAX];
	uint64_t damaged, others;
	char why[CSV_WHY_MAX];
};

static int64_t in(struct reading r, uint64_t unit)
{
	return r.ok ? (int64_t)(r.bytes / unit) : -1;
}

static int64_t gpu(const struct sample *s, int i)
{
	return CH_HOST_COUNT + 2 * i < s->n ? in(s->v[CH_HOST_COUNT + 2 * i], MIB) : -1;
}

static struct seen read_text(const char *text, const struct log_request *q)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct seen seen = {0};
	const struct sample *s;
	struct log_reader *r;

	seen.err = log_reader_new(&r, fd, text, strlen(text), q, seen.why);
	seen.tool = r->format ? r->format->name : NULL;
	while (!seen.err && log_reader_next(r, &s) > 0) {
		if (seen.n < MOMENTS_MAX) {
			seen.moments[seen.n] =
			    (struct moment){s->elapsed_ms, in(s->v[CH_RSS], KIB), {gpu(s, 0), gpu(s, 1)}};
			seen.epochs[seen.n] = s->epoch;
		}
		seen.n++;
	}
	seen.damaged = r->damage.rows;
	seen.others = r->others;
	log_reader_free(r);
	close(fd);
	return seen;
}

static const struct log_request plain;

#define PIDSTAT "#      Time   UID       PID  minflt/s  majflt/s     VSZ     RSS   %MEM  Command\n"
#define TOP     "  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"
#define PMON                                                                                                 \
	"# gpu        pid  type    sm   mem   enc   dec    fb   command\n# Idx          #   C/G     %     "  \
	"%     %     %    MB   name\n"

static const struct {
	const char *text, *tool;
	int n;
	struct moment moments[MOMENTS_MAX];
	uint64_t damaged, others;
} cases[] = {
    {"CMDLINE python3 x.py\nMEM 0.1 100000000.1\nMEM 2.5 100000000.6\nCHLD 7 1.5 100000000.601\nMEM 3 "
     "100000001\n",
     "mprof",
     2,
     {{500, 4096, {-1, -1}}, {900, 3072, {-1, -1}}},
     0,
     0},
    {"MEM 2 100000000\nMEM 0e400 100000001\n\033]0;title\aMEM \033[1m3\033[0m 100000002\n",
     "mprof",
     2,
     {{0, 2048, {-1, -1}}, {2000, 3072, {-1, -1}}},
     1,
     0},
    {"Epoch 1\nMEM 2 100000000.0\nMEM\nMEM x 100000001\nMEM 3 100000002\n",
     "mprof",
     2,
     {{0, 2048, {-1, -1}}, {2000, 3072, {-1, -1}}},
     2,
     1},
    {PIDSTAT
     "11:59:59 PM 0 7 0,00 0,00 9 2048 0,1 python3 a b\n12:00:01 AM 0 7 0,00 0,00 9 3072 0,1 python3 a b\n",
     "pidstat",
     2,
     {{0, 2048, {-1, -1}}, {2000, 3072, {-1, -1}}},
     0,
     0},
    {PIDSTAT
     "23:59:59 0 7 0.0 0.0 9 2048 0.1 a\n23:59:59 0 8 0.0 0.0 9 1024 0.1 b\n00:00:00 0 7 0.0 0.0 9 0 0.1 a\n",
     "pidstat",
     1,
     {{0, 3072, {-1, -1}}},
     0,
     0},
    {PIDSTAT "00时02分06秒 0 7 0.0 0.0 9 2048 0.1 a\n00时02分07秒 0 7 0.0 0.0 9 3.0M 0.1 a\n",
     "pidstat",
     2,
     {{0, 2048, {-1, -1}}, {1000, 3072, {-1, -1}}},
     0,
     0},
    {PIDSTAT "00:02:06 0 7 0.0 0.0 9 2048\n00:02:07 0 7 0.0 0.0 9 x 0.1 a\n00:02:08 0 7 0.0 0.0 9 1024 0.1 "
	     "a\n00:02:05 0 7 0.0 0.0 9 1024 0.1 a\n",
     "pidstat",
     1,
     {{0, 1024, {-1, -1}}},
     3,
     0},
    {"top - 22:00:00 up 1 min\n" TOP
     " 1 root 20 0 9 1.5m 9 S 0,0 0,1 0:00.06 a b c d\n 2 root 20 0 9 512 9 S 0.0 0.1 0:00 b\n"
     "top - 22:00:03 up 1 min\n" TOP " 1 root 20 0 9 1,0g 9 S 0,0 0,1 0:00.06 a\nloss 0.5\n",
     "top",
     2,
     {{0, 2048, {-1, -1}}, {3000, 1048576, {-1, -1}}},
     0,
     1},
    {"timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n2025/09/07 22:33:21.481, GPU-a, 1, a, "
     "b, 100 MiB\n"
     "2025/09/07 22:33:21.483, GPU-b, 1, a, 50 MiB\n2025/09/07 22:33:22.481, GPU-a, 1, a, [N/A]\n"
     "2025/09/07 22:33:23.481, GPU-a, 1, a, 120 MiB\n",
     "nvidia-smi",
     2,
     {{0, -1, {100, 50}}, {2000, -1, {120, -1}}},
     0,
     0},
    {"pid, used_gpu_memory [KiB]\n1, 2048 KiB\n2, 1024\n1, 4096 KiB\n",
     "nvidia-smi",
     2,
     {{0, -1, {3, -1}}, {1000, -1, {4, -1}}},
     0,
     0},
    {"2025/09/07 22:33:21.481, NVIDIA A, 1, a, 100\n2025/09/07 22:33:21.981, NVIDIA A, 1, a, 110\n",
     "nvidia-smi",
     2,
     {{0, -1, {100, -1}}, {500, -1, {110, -1}}},
     0,
     0},
    {"timestamp, index, memory.used [MiB], memory.total [MiB]\n2025/09/07 22:33:21.481, 1, 100 MiB, 900 "
     "MiB\n",
     "nvidia-smi",
     1,
     {{0, -1, {-1, 100}}},
     0,
     0},
    {PMON "    0       7     C     2     0     2     -   136   a b\n    1       -     -     -     -     -    "
	  " -     -   -\n"
	  "    0       7     C     2     0     2     -   140   a\n",
     "nvidia-smi pmon",
     2,
     {{0, -1, {136, -1}}, {1000, -1, {140, -1}}},
     0,
     0},
    {"NAME      MEM USAGE / LIMIT\na         1.5MiB / 2GiB\nb         -- / --\n\033[2J\033[HNAME      MEM "
     "USAGE / LIMIT\na         2MiB / 2GiB\n",
     "docker stats",
     2,
     {{0, 1536, {-1, -1}}, {1000, 2048, {-1, -1}}},
     0,
     0},
    {"{\"BlockIO\":\"0B / 0B\",\"MemUsage\":\"1.5MiB / 2GiB\",\"Name\":\"a\",\"PIDs\":\"3\"}\n"
     "{\"BlockIO\":\"0B / 0B\",\"MemUsage\":\"1MiB / 2GiB\",\"Name\":\"a\",\"PIDs\":\"3\"}\n",
     "docker stats",
     2,
     {{0, 1536, {-1, -1}}, {1000, 1024, {-1, -1}}},
     0,
     0},
    {"elapsed_time;nproc;cpu;mem_real;mem_virtual\n5,5e-05;1;0,0;1,5;2\n0,5;1;0,0;2;2\n",
     "psrecord",
     2,
     {{0, 1536, {-1, -1}}, {500, 2048, {-1, -1}}},
     0,
     0},
    {"# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n 0.000 0.000 1.500 9.0\n 0.000 0.000 2.000 "
     "9.0\n",
     "psrecord",
     2,
     {{0, 1536, {-1, -1}}, {0, 2048, {-1, -1}}},
     0,
     0},
};

static void each_format_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct seen seen = read_text(cases[i].text, &plain);

		if (seen.err || strcmp(seen.tool, cases[i].tool) != 0 || seen.n != cases[i].n)
			fail_msg("case %zu: %d %s, %d moments of %s", i, seen.err, seen.why, seen.n,
				 seen.tool ? seen.tool : "?");
		for (int k = 0; k < cases[i].n; k++) {
			const struct moment *is = &seen.moments[k], *must = &cases[i].moments[k];

			if (is->ms != must->ms || is->rss_kib != must->rss_kib ||
			    is->gpu_mib[0] != must->gpu_mib[0] || is->gpu_mib[1] != must->gpu_mib[1])
				fail_msg("case %zu, moment %d: %ld ms, %ld KiB, %ld and %ld MiB", i, k,
					 is->ms, is->rss_kib, is->gpu_mib[0], is->gpu_mib[1]);
		}
		if (seen.damaged != cases[i].damaged || seen.others != cases[i].others)
			fail_msg("case %zu: %lu damaged, %lu other lines", i, seen.damaged, seen.others);
	}
}

static void calls_of_a_function_are_epochs(void **state)
{
	struct seen seen =
	    read_text("FUNC f 1 100000000.5 1 100000001.5 0\nFUNC g 1 100000000.6 1 100000000.7 1\n"
		      "FUNC f 1 100000001.5 1 100000002.5 0\nFUNC f 1 100000002.5 1 100000003.5 0\n"
		      "FUNC f 1 100000003.5 1 100000004.5 0\nCMDLINE x\nMEM 1 100000000\nMEM 1 100000001\n"
		      "MEM 2 100000002\nMEM 3 100000005\n",
		      &plain);

	(void)state;
	assert_int_equal(seen.n, 4);
	assert_int_equal(seen.epochs[0], -1);
	assert_int_equal(seen.epochs[1], 0);
	assert_int_equal(seen.epochs[2], 1);
	assert_int_equal(seen.epochs[3], 4);
}

static void any_csv_by_its_columns(void **state)
{
	static const struct {
		const char *text, *time, *value;
		double unit;
		int64_t interval_ms;
		struct moment last;
		int n;
	} chosen_cases[] = {
	    {"t,mem\n0,1\n2.5,4\n", "t", "mem", 0x1p10, 0, {2500, 4, {-1, -1}}, 2},
	    {"when;x;mem (MB)\n2026-11-17T22:00:00Z;1;1,5\n2026-11-17T23:00:00+01:00;1;2,5\n",
	     "when",
	     "mem (MB)",
	     0x1p20,
	     0,
	     {0, 2560, {-1, -1}},
	     2},
	    {"1700000000000\t7\n1700000001500\t8\n", "1", "2", 0x1p10, 0, {1500, 8, {-1, -1}}, 2},
	    {"a b\n1 2048\n1 4096\n", NULL, "b", 0, 250, {250, 4, {-1, -1}}, 2},
	    {"\"t\",\"used, all\"\n\"1\",\"2 KiB\"\n", "t", "used, all", 0, 0, {1000, 2, {-1, -1}}, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(chosen_cases) / sizeof(chosen_cases[0]); i++) {
		struct log_request q = {{chosen_cases[i].time, chosen_cases[i].value, chosen_cases[i].unit},
					chosen_cases[i].interval_ms * NS_PER_MS};
		struct seen seen = read_text(chosen_cases[i].text, &q);

		if (seen.err || seen.n != chosen_cases[i].n)
			fail_msg("case %zu: %d %s, %d moments", i, seen.err, seen.why, seen.n);
		assert_int_equal(seen.moments[seen.n - 1].ms, chosen_cases[i].last.ms);
		assert_int_equal(seen.moments[seen.n - 1].rss_kib, chosen_cases[i].last.rss_kib);
	}
}

static void what_is_no_log_is_refused(void **state)
{
	static const char *const texts[] = {"",           "\n",    "hello\n", "a,b,c\n1,2,3\n",
					    "PID\nRSS\n", "MEM\n", "{}\n",    "12, 13\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct seen seen = read_text(texts[i], &plain);

		assert_int_equal(seen.err, -EINVAL);
		assert_non_null(strstr(seen.why, "neither a memwatch CSV nor a log"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_format_is_read),
	    cmocka_unit_test(calls_of_a_function_are_epochs),
	    cmocka_unit_test(any_csv_by_its_columns),
	    cmocka_unit_test(what_is_no_log_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
