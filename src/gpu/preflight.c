/* SPDX-License-Identifier: MIT */
/* Asks for devices in a child process: a driver that hangs is left behind with it, and this process stays
 * free of driver state when it forks COMMAND. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/gpu.h"

/* What the child says: nothing when all is there, else one line. */
static _Noreturn void ask(const struct gpu_env *env, const char *which, int out)
{
	static struct gpu_devices set;
	char why[GPU_WHY_MAX] = "";
	int err = gpu_devices_open(&set, env, which, why, sizeof(why));

	if (err && write(out, why, strlen(why)) < 0)
		_exit(1);
	_exit(err != 0);
}

static int wait_for_line(int fd, int64_t timeout_ns, char *why, size_t size)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int64_t end_ns = clock_mono_ns() + timeout_ns, left_ms;
	ssize_t n;
	int got;

	do {
		left_ms = (end_ns - clock_mono_ns()) / NS_PER_MS;
		got = poll(&p, 1, left_ms > 0 ? (int)left_ms : 0);
	} while (got < 0 && errno == EINTR);
	if (got <= 0) {
		snprintf(why, size, "the GPU driver has not answered within %lld s",
			 (long long)(timeout_ns / NS_PER_S));
		return -ETIMEDOUT;
	}
	n = read(fd, why, size - 1);
	why[n < 0 ? 0 : n] = '\0';
	return n > 0 ? -ENODEV : 0;
}

int gpu_preflight(const struct gpu_conf *conf, int64_t timeout_ns, char *why, size_t why_size)
{
	static struct gpu_notes unheard;
	struct gpu_env env = gpu_env_of(conf, &unheard);
	int ends[2], err;
	pid_t child;

	snprintf(why, why_size, "no process can be started to ask the driver");
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	child = fork();
	if (child == 0)
		ask(&env, conf->which ? conf->which : "auto", ends[1]);
	close(ends[1]);
	err = child < 0 ? -errno : wait_for_line(ends[0], timeout_ns, why, why_size);
	close(ends[0]);
	if (child > 0) {
		kill(child, SIGKILL);
		/* A child that is stuck in the driver cannot be reaped now; it is init's when this process
		 * ends. */
		waitpid(child, NULL, err == -ETIMEDOUT ? WNOHANG : 0);
	}
	return err;
}
