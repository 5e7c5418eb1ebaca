/* SPDX-License-Identifier: MIT */
/* Who is it that --pid names? Held by a pidfd, so that the end is noticed at once and a reused number never
 * followed. Knows nothing of memory. */
#include "command/target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/plain_text.h"
#include "base/procfile.h"

static void append_text(char out[TARGET_COMMAND_MAX], size_t *len, const char *s)
{
	char *begin = out + *len;

	for (; *s && *len < TARGET_COMMAND_MAX - 4; s++)
		out[(*len)++] = *s;
	out[*len] = '\0';
	plain_text(begin);
	if (*s)
		strcpy(out + *len, "...");
}

void target_command_text(char *const *argv, char out[TARGET_COMMAND_MAX])
{
	size_t len = 0;

	out[0] = '\0';
	for (; *argv && len < TARGET_COMMAND_MAX - 4; argv++) {
		if (len > 0)
			append_text(out, &len, " ");
		append_text(out, &len, *argv);
	}
}

/* The arguments are separated by NUL bytes. A process that has none shows its name, as ps(1) does. */
static void read_command(struct target *a, const char *name)
{
	char path[PROC_PATH_MAX], buf[TARGET_COMMAND_MAX];
	ssize_t n;
	size_t len = 0;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)a->pid);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf) - 1);
	if (n <= 0) {
		append_text(a->command, &len, name);
		return;
	}
	for (ssize_t i = 0; i < n - 1; i++)
		if (buf[i] == '\0')
			buf[i] = ' ';
	buf[n] = '\0';
	append_text(a->command, &len, buf);
}

/* By what it is and not by its number or parent: in a container process 2 is an ordinary one. */
static bool is_kernel_thread(pid_t pid)
{
	char path[PROC_PATH_MAX], buf[PROC_CHUNK];
	bool kernel = false;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf));
	return n > 0 && proc_parse_kernel_thread(buf, (size_t)n, &kernel) == 0 && kernel;
}

/* A main thread that called pthread_exit() is a zombie too, but the process lives on in the others. */
static bool has_ended(const struct proc_identity *who, const char *status, size_t n)
{
	struct proc_hints hints = {0};
	struct proc_status now;

	if (who->state != 'Z' && who->state != 'X')
		return false;
	return proc_parse_status(status, n, &hints, &now) != 0 || now.threads <= 1;
}

/* Plain reads: procps_pids_new() of libproc2 4.0.2 loads libnuma, 190 of the 500 system calls of a start. */
static enum target_refusal identify(struct target *a)
{
	char path[PROC_PATH_MAX], buf[PROC_CHUNK];
	struct proc_identity who;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)a->pid);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf));
	if (n <= 0 || proc_parse_identity(buf, (size_t)n, &who) != 0)
		return kill(a->pid, 0) == 0 || errno == EPERM ? TARGET_HIDDEN : TARGET_NO_SUCH_PROCESS;
	if (who.tgid != a->pid) {
		a->pid = who.tgid;
		return TARGET_THREAD;
	}
	if (has_ended(&who, buf, (size_t)n))
		return TARGET_ZOMBIE;
	read_command(a, who.name);
	return is_kernel_thread(a->pid) ? TARGET_KERNEL_THREAD : TARGET_OK;
}

enum target_refusal target_open(pid_t pid, struct target *out)
{
	enum target_refusal refusal;

	*out = (struct target){.pid = pid, .pidfd = -1};
	refusal = identify(out);
	if (refusal != TARGET_OK)
		return refusal;
	out->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	return out->pidfd < 0 && errno == ESRCH ? TARGET_NO_SUCH_PROCESS : TARGET_OK;
}

/* Readable from the end on, also while it is a zombie. */
bool target_ended(const struct target *a)
{
	struct pollfd p = {.fd = a->pidfd, .events = POLLIN};

	return poll(&p, 1, 0) > 0;
}

void target_close(struct target *a)
{
	fds_close(&a->pidfd);
}
