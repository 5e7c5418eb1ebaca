/* SPDX-License-Identifier: MIT */
/* Walks of real processes against what malloc itself says of them. The program is tests/workload/heap.c, which is
 * never built with a sanitizer: that would bring another allocator. */
#define sched_yield counted_yield
int counted_yield(void);
#include "host/heap_process.c"
#undef sched_yield

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { MOMENTS = 12, STORM_WALKS = 100 };
#define WORKLOAD "build/tests/workload/heap"

struct program {
	pid_t pid;
	int dir_fd;
	FILE *in, *out;
};

static struct heap_reader *reader;
static unsigned yields;

int counted_yield(void)
{
	yields++;
	return 0;
}

static const struct heap_limits ample = {.cpu_ns = 10 * NS_PER_S};

static int open_process(pid_t pid)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static struct program start(char *const argv[])
{
	struct program p;
	int in[2], out[2];

	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	p.pid = fork();
	if (p.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed assertion leaves no storm behind */
		dup2(in[0], 0);
		dup2(out[1], 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	p.in = fdopen(in[1], "w");
	p.out = fdopen(out[0], "r");
	p.dir_fd = open_process(p.pid);
	return p;
}

static void finish(struct program *p)
{
	kill(p->pid, SIGKILL);
	fclose(p->in);
	fclose(p->out);
	waitpid(p->pid, NULL, 0);
	close(p->dir_fd);
}

static enum heap_state walk(const struct program *p, struct heap_sizes *out)
{
	struct heap_cost cost;

	return heap_process_walk(reader, p->dir_fd, p->pid, false, &ample, out, &cost);
}

static bool is_near(uint64_t a, uint64_t b)
{
	uint64_t far = a > b ? a - b : b - a;

	return far <= 256 * 1024 || far <= b / 100;
}

struct score {
	int walks, known, right;
};

static void compare(char *scenario, char *threads, struct score *score)
{
	char *argv[] = {WORKLOAD, scenario, threads, "48", "12", NULL};
	struct program p = start(argv);
	unsigned long used, unused, mapped;

	for (int i = 0; i < MOMENTS; i++) {
		struct heap_sizes sizes;

		if (fscanf(p.out, "%lu %lu %lu", &used, &unused, &mapped) != 3)
			fail_msg("%s stopped early", scenario);
		score->walks++;
		if (walk(&p, &sizes) == HEAP_KNOWN) {
			score->known++;
			score->right += is_near(sizes.used_bytes, used) &&
					is_near(sizes.free_bytes, unused) &&
					sizes.kept_bytes <= sizes.free_bytes;
		}
		fputs("\n", p.in);
		fflush(p.in);
	}
	finish(&p);
}

static void walks_say_what_malloc_says(void **state)
{
	static char *const scenarios[] = {"small", "large", "holes", "trim", "scattered", "storm", "mixed"};
	struct score score = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		compare(scenarios[i], "1", &score);
		compare(scenarios[i], "16", &score);
	}
	print_message("# %d walks, %d known, %d right\n", score.walks, score.known, score.right);
	assert_int_equal(score.right, score.known);
	assert_true(score.known * 100 >= score.walks * 99);
}

/* Nothing is known of the truth at such a moment but its bounds: what all threads together may have. What the program is
 * told to do next comes from a file without end. */
static void walks_in_a_storm_end_well(void **state)
{
	char *argv[] = {"sh", "-c", "exec " WORKLOAD " storm 16 48 100000 </dev/zero >/dev/null", NULL};
	struct program p = start(argv);
	struct heap_sizes sizes;
	int known = 0;

	(void)state;
	while (walk(&p, &sizes) != HEAP_KNOWN || sizes.used_bytes < 1 << 20) /* until it has begun */
		assert_int_equal(kill(p.pid, 0), 0);
	for (int i = 0; i < 50; i++) {
		enum heap_state ended = walk(&p, &sizes);

		assert_true(ended == HEAP_KNOWN || ended == HEAP_CHANGING);
		known += ended == HEAP_KNOWN;
		assert_true(ended != HEAP_KNOWN || sizes.used_bytes + sizes.free_bytes < UINT64_C(1) << 30);
	}
	print_message("# %d of 50 walks in a storm known\n", known);
	assert_true(known >= 45);
	finish(&p);
}

static unsigned long used_by_itself(const struct program *p)
{
	unsigned long used, unused, mapped;

	assert_int_equal(fscanf(p->out, "%lu %lu %lu", &used, &unused, &mapped), 3);
	return used;
}

static void go_on(const struct program *p)
{
	fputs("\n", p->in);
	fflush(p->in);
}

/* What is in use stays as malloc says it is before the storm and after it, but for a block that each thread has just freed. */
static void walks_in_a_storm_say_what_malloc_says(void **state)
{
	char *argv[] = {WORKLOAD, "exchange", "16", "48", "2", NULL};
	struct program p = start(argv);
	unsigned long before = used_by_itself(&p), after;
	uint64_t least = UINT64_MAX, most = 0;
	struct score score = {0};

	(void)state;
	go_on(&p);
	for (int i = 0; i < STORM_WALKS; i++) {
		struct heap_sizes sizes;

		score.walks++;
		if (walk(&p, &sizes) != HEAP_KNOWN)
			continue;
		score.known++;
		score.right += is_near(sizes.used_bytes, before);
		least = sizes.used_bytes < least ? sizes.used_bytes : least;
		most = sizes.used_bytes > most ? sizes.used_bytes : most;
	}
	go_on(&p);
	after = used_by_itself(&p);
	print_message("# %d walks in a storm, %d known, %d right; %" PRIu64 " to %" PRIu64
		      " bytes in use, %lu before it, %lu after it\n",
		      score.walks, score.known, score.right, least, most, before, after);
	finish(&p);
	assert_true(is_near(after, before));
	assert_true(score.known * 100 >= score.walks * 95);
	assert_true(score.right * 100 >= score.known * 99);
}

static void a_walk_reads_no_more_than_it_may(void **state)
{
	char *argv[] = {WORKLOAD, "small", "1", "48", "1", NULL};
	struct program p = start(argv);
	const struct heap_limits little = {.cpu_ns = 1};
	struct heap_sizes sizes;
	struct heap_cost cost;
	unsigned long used;

	(void)state;
	assert_int_equal(fscanf(p.out, "%lu", &used), 1);
	assert_int_equal(heap_process_walk(reader, p.dir_fd, p.pid, false, &little, &sizes, &cost),
			 HEAP_OVER_BUDGET);
	finish(&p);
}

/* Half of the blocks, each on another page than the one that was freed before it: a read of its own for each would be a
 * hundred times as many. */
static void blocks_freed_in_any_order_take_few_reads(void **state)
{
	char *argv[] = {WORKLOAD, "scattered", "1", "6", "1", NULL};
	struct program p = start(argv);
	struct heap_sizes sizes;
	struct heap_cost cost;
	unsigned long used = used_by_itself(&p);

	(void)state;
	assert_int_equal(heap_process_walk(reader, p.dir_fd, p.pid, false, &ample, &sizes, &cost),
			 HEAP_KNOWN);
	finish(&p);
	assert_true(is_near(sizes.used_bytes, used));
	assert_in_range(cost.reads, 1, 2000);
}

/* Once when what changes fastest is counted, then as its turns end. */
static void a_walk_gives_way_between_reads(void **state)
{
	char *argv[] = {WORKLOAD, "small", "1", "48", "1", NULL};
	struct program p = start(argv);
	const struct heap_limits turns = {.cpu_ns = 10 * NS_PER_S, .turn_ns = 1};
	struct heap_sizes sizes;
	struct heap_cost cost;
	unsigned long used;

	(void)state;
	assert_int_equal(fscanf(p.out, "%lu", &used), 1);
	yields = 0;
	assert_int_equal(walk(&p, &sizes), HEAP_KNOWN);
	assert_int_equal(yields, 0);
	assert_int_equal(heap_process_walk(reader, p.dir_fd, p.pid, false, &turns, &sizes, &cost),
			 HEAP_KNOWN);
	assert_true(yields >= cost.reads / ASKS_PER_CLOCK);
	assert_true(yields >= 2);
	assert_true(is_near(sizes.used_bytes, used));
	finish(&p);
}

static void a_process_that_ended_is_gone(void **state)
{
	char *argv[] = {WORKLOAD, "small", "1", "1", "1", NULL};
	struct program p = start(argv);
	struct heap_sizes sizes;
	unsigned long used;

	(void)state;
	assert_int_equal(fscanf(p.out, "%lu", &used), 1);
	kill(p.pid, SIGKILL);
	waitid(P_PID, (id_t)p.pid, NULL, WEXITED | WNOWAIT);
	assert_int_equal(walk(&p, &sizes), HEAP_GONE);
	waitpid(p.pid, NULL, 0);
	assert_int_equal(walk(&p, &sizes), HEAP_GONE);
	finish(&p);
}

/* Another user's process: as root, try it as somebody else. */
static void what_is_not_permitted_is_denied(void **state)
{
	char *argv[] = {WORKLOAD, "small", "1", "1", "1", NULL};
	struct program p;
	struct heap_sizes sizes;
	unsigned long used;
	int status;
	pid_t other;

	(void)state;
	if (geteuid() != 0)
		skip();
	p = start(argv);
	assert_int_equal(fscanf(p.out, "%lu", &used), 1);
	other = fork();
	if (other == 0)
		_exit(setresuid(65534, 65534, 65534) ? 99 : (int)walk(&p, &sizes));
	waitpid(other, &status, 0);
	assert_int_equal(WEXITSTATUS(status), HEAP_DENIED);
	finish(&p);
}

/* What is known of a process is that of its program: not of the one that it has become. */
static void an_exec_is_met_anew(void **state)
{
	char *argv[] = {"sh", "-c", "echo 1 2 3; read -r line; exec " WORKLOAD " large 1 48 1", NULL};
	struct program p = start(argv);
	struct heap_sizes before, after;
	unsigned long used, unused, mapped;

	(void)state;
	assert_int_equal(fscanf(p.out, "%lu %lu %lu", &used, &unused, &mapped), 3);
	assert_int_equal(walk(&p, &before), HEAP_KNOWN);
	fputs("\n", p.in);
	fflush(p.in);
	assert_int_equal(fscanf(p.out, "%lu %lu %lu", &used, &unused, &mapped), 3);
	assert_int_equal(walk(&p, &after), HEAP_KNOWN);
	assert_true(is_near(after.used_bytes, used));
	assert_false(is_near(before.used_bytes, used));
	finish(&p);
}

static uint64_t swapped_kib(pid_t pid)
{
	char path[64], line[256];
	uint64_t kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, "VmSwap:", 7) == 0)
			kib = strtoull(line + 7, NULL, 10);
	fclose(f);
	return kib;
}

/* First free memory alone is swapped out and counts as kept, then the heap with all that a walk would have to read. */
static void what_is_swapped_out_stays_there(void **state)
{
	char *argv[] = {WORKLOAD, "swapped", "1", "24", "2", NULL};
	struct program p = start(argv);
	struct heap_sizes sizes;
	unsigned long used, unused, mapped;
	uint64_t kib;

	(void)state;
	assert_int_equal(fscanf(p.out, "%lu %lu %lu", &used, &unused, &mapped), 3);
	kib = swapped_kib(p.pid);
	if (kib < 4096) {
		finish(&p);
		skip(); /* this machine has no swap */
	}
	assert_int_equal(walk(&p, &sizes), HEAP_KNOWN);
	assert_true(is_near(sizes.used_bytes, used));
	assert_true(sizes.kept_bytes >= kib * 1024);
	assert_true(swapped_kib(p.pid) >= kib);
	fputs("\n", p.in);
	fflush(p.in);
	assert_int_equal(fscanf(p.out, "%lu %lu %lu", &used, &unused, &mapped), 3);
	kib = swapped_kib(p.pid);
	assert_int_not_equal(walk(&p, &sizes), HEAP_KNOWN);
	assert_true(swapped_kib(p.pid) >= kib);
	finish(&p);
}

static int make_reader(void **state)
{
	(void)state;
	reader = heap_reader_new();
	return 0;
}

static int free_reader(void **state)
{
	(void)state;
	heap_reader_free(reader);
	return 0;
}

static void with_many_processes_the_one_that_is_looked_at_keeps_its_place(void **state)
{
	struct heap_reader *r = heap_reader_new();
	struct heap_limits looked = {.looks = true}, others = {0};
	const struct known *place;

	(void)state;
	r->limits = &looked;
	place = make_room(r);
	r->limits = &others;
	for (int i = 0; i < 3 * HEAP_PROCESSES_MAX; i++)
		assert_ptr_not_equal(make_room(r), place);
	heap_reader_free(r);
}

/* Of how many epochs looks count, after epochs with so many looks each. */
static unsigned joined_after(struct heap_reader *r, const unsigned *looks, int n)
{
	static const struct heap_limits looked = {.looks = true};

	r->limits = &looked;
	r->at = &r->known[0];
	*r->at = (struct known){.pid = 1, .joined = 1};
	for (int i = 0; i < n; i++) {
		heap_process_end_epoch(r, 1);
		r->at->window[r->at->newest].looks = looks[i];
		unused_before(r);
	}
	return r->before.looks;
}

static void looks_of_as_many_epochs_as_before_count_together(void **state)
{
	static const unsigned odd[] = {7, 7, 9, 7, 7, 9, 6, 7}, many[] = {7, 7, 16, 12, 9, 16};
	struct heap_reader *r = heap_reader_new();

	(void)state;
	for (int n = 2; n <= 8; n++)
		assert_int_equal(joined_after(r, odd, n), odd[n - 1] + odd[n - 2]);
	for (int n = 3; n <= 6; n++)
		assert_int_equal(joined_after(r, many, n), many[n - 1]);
	r->at->pid = 0;
	heap_reader_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(with_many_processes_the_one_that_is_looked_at_keeps_its_place),
	    cmocka_unit_test(looks_of_as_many_epochs_as_before_count_together),
	    cmocka_unit_test(walks_say_what_malloc_says),
	    cmocka_unit_test(walks_in_a_storm_end_well),
	    cmocka_unit_test(walks_in_a_storm_say_what_malloc_says),
	    cmocka_unit_test(a_walk_reads_no_more_than_it_may),
	    cmocka_unit_test(blocks_freed_in_any_order_take_few_reads),
	    cmocka_unit_test(a_walk_gives_way_between_reads),
	    cmocka_unit_test(a_process_that_ended_is_gone),
	    cmocka_unit_test(what_is_not_permitted_is_denied),
	    cmocka_unit_test(an_exec_is_met_anew),
	    cmocka_unit_test(what_is_swapped_out_stays_there),
	};

	return cmocka_run_group_tests(tests, make_reader, free_reader);
}
