/* SPDX-License-Identifier: MIT */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "relay_process.h"
#include "relay_proto.h"

/* A flood of output costs memwatch at most 12.8 MiB of reading per second, and a stream of short lines at most 50
 * wake-ups; epochs need no more than some 100 ms. */
enum { TAP_PASS_BYTES = 262144, TAP_PAUSE_MS = 20 };

/* COMMAND's end has the flags of the real descriptor: it may have been made non-blocking on purpose. */
static int open_ends(enum relay_mode mode, int real, struct relay_ends *ends, int *child_fd)
{
	int pair[2];
	int err = mode == RELAY_SOCKET ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)
				       : pipe2(pair, O_CLOEXEC);

	if (err != 0)
		return -errno;
	fcntl(pair[1], F_SETFL, fcntl(real, F_GETFL) & (O_NONBLOCK | O_APPEND | O_ASYNC));
	ends->in = pair[0];
	ends->out = real;
	*child_fd = pair[1];
	return 0;
}

static int open_pipes(struct relay *r, const struct relay_plan *plan, struct relay_setup *setup)
{
	for (int fd = 1; fd <= 2; fd++) {
		struct relay_ends *ends = &setup->pipes[setup->pipe_count];
		int err;

		if (plan->mode[fd] != RELAY_PIPE && plan->mode[fd] != RELAY_SOCKET)
			continue;
		if (fd == 2 && plan->shared) {
			r->child_fds[2] = r->child_fds[1];
			continue;
		}
		err = open_ends(plan->mode[fd], plan->source[fd], ends, &r->child_fds[fd]);
		if (err)
			return err;
		ends->stream = fd;
		setup->pipe_count++;
	}
	return 0;
}

static void close_relay_ends(struct relay_setup *setup)
{
	tap_close_writer(&setup->tap);
	if (setup->control >= 0)
		close(setup->control);
	for (int i = 0; i < setup->pipe_count; i++)
		close(setup->pipes[i].in);
}

/* True when the word came; false when the relay is gone. */
static bool await(struct relay *r, enum relay_word word)
{
	struct relay_message m;

	do
		if (recv(r->fd, &m, sizeof(m), 0) != (ssize_t)sizeof(m))
			return false;
	while (m.word != word);
	return true;
}

static int fork_relay(struct relay *r, struct relay_setup *setup)
{
	int pair[2], err = tap_open(&r->tap, &setup->tap);

	if (err)
		return err;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -errno;
	r->fd = pair[0];
	setup->control = pair[1];
	r->pid = fork();
	if (r->pid == 0)
		relay_process(setup);
	return r->pid < 0 ? -errno : 0;
}

int relay_none(struct relay *r)
{
	*r = (struct relay){.fd = -1, .child_fds = {-1, -1, -1}, .pause_fd = -1, .tap = {.fd = -1}};
	return 0;
}

int relay_start(struct relay *r, const struct relay_conf *conf)
{
	struct relay_plan plan;
	struct relay_setup setup = {.control = -1, .tap = {.fd = -1}};
	int err;

	relay_none(r);
	relay_plan(conf, &plan);
	err = open_pipes(r, &plan, &setup);
	if (!err && setup.pipe_count > 0)
		err = fork_relay(r, &setup);
	close_relay_ends(&setup);
	if (!err && r->pid > 0 && !await(r, RELAY_READY))
		err = -ECHILD;
	if (err) {
		relay_close_child_fds(r);
		relay_close(r);
	}
	return err;
}

void relay_close_child_fds(struct relay *r)
{
	for (int fd = 0; fd < 3; fd++) {
		bool shared = fd > 0 && r->child_fds[fd] == r->child_fds[fd - 1];

		if (r->child_fds[fd] > STDERR_FILENO && !shared)
			close(r->child_fds[fd]);
	}
	for (int fd = 0; fd < 3; fd++)
		r->child_fds[fd] = -1;
}

static void on_tap(void *arg);

static void stop_listening(struct relay *r)
{
	loop_remove(r->loop, r->tap.fd);
	tap_close_reader(&r->tap);
}

static void on_pause_over(void *arg)
{
	struct relay *r = arg;
	uint64_t times;

	if (read(r->pause_fd, &times, sizeof(times)) < 0)
		return;
	if (r->tap.fd >= 0 && loop_add(r->loop, r->tap.fd, on_tap, r) != 0)
		stop_listening(r);
}

static void on_tap(void *arg)
{
	struct relay *r = arg;
	struct itimerspec pause = {.it_value.tv_nsec = TAP_PAUSE_MS * NS_PER_MS};

	if (!tap_read(&r->tap, TAP_PASS_BYTES, r->fn, r->arg)) {
		stop_listening(r);
		return;
	}
	loop_remove(r->loop, r->tap.fd);
	timerfd_settime(r->pause_fd, 0, &pause, NULL);
}

int relay_listen(struct relay *r, struct loop *loop, tap_fn *fn, void *arg)
{
	int err;

	r->loop = loop;
	r->fn = fn;
	r->arg = arg;
	if (r->pid <= 0)
		return 0;
	r->pause_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (r->pause_fd < 0)
		return -errno;
	err = loop_add(loop, r->pause_fd, on_pause_over, r);
	return err ? err : loop_add(loop, r->tap.fd, on_tap, r);
}

/* False once the relay has answered or is gone. */
static bool hear(struct relay *r)
{
	struct relay_message m;

	return recv(r->fd, &m, sizeof(m), MSG_DONTWAIT) == (ssize_t)sizeof(m) && m.word != RELAY_DONE;
}

static void hear_out(struct relay *r)
{
	while (r->fn && r->tap.fd >= 0 && tap_read(&r->tap, TAP_PASS_BYTES, r->fn, r->arg)) {
		struct pollfd more = {.fd = r->tap.fd, .events = POLLIN};

		if (poll(&more, 1, 0) <= 0)
			return;
	}
}

void relay_finish(struct relay *r, int interrupt_fd, bool (*interrupted)(void *ctx), void *ctx)
{
	struct relay_message m = {.word = RELAY_END};
	bool waiting = r->pid > 0 && send(r->fd, &m, sizeof(m), MSG_NOSIGNAL) > 0;

	while (waiting) {
		struct pollfd fds[] = {{.fd = r->fd, .events = POLLIN},
				       {.fd = interrupt_fd, .events = POLLIN}};

		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents)
			waiting = hear(r);
		if (fds[1].revents && interrupted(ctx))
			waiting = false;
	}
	hear_out(r);
	relay_close(r);
}

void relay_close(struct relay *r)
{
	tap_close_reader(&r->tap);
	if (r->pause_fd >= 0)
		close(r->pause_fd);
	if (r->fd >= 0)
		close(r->fd);
	r->pause_fd = r->fd = -1;
}
