/* SPDX-License-Identifier: MIT */
/* The relay as a process of its own: lives as long as somebody may write to what it passes on, with or without
 * memwatch. No signal but SIGKILL and SIGSTOP reaches it. */
#include "relay_process.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay_pipe.h"
#include "relay_proto.h"

enum { AT_CONTROL, AT_PIPES, POLLS = AT_PIPES + RELAY_PIPES_MAX * RELAY_PIPE_POLLS };

struct relay_state {
	int control; /* -1: memwatch is gone or has gone its way */
	bool ending;
	int pipe_count;
	struct tap_writer tap;
	struct relay_pipe pipes[RELAY_PIPES_MAX];
};

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* A descriptor kept open by the relay would keep somebody else waiting for its end. */
static void keep_only(int *fds, size_t count)
{
	unsigned next = 0;

	qsort(fds, count, sizeof(*fds), by_number);
	for (size_t i = 0; i < count; i++) {
		if (fds[i] < 0)
			continue;
		if ((unsigned)fds[i] > next)
			close_range(next, (unsigned)fds[i] - 1, 0);
		next = (unsigned)fds[i] + 1;
	}
	close_range(next, ~0U, 0);
}

static void settle_in(const struct relay_setup *setup)
{
	int keep[2 + 2 * RELAY_PIPES_MAX];
	size_t n = 0;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "memwatch-relay");
	keep[n++] = setup->control;
	keep[n++] = setup->tap.fd;
	for (int i = 0; i < setup->pipe_count; i++) {
		keep[n++] = setup->pipes[i].in;
		keep[n++] = setup->pipes[i].out;
	}
	keep_only(keep, n);
	if (chdir("/") != 0)
		return;
}

static void tell(struct relay_state *s, enum relay_word word)
{
	struct relay_message m = {.word = word};

	if (s->control >= 0)
		send(s->control, &m, sizeof(m), MSG_NOSIGNAL);
}

static void forget_memwatch(struct relay_state *s)
{
	close(s->control);
	s->control = -1;
	tap_close_writer(&s->tap);
}

static void obey(struct relay_state *s)
{
	struct relay_message m;

	if (recv(s->control, &m, sizeof(m), MSG_DONTWAIT) != (ssize_t)sizeof(m)) {
		forget_memwatch(s);
		return;
	}
	if (m.word == RELAY_END) {
		s->ending = true;
		for (int i = 0; i < s->pipe_count; i++)
			relay_pipe_flush(&s->pipes[i]);
	}
}

static bool all_flushed(const struct relay_state *s)
{
	for (int i = 0; i < s->pipe_count; i++)
		if (!relay_pipe_flushed(&s->pipes[i]))
			return false;
	return true;
}

static bool has_work(const struct relay_state *s)
{
	for (int i = 0; i < s->pipe_count; i++)
		if (s->pipes[i].in >= 0)
			return true;
	return false;
}

static void one_round(struct relay_state *s, int timeout_ms)
{
	struct pollfd fds[POLLS];

	fds[AT_CONTROL] = (struct pollfd){.fd = s->control, .events = POLLIN};
	for (int i = 0; i < s->pipe_count; i++)
		relay_pipe_poll(&s->pipes[i], &fds[AT_PIPES + i * RELAY_PIPE_POLLS]);
	if (poll(fds, (nfds_t)(AT_PIPES + s->pipe_count * RELAY_PIPE_POLLS), timeout_ms) <= 0)
		return;
	for (int i = 0; i < s->pipe_count; i++)
		relay_pipe_ready(&s->pipes[i], &fds[AT_PIPES + i * RELAY_PIPE_POLLS], &s->tap);
	if (fds[AT_CONTROL].revents)
		obey(s);
	if (s->ending && all_flushed(s)) {
		s->ending = false;
		tell(s, RELAY_DONE);
	}
}

/* The first round comes before READY: a reader that is gone already must be so for COMMAND's first write. */
void relay_process(const struct relay_setup *setup)
{
	static struct relay_state s;

	settle_in(setup);
	s.control = setup->control;
	s.tap = setup->tap;
	s.pipe_count = setup->pipe_count;
	for (int i = 0; i < s.pipe_count; i++)
		relay_pipe_init(&s.pipes[i], setup->pipes[i].in, setup->pipes[i].out, setup->pipes[i].stream);
	one_round(&s, 0);
	tell(&s, RELAY_READY);
	while (has_work(&s))
		one_round(&s, -1);
	_exit(0);
}
