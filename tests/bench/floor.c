/* SPDX-License-Identifier: MIT */
/* The least a sampler of a process tree can do, for memwatch to be measured against: absolute timerfd ticks, one
 * pread per kept status and children descriptor, five fields parsed by hand, one write per row. It takes the tree
 * as it finds it at the start, knows no verdict, no GPU and no signal, and reads the few options of memwatch that
 * the bench uses (--pid, -i, -o, --duration, -q). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { FDS_MAX = 512, PATH_BYTES = 64, BUFFER_BYTES = 4096, KIB = 1024 };
#define NS_PER_S INT64_C(1000000000)

static const char *const labels[] = {"\nVmRSS:", "\nRssAnon:", "\nRssFile:", "\nRssShmem:", "\nVmSwap:"};
enum { FIELDS = sizeof(labels) / sizeof(labels[0]) };

static int status_fds[FDS_MAX], children_fds[FDS_MAX];
static int statuses, childrens;

struct options {
	const char *pid, *output;
	int64_t interval_ns, duration_ns;
};

static void fail(const char *what)
{
	fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
	exit(125);
}

static int64_t mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int keep(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || statuses == FDS_MAX || childrens == FDS_MAX)
		fail(path);
	return fd;
}

static void add_process(const char *pid);

static void add_thread(const char *pid, const char *tid)
{
	char path[PATH_BYTES], list[BUFFER_BYTES], *rest = list, *child;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%.10s/task/%.10s/children", pid, tid);
	children_fds[childrens++] = keep(path);
	n = pread(children_fds[childrens - 1], list, sizeof(list) - 1, 0);
	list[n > 0 ? n : 0] = '\0';
	while ((child = strtok_r(rest, " ", &rest)))
		add_process(child);
}

static void add_process(const char *pid)
{
	char path[PATH_BYTES];
	struct dirent *e;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%.10s/status", pid);
	status_fds[statuses++] = keep(path);
	snprintf(path, sizeof(path), "/proc/%.10s/task", pid);
	tasks = opendir(path);
	if (!tasks)
		fail(path);
	while ((e = readdir(tasks)))
		if (e->d_name[0] != '.')
			add_thread(pid, e->d_name);
	closedir(tasks);
}

/* The labels come in this order, so each search goes on where the last one ended. */
static void add_fields(const char *at, uint64_t sums[FIELDS])
{
	for (int i = 0; i < FIELDS; i++) {
		uint64_t kib = 0;

		at = strstr(at, labels[i]);
		if (!at)
			return;
		for (at += strlen(labels[i]); *at == ' ' || *at == '\t'; at++)
			;
		for (; *at >= '0' && *at <= '9'; at++)
			kib = kib * 10 + (uint64_t)(*at - '0');
		sums[i] += kib * KIB;
	}
}

static char *put_number(char *out, uint64_t v)
{
	char digits[20];
	int n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*out++ = digits[--n];
	return out;
}

static int sample(uint64_t sums[FIELDS])
{
	char buffer[BUFFER_BYTES];

	memset(sums, 0, FIELDS * sizeof(*sums));
	for (int i = 0; i < statuses; i++) {
		ssize_t n = pread(status_fds[i], buffer, sizeof(buffer) - 1, 0);

		if (n <= 0)
			return -ESRCH;
		buffer[n] = '\0';
		add_fields(buffer, sums);
	}
	for (int i = 0; i < childrens; i++) {
		off_t at = 0;
		ssize_t n;

		while ((n = pread(children_fds[i], buffer, sizeof(buffer), at)) > 0)
			at += n;
	}
	return 0;
}

static void write_row(int fd, int64_t elapsed_ns, const uint64_t sums[FIELDS])
{
	char row[256], *p = put_number(row, (uint64_t)(elapsed_ns / NS_PER_S));
	uint64_t ms = (uint64_t)(elapsed_ns % NS_PER_S / 1000000);

	*p++ = '.';
	*p++ = (char)('0' + ms / 100);
	*p++ = (char)('0' + ms / 10 % 10);
	*p++ = (char)('0' + ms % 10);
	*p++ = ',';
	p = put_number(p, (uint64_t)statuses);
	for (int i = 0; i < FIELDS; i++) {
		*p++ = ',';
		p = put_number(p, sums[i]);
	}
	*p++ = '\n';
	if (write(fd, row, (size_t)(p - row)) < 0)
		exit(0);
}

static int open_timer(int64_t first_ns, int64_t interval_ns)
{
	struct itimerspec when = {
	    .it_value = {first_ns / NS_PER_S, first_ns % NS_PER_S},
	    .it_interval = {interval_ns / NS_PER_S, interval_ns % NS_PER_S},
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	if (fd < 0 || timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL) < 0)
		fail("timerfd");
	return fd;
}

static int64_t parse_duration(const char *text)
{
	char *unit;
	double value = strtod(text, &unit);

	return (int64_t)(value * (strcmp(unit, "ms") == 0 ? 1e6 : 1e9));
}

static struct options parse(int argc, char **argv)
{
	struct options o = {.output = "-", .interval_ns = NS_PER_S / 10, .duration_ns = INT64_MAX};

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-q") == 0)
			continue;
		if (i + 1 == argc)
			break;
		if (strcmp(argv[i], "--pid") == 0)
			o.pid = argv[++i];
		else if (strcmp(argv[i], "-i") == 0)
			o.interval_ns = parse_duration(argv[++i]);
		else if (strcmp(argv[i], "-o") == 0)
			o.output = argv[++i];
		else if (strcmp(argv[i], "--duration") == 0)
			o.duration_ns = parse_duration(argv[++i]);
	}
	if (!o.pid) {
		fprintf(stderr, "usage: floor --pid PID [-i DURATION] [-o FILE] [--duration DURATION]\n");
		exit(125);
	}
	return o;
}

int main(int argc, char **argv)
{
	static const char header[] =
	    "elapsed_s,procs,rss_bytes,anon_bytes,file_bytes,shmem_bytes,swap_bytes\n";
	struct options o = parse(argc, argv);
	uint64_t sums[FIELDS], expired;
	int64_t start = mono_ns(), now = start;
	int out = STDOUT_FILENO, timer;

	add_process(o.pid);
	if (strcmp(o.output, "-") != 0)
		out = open(o.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out < 0 || write(out, header, sizeof(header) - 1) < 0)
		fail(o.output);
	timer = open_timer(start + o.interval_ns, o.interval_ns);
	while (now - start < o.duration_ns && sample(sums) == 0) {
		write_row(out, now - start, sums);
		if (read(timer, &expired, sizeof(expired)) < 0)
			fail("timerfd");
		now = mono_ns();
	}
	return 0;
}
