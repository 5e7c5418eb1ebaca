/* SPDX-License-Identifier: MIT */
/* deny ENOSYS|EPERM CALL[,CALL]... COMMAND [ARG]...: COMMAND and all it starts live on a kernel, or behind a filter,
 * where these system calls fail so. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CALLS_MAX = 32 };

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
    {"close_range", SYS_close_range},
    {"epoll_create1", SYS_epoll_create1},
    {"epoll_ctl", SYS_epoll_ctl},
    {"eventfd2", SYS_eventfd2},
    {"inotify_add_watch", SYS_inotify_add_watch},
    {"inotify_init1", SYS_inotify_init1},
    {"pidfd_open", SYS_pidfd_open},
    {"prctl", SYS_prctl},
    {"sched_setscheduler", SYS_sched_setscheduler},
    {"signalfd4", SYS_signalfd4},
    {"splice", SYS_splice},
    {"statx", SYS_statx},
    {"tee", SYS_tee},
    {"timerfd_create", SYS_timerfd_create},
    {"timerfd_settime", SYS_timerfd_settime},
};

static int number_of(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, name) == 0)
			return (int)calls[i].number;
	return -1;
}

static int apply(struct sock_filter *filter, unsigned short n)
{
	struct sock_fprog prog = {.len = n, .filter = filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

/* Load the number of the call; for each denied one, a comparison and a refusal; at last, leave. */
static int deny(char *names, unsigned error)
{
	struct sock_filter filter[2 * CALLS_MAX + 2] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	unsigned short n = 1;

	for (char *name = strtok(names, ","); name && n < 2 * CALLS_MAX; name = strtok(NULL, ",")) {
		int number = number_of(name);

		if (number < 0) {
			fprintf(stderr, "deny: no call '%s' is known\n", name);
			return -1;
		}
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
		filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	}
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return apply(filter, n);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fputs("usage: deny ENOSYS|EPERM CALL[,CALL]... COMMAND [ARG]...\n", stderr);
		return 125;
	}
	if (deny(argv[2], strcmp(argv[1], "EPERM") == 0 ? EPERM : ENOSYS) != 0)
		return 125;
	execvp(argv[3], argv + 3);
	return 127;
}
