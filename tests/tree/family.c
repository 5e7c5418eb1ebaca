/* SPDX-License-Identifier: MIT */
/* A process of a tree that does what it is told and nothing else, so that two readers can look at the same state.
 * family N DATA: opens the named pipe cmd.N, says "ready PID N" on standard output, and obeys one order at a time:
 *   f M    fork a child that becomes member M       d M    fork it twice: M loses its parent
 *   g K    take K MiB of private memory             s K    of shared memory             m K   of the file DATA
 *   w      give the last of these back              e      exec itself anew             x     exit
 * The one that was told answers "ready"; a new member does so instead when one is made. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HELD_MAX = 256 };

struct held {
	void *start;
	size_t len;
};

static struct held held[HELD_MAX];
static int held_count;
static const char *data_path;

static void ready(int member)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "ready %d %d\n", (int)getpid(), member);

	if (write(STDOUT_FILENO, line, (size_t)len) != len)
		_exit(1);
}

static int open_orders(int member)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "cmd.%d", member);
	fd = open(name, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		_exit(2);
	return fd;
}

static void hold(int mib, int flags, int fd, int prot)
{
	size_t len = (size_t)mib << 20;
	char *p = mmap(NULL, len, prot, flags, fd, 0);
	volatile char sum = 0;

	if (p == MAP_FAILED || held_count == HELD_MAX)
		_exit(3);
	for (size_t i = 0; i < len; i += 4096) {
		if (prot & PROT_WRITE)
			p[i] = 1;
		sum = (char)(sum + p[i]);
	}
	held[held_count++] = (struct held){p, len};
}

static void hold_file(int mib)
{
	int fd = open(data_path, O_RDONLY | O_CLOEXEC);

	hold(mib, MAP_SHARED, fd, PROT_READ);
	close(fd);
}

static void give_back(void)
{
	if (held_count > 0) {
		held_count--;
		munmap(held[held_count].start, held[held_count].len);
	}
}

/* Returns the member this process now is. */
static int make(int member, int next, int twice)
{
	pid_t pid = fork();

	if (pid == 0 && twice)
		pid = fork() ? _exit(0), 1 : 0;
	if (pid == 0)
		return next;
	if (twice)
		waitpid(pid, NULL, 0);
	return member;
}

static int obey(int member, char order, int number, char **argv)
{
	switch (order) {
	case 'f':
	case 'd':
		return make(member, number, order == 'd');
	case 'g':
		hold(number, MAP_PRIVATE | MAP_ANONYMOUS, -1, PROT_READ | PROT_WRITE);
		break;
	case 's':
		hold(number, MAP_SHARED | MAP_ANONYMOUS, -1, PROT_READ | PROT_WRITE);
		break;
	case 'm':
		hold_file(number);
		break;
	case 'w':
		give_back();
		break;
	case 'e':
		snprintf(argv[1], strlen(argv[1]) + 1, "%02d", member);
		execv("/proc/self/exe", argv);
		_exit(4);
	default:
		_exit(0);
	}
	ready(member);
	return member;
}

int main(int argc, char **argv)
{
	int member = argc > 2 ? atoi(argv[1]) : 0, orders = open_orders(member);
	char line[64];
	ssize_t len;

	data_path = argc > 2 ? argv[2] : "/dev/null";
	signal(SIGCHLD, SIG_DFL);
	ready(member);
	while ((len = read(orders, line, sizeof(line) - 1)) > 0) {
		int next;

		line[len] = '\0';
		next = obey(member, line[0], len > 2 ? atoi(line + 2) : 0, argv);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (next != member) {
			member = next;
			close(orders);
			orders = open_orders(member);
			ready(member);
		}
	}
	return 0;
}
