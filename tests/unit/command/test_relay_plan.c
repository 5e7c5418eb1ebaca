/* SPDX-License-Identifier: MIT */
/* Which descriptors are relayed, from what really stands at 0, 1 and 2 of a child process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "command/relay_plan.c"

enum place { NUL, REG, PIPE, PIPE2, SOCK, SOCK2, TTY, READ_END, CLOSED, PLACES };

struct row {
	enum place at[3];
	bool controlling; /* the terminal is the controlling one */
	bool stdout_to_stderr;
	enum relay_mode want[3];
	bool shared;
};

#define N RELAY_NONE
#define P RELAY_PIPE
#define S RELAY_SOCKET
#define T RELAY_TERMINAL

static const struct row rows[] = {
    {{NUL, NUL, NUL}, true, false, {N, N, N}, false},
    {{NUL, REG, REG}, true, false, {N, N, N}, false},
    {{NUL, PIPE, PIPE}, true, false, {N, P, P}, true},
    {{NUL, PIPE, PIPE2}, true, false, {N, P, P}, false},
    {{NUL, PIPE, REG}, true, false, {N, P, N}, false},
    {{NUL, CLOSED, PIPE}, true, false, {N, N, P}, false},
    {{PIPE, NUL, NUL}, true, false, {N, N, N}, false},
    {{NUL, READ_END, NUL}, true, false, {N, N, N}, false},
    {{NUL, SOCK, SOCK}, true, false, {N, S, S}, true},
    {{NUL, SOCK, SOCK2}, true, false, {N, S, S}, false},
    {{SOCK, SOCK, SOCK}, true, false, {N, N, N}, false},
    {{TTY, TTY, TTY}, true, false, {T, T, T}, false},
    {{TTY, TTY, TTY}, false, false, {N, N, N}, false},
    {{NUL, TTY, TTY}, true, false, {N, T, T}, false},
    {{TTY, TTY, REG}, true, false, {T, T, N}, false},
    {{TTY, REG, TTY}, true, false, {T, N, T}, false},
    {{TTY, REG, REG}, true, false, {N, N, N}, false},
    {{TTY, PIPE, TTY}, true, false, {N, P, N}, false},
    {{PIPE, TTY, TTY}, true, false, {N, N, N}, false},
    {{TTY, TTY, PIPE}, true, false, {N, N, P}, false},
    {{NUL, PIPE, PIPE2}, true, true, {N, P, P}, true},
    {{TTY, REG, TTY}, true, true, {T, T, T}, false},
};

static int open_place(enum place place, int fds[PLACES])
{
	int pair[2];

	if (place == CLOSED)
		return -1;
	if (fds[place] > 0)
		return fds[place];
	if (place == PIPE || place == PIPE2 || place == READ_END)
		return pipe(pair) == 0 ? (fds[place] = pair[place != READ_END]) : -1;
	if (place == SOCK || place == SOCK2)
		return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 ? (fds[place] = pair[0]) : -1;
	if (place == TTY) {
		int master = posix_openpt(O_RDWR | O_NOCTTY);

		unlockpt(master);
		return fds[place] = open(ptsname(master), O_RDWR | O_NOCTTY);
	}
	return fds[place] = open(place == NUL ? "/dev/null" : "/proc/self/exe", O_RDONLY);
}

/* In a child: the descriptors are its own. Its status names the first thing that was not as it should be. */
static int look(const struct row *row)
{
	struct relay_conf conf = {.stdout_to_stderr = row->stdout_to_stderr, .terminal = true};
	struct relay_plan plan;
	int fds[PLACES] = {0}, at[3];

	setsid();
	for (int i = 0; i < 3; i++)
		at[i] = open_place(row->at[i], fds);
	if (row->controlling && fds[TTY] > 0)
		ioctl(fds[TTY], TIOCSCTTY, 0);
	for (int i = 0; i < 3; i++)
		if (at[i] < 0)
			close(i);
		else
			dup2(at[i], i);
	relay_plan(&conf, &plan);
	for (int i = 0; i < 3; i++)
		if (plan.mode[i] != row->want[i])
			return 10 + i;
	return plan.shared == row->shared ? 0 : 20;
}

static void each_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int status = -1;
		pid_t pid = fork();

		if (pid == 0)
			_exit(look(&rows[i]));
		waitpid(pid, &status, 0);
		if (status != 0)
			fail_msg("row %zu: status %d", i, WEXITSTATUS(status));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_row)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
