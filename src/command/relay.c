/* SPDX-License-Identifier: MIT */
/* Forks the process that stands between COMMAND and its output, and listens. The bytes pass by that process alone:
 * memwatch only gets copies. */
#include "command/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/msg.h"
#include "base/tty.h"
#include "command/helper.h"
#include "command/relay_ends.h"
#include "command/relay_process.h"
#include "command/relay_proto.h"

/* A stream of short lines costs memwatch at most 50 wake-ups a second, and a flood of output at most a
 * twentieth of a core. A few pieces in a row are read as they come: the end of an epoch's line may be a write of its
 * own, and heaps are to be read right after it. */
enum {
	OUTPUT_COPY_PASS_BYTES = 131072,
	OUTPUT_COPY_PASS_NS = 20 * NS_PER_MS,
	OUTPUT_COPY_PASS_PER_WORK = 20,
	OUTPUT_COPY_PASSES_IN_A_ROW = 10
};

enum { LOOK_MS = 1000 };

static void set_taken(struct relay *r, bool taken)
{
	r->taken = taken;
	msg_raw_terminal(taken);
}

/* Without waiting for it. */
static void let_go(struct relay *r)
{
	output_copy_close_reader(&r->copy);
	fds_close(&r->pause_fd);
	fds_close(&r->fd);
	session_leader_close(&r->leader);
	set_taken(r, false);
}

static void note_message(struct relay *r, const struct relay_message *m)
{
	switch (m->word) {
	case RELAY_TAKEN:
		r->modes = m->modes;
		set_taken(r, true);
		break;
	case RELAY_NOT_TAKEN:
		set_taken(r, false);
		break;
	case RELAY_HUNG_UP:
		r->hung_up = true;
		break;
	default:
		break;
	}
}

enum heard { HEARD_MESSAGE, HEARD_NOTHING, HEARD_END };

/* The next message, of which the kind is left in *m. A call that fails is no end: COMMAND would be told that its terminal
 * is gone. */
static enum heard hear(struct relay *r, struct relay_message *m)
{
	ssize_t n = recv(r->fd, m, sizeof(*m), MSG_DONTWAIT);

	if (n == (ssize_t)sizeof(*m)) {
		note_message(r, m);
		return HEARD_MESSAGE;
	}
	return n < 0 ? HEARD_NOTHING : HEARD_END;
}

/* Waits for the answer to what was asked last. False when none comes. */
static bool await_answer(struct relay *r)
{
	struct relay_message m = {0};

	while (m.question != r->asked) {
		if (helper_receive(r->pid, r->fd, &m, sizeof(m)) != (ssize_t)sizeof(m))
			return false;
		note_message(r, &m);
	}
	return true;
}

static bool say_to_relay(struct relay *r, enum relay_word word)
{
	struct relay_message m = {.question = ++r->asked, .word = word};

	return r->fd >= 0 && send(r->fd, &m, sizeof(m), MSG_NOSIGNAL) == (ssize_t)sizeof(m);
}

void relay_title(struct relay *r, const char *title)
{
	struct relay_message m = {.word = RELAY_TITLE};

	snprintf(m.title, sizeof(m.title), "%s", title);
	if (r->fd >= 0)
		send(r->fd, &m, sizeof(m), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int fork_relay(struct relay *r, struct relay_setup *setup)
{
	int pair[2], err = output_copy_open(&r->copy, &setup->copy);

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

static void close_child_fds(struct relay *r)
{
	for (int fd = 0; fd < 3; fd++) {
		int own = r->child_fds[fd];

		r->child_fds[fd] = -1;
		if (own > STDERR_FILENO && own != r->child_fds[1] && own != r->child_fds[2])
			close(own);
	}
	fds_close(&r->place.tty);
	fds_close(&r->place.life);
}

void relay_none(struct relay *r)
{
	*r = (struct relay){
	    .fd = -1,
	    .asked = RELAY_FIRST_QUESTION,
	    .child_fds = {-1, -1, -1},
	    .place = {.tty = -1, .life = -1},
	    .leader = {.fd = -1, .order_fd = -1},
	    .copy = {.fd = -1},
	    .pause_fd = -1,
	};
}

int relay_start(struct relay *r, const struct relay_conf *conf)
{
	struct relay_plan plan;
	struct relay_setup setup = {
	    .control = -1, .copy = {.fd = -1}, .tty = -1, .master = -1, .life = -1, .title = conf->title};
	int err;

	relay_none(r);
	relay_plan(conf, &plan);
	err = relay_ends_open(r, &plan, &setup);
	if (!err && (setup.pipe_count > 0 || r->terminal))
		err = fork_relay(r, &setup);
	relay_ends_close(&setup);
	if (!err && r->pid > 0 && !await_answer(r))
		err = -ECHILD;
	if (err) {
		close_child_fds(r);
		let_go(r);
		relay_none(r);
	}
	return err;
}

/* Known to memwatch before the relay changes them: it may be killed before it can tell. */
static void remember_modes(struct relay *r)
{
	int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (tty < 0)
		return;
	r->modes_known = tty_get_modes(tty, &r->modes) == 0;
	close(tty);
}

static void let_take_terminal(struct relay *r)
{
	remember_modes(r);
	if (say_to_relay(r, RELAY_TAKE))
		await_answer(r);
}

int relay_fork(struct relay *r, const struct launch_plan *plan, struct launch_child *out)
{
	int err;

	if (r->terminal) {
		let_take_terminal(r);
		r->place.foreground = r->taken;
		err = session_leader_fork(&r->leader, &r->place, plan, out);
	} else {
		err = launch_fork(plan, out);
	}
	if (err)
		return err;
	close_child_fds(r);
	r->command = out->pid;
	if (r->taken)
		say_to_relay(r, RELAY_KEYS);
	return 0;
}

void relay_release_terminal(struct relay *r)
{
	if (r->terminal && say_to_relay(r, RELAY_RELEASE))
		await_answer(r);
}

/* A Ctrl-Z that came before the SIGCONT would be lost, a Ctrl-C before the foreground would miss COMMAND. */
static void join_ground(struct relay *r, pid_t cont)
{
	session_leader_order(&r->leader, r->taken, cont);
	if (r->taken)
		say_to_relay(r, RELAY_KEYS);
}

void relay_resume(struct relay *r, pid_t cont)
{
	if (r->terminal)
		let_take_terminal(r);
	join_ground(r, cont);
}

/* By memwatch, because the relay could not. */
static void restore_terminal(struct relay *r)
{
	int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (tty >= 0 && (r->taken || r->modes_known)) {
		struct termios raw;

		tty_make_raw(&r->modes, &raw);
		tty_restore(tty, &raw, &r->modes);
	}
	if (tty >= 0)
		close(tty);
	set_taken(r, false);
}

/* The relay was killed: as if its terminal had been unplugged, but the user's is still there. */
static void mourn(struct relay *r)
{
	restore_terminal(r);
	kill(-r->command, SIGHUP);
	kill(-r->command, SIGCONT);
}

void relay_ended(struct relay *r, int status)
{
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		r->killed = true;
}

void relay_give_up(struct relay *r)
{
	if (r->terminal) {
		relay_release_terminal(r);
		restore_terminal(r);
	}
	helper_end(r->pid);
	close_child_fds(r);
	let_go(r);
	relay_none(r);
}

void relay_ready(struct relay *r)
{
	struct relay_message m;
	enum heard heard = hear(r, &m);

	if (heard == HEARD_MESSAGE && r->terminal && (m.word == RELAY_TAKEN || m.word == RELAY_NOT_TAKEN))
		join_ground(r, 0);
	if (heard != HEARD_END)
		return;
	loop_remove(r->loop, r->fd);
	fds_close(&r->fd);
	if (r->terminal && !r->hung_up)
		mourn(r);
}

static void on_control(void *arg)
{
	relay_ready(arg);
}

static void on_copy(void *arg);

void relay_stop_listening(struct relay *r)
{
	r->fn = NULL;
	if (r->copy.fd < 0)
		return;
	loop_remove(r->loop, r->copy.fd);
	output_copy_close_reader(&r->copy);
}

static void on_pause_over(void *arg)
{
	struct relay *r = arg;
	uint64_t times;

	if (read(r->pause_fd, &times, sizeof(times)) < 0)
		return;
	if (r->copy.fd >= 0 && loop_add(r->loop, r->copy.fd, on_copy, r) != 0)
		relay_stop_listening(r);
}

/* What a pass costs is saved up in the time between; what is lacking has to be waited for. */
static int64_t pause_after(struct relay *r, int64_t began_ns)
{
	const int64_t most_ns = (int64_t)OUTPUT_COPY_PASSES_IN_A_ROW * OUTPUT_COPY_PASS_NS;
	int64_t now_ns = clock_mono_ns(), cost_ns = (now_ns - began_ns) * OUTPUT_COPY_PASS_PER_WORK;

	r->saved_ns += now_ns - r->pass_ns;
	if (r->saved_ns > most_ns)
		r->saved_ns = most_ns;
	r->pass_ns = now_ns;
	r->saved_ns -= cost_ns > OUTPUT_COPY_PASS_NS ? cost_ns : OUTPUT_COPY_PASS_NS;
	return r->saved_ns < 0 ? -r->saved_ns : 0;
}

static void on_copy(void *arg)
{
	struct relay *r = arg;
	struct itimerspec pause = {0};
	int64_t began_ns = clock_mono_ns();

	if (!output_copy_read(&r->copy, OUTPUT_COPY_PASS_BYTES, r->fn, r->arg)) {
		relay_stop_listening(r);
		return;
	}
	pause.it_value = clock_timespec(pause_after(r, began_ns));
	if (pause.it_value.tv_sec == 0 && pause.it_value.tv_nsec == 0)
		return;
	loop_remove(r->loop, r->copy.fd);
	if (timerfd_settime(r->pause_fd, 0, &pause, NULL) != 0)
		relay_stop_listening(r);
}

int relay_listen(struct relay *r, struct loop *loop, output_copy_fn *fn, void *arg)
{
	int err;

	r->loop = loop;
	r->fn = fn;
	r->arg = arg;
	if (r->pid <= 0)
		return 0;
	err = loop_add(loop, r->fd, on_control, r);
	if (err)
		return err;
	r->pause_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	err = r->pause_fd < 0 ? -errno : loop_add(loop, r->pause_fd, on_pause_over, r);
	if (!err)
		err = loop_add(loop, r->copy.fd, on_copy, r);
	if (err)
		output_copy_close_reader(&r->copy);
	return err;
}

/* What is in the copy now and no more: what COMMAND left behind may write on and on. */
static void hear_out(struct relay *r)
{
	int waiting = 0;

	if (r->fn && r->copy.fd >= 0 && ioctl(r->copy.fd, FIONREAD, &waiting) == 0 && waiting > 0)
		output_copy_read(&r->copy, (size_t)waiting, r->fn, r->arg);
}

/* It has closed its socket, so it is about to end if it has not yet: of what it took along, something is missing
 * unless it ended by itself. One that lives on all the same still passes on what there is. */
static void see_its_end(struct relay *r)
{
	int status = 0;

	if (helper_await_end(r->pid, &status))
		relay_ended(r, status);
}

static bool is_done(struct relay *r)
{
	struct relay_message m;
	enum heard heard = hear(r, &m);

	if (heard == HEARD_END)
		see_its_end(r);
	return heard == HEARD_END || (heard == HEARD_MESSAGE && m.word == RELAY_DONE);
}

/* The relay may have been stopped; it answers as late as its reader likes. */
void relay_finish(struct relay *r, int interrupt_fd, bool (*interrupted)(void *ctx), void *ctx)
{
	bool waiting = say_to_relay(r, RELAY_END);

	while (waiting) {
		struct pollfd fds[] = {{.fd = r->fd, .events = POLLIN},
				       {.fd = interrupt_fd, .events = POLLIN}};

		if (fds_poll(fds, 2, LOOK_MS) == 0)
			kill(r->pid, SIGCONT);
		if (fds[0].revents && is_done(r))
			waiting = false;
		if (fds[1].revents && interrupted(ctx))
			waiting = false;
	}
	hear_out(r);
	let_go(r);
}
