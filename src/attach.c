/* SPDX-License-Identifier: MIT */
/* Who is it that --pid names? Held by a pidfd, so that the end is noticed at once and a reused number never
 * followed. Knows nothing of memory. */
#include "attach.h"

#include <ctype.h>
#include <errno.h>
#include <libproc2/pids.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum item { ITEM_TGID, ITEM_STATE, ITEM_PPID, ITEM_CMDLINE, ITEM_COUNT };

static enum pids_item items[ITEM_COUNT] = {
    [ITEM_TGID] = PIDS_ID_TGID,
    [ITEM_STATE] = PIDS_STATE,
    [ITEM_PPID] = PIDS_ID_PPID,
    [ITEM_CMDLINE] = PIDS_CMDLINE,
};

static void append_text(char out[ATTACH_COMMAND_MAX], size_t *len, const char *s)
{
	for (; *s && *len < ATTACH_COMMAND_MAX - 4; s++)
		out[(*len)++] = iscntrl((unsigned char)*s) ? '?' : *s;
	out[*len] = '\0';
	if (*s)
		strcpy(out + *len, "...");
}

void attach_command_text(char *const *argv, char out[ATTACH_COMMAND_MAX])
{
	size_t len = 0;

	out[0] = '\0';
	for (; *argv && len < ATTACH_COMMAND_MAX - 4; argv++) {
		if (len > 0)
			append_text(out, &len, " ");
		append_text(out, &len, *argv);
	}
}

/* kthreadd is process 2 and the parent of all kernel threads. */
static bool is_kernel_thread(pid_t pid, const struct pids_stack *stack)
{
	return pid == 2 || stack->head[ITEM_PPID].result.s_int == 2;
}

static enum attach_refusal look_at(struct attach *a, const struct pids_stack *stack)
{
	size_t len = 0;
	pid_t tgid = stack->head[ITEM_TGID].result.s_int;

	if (tgid != a->pid) {
		a->pid = tgid;
		return ATTACH_THREAD;
	}
	if (stack->head[ITEM_STATE].result.s_ch == 'Z' || stack->head[ITEM_STATE].result.s_ch == 'X')
		return ATTACH_ZOMBIE;
	append_text(a->command, &len, stack->head[ITEM_CMDLINE].result.str);
	return is_kernel_thread(a->pid, stack) ? ATTACH_KERNEL_THREAD : ATTACH_OK;
}

static enum attach_refusal identify(struct attach *a)
{
	struct pids_info *info = NULL;
	struct pids_fetch *fetched;
	unsigned pid = (unsigned)a->pid;
	enum attach_refusal refusal;

	if (procps_pids_new(&info, items, ITEM_COUNT) < 0)
		return ATTACH_FAILED;
	fetched = procps_pids_select(info, &pid, 1, PIDS_SELECT_PID);
	if (fetched && fetched->counts->total == 1)
		refusal = look_at(a, fetched->stacks[0]);
	else
		refusal = kill(a->pid, 0) == 0 || errno == EPERM ? ATTACH_HIDDEN : ATTACH_NO_SUCH_PROCESS;
	procps_pids_unref(&info);
	return refusal;
}

enum attach_refusal attach_open(pid_t pid, struct attach *out)
{
	enum attach_refusal refusal;

	*out = (struct attach){.pid = pid, .pidfd = -1};
	refusal = identify(out);
	if (refusal != ATTACH_OK)
		return refusal;
	out->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (out->pidfd >= 0 || errno == ENOSYS)
		return ATTACH_OK;
	return errno == ESRCH ? ATTACH_NO_SUCH_PROCESS : ATTACH_FAILED;
}

/* Readable from the end on, also while it is a zombie. */
bool attach_ended(const struct attach *a)
{
	struct pollfd p = {.fd = a->pidfd, .events = POLLIN};

	return poll(&p, 1, 0) > 0;
}

void attach_close(struct attach *a)
{
	if (a->pidfd >= 0)
		close(a->pidfd);
	a->pidfd = -1;
}
