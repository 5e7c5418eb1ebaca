/* SPDX-License-Identifier: MIT */
/* Stays until COMMAND and the relay have ended, whatever becomes of memwatch. */
#include "command/session_leader.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/sigfd.h"
#include "command/helper.h"
#include "command/session_witness.h"

/* Killed together, as by kill -9 of the whole job: without memwatch COMMAND would have been among them. */
enum { TOGETHER_MS = 200, ORDER_MS = 2000 };

struct order {
	unsigned number;
	bool foreground;
	pid_t cont;
};

struct news {
	enum session_leader_news kind;
	int value; /* COMMAND's process number, its status, a signal for the job */
};

struct leader {
	int news, orders, life, tty; /* -1: closed */
	struct sigfd signals;
	pid_t command;
	pid_t foreground; /* group to bring back to the terminal's foreground */
	struct session_witness witness;
	bool ended;
	int64_t orders_ns, life_ns; /* when each was closed */
};

static void set_foreground(struct leader *w, bool foreground)
{
	pid_t now = tcgetpgrp(w->tty);

	if (now < 0)
		return;
	if (foreground && now == getpgrp()) {
		tcsetpgrp(w->tty, w->foreground);
	} else if (!foreground && now != getpgrp()) {
		w->foreground = now;
		tcsetpgrp(w->tty, getpgrp());
	}
}

static void tell(const struct leader *w, enum session_leader_news kind, int value)
{
	struct news news = {.kind = kind, .value = value};

	send(w->news, &news, sizeof(news), MSG_NOSIGNAL);
}

static void tell_signal(void *arg, int signo)
{
	tell(arg, SESSION_LEADER_SIGNAL, signo);
}

static int status_of(const siginfo_t *info)
{
	switch (info->si_code) {
	case CLD_EXITED:
		return W_EXITCODE(info->si_status, 0);
	case CLD_DUMPED:
		return W_EXITCODE(0, info->si_status) | WCOREFLAG;
	case CLD_STOPPED:
		return W_STOPCODE(info->si_status);
	case CLD_CONTINUED:
		return __W_CONTINUED;
	default:
		return W_EXITCODE(0, info->si_status);
	}
}

/* False when there is nothing of the kind. */
static bool has_news(const struct leader *w, int flags, siginfo_t *info)
{
	int err;

	*info = (siginfo_t){0};
	do
		err = waitid(P_PID, (id_t)w->command, info, flags | WNOHANG);
	while (err != 0 && errno == EINTR);
	return err == 0 && info->si_pid != 0;
}

/* The terminal's foreground is the leader's from now on, so that what COMMAND leaves behind gets no SIGHUP
 * when the leader ends. COMMAND stays unreaped: memwatch may be about to send it a signal. */
static void look_at_command(struct leader *w)
{
	siginfo_t info;

	while (!w->ended && has_news(w, WSTOPPED | WCONTINUED, &info)) {
		session_witness_sync(&w->witness);
		tell(w, SESSION_LEADER_STATUS, status_of(&info));
	}
	if (w->ended || !has_news(w, WEXITED | WNOWAIT, &info))
		return;
	w->ended = true;
	session_witness_sync(&w->witness);
	session_witness_stop(&w->witness);
	set_foreground(w, false);
	fds_close(&w->tty);
	tell(w, SESSION_LEADER_STATUS, status_of(&info));
}

/* Nobody is left who would tell COMMAND that its terminal is gone. */
static void deserted(struct leader *w)
{
	int64_t apart_ns = w->orders_ns - w->life_ns;
	bool together = apart_ns < TOGETHER_MS * NS_PER_MS && apart_ns > -TOGETHER_MS * NS_PER_MS;

	if (w->ended)
		return;
	kill(-w->command, together ? SIGKILL : SIGHUP);
	kill(-w->command, SIGCONT);
}

/* One of the two who would is gone. */
static void lose(struct leader *w, int *fd, int64_t *when_ns)
{
	fds_close(fd);
	*when_ns = clock_mono_ns();
	if (w->orders < 0 && w->life < 0)
		deserted(w);
}

static void on_order(struct leader *w)
{
	struct order o;
	ssize_t n = recv(w->orders, &o, sizeof(o), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n == (ssize_t)sizeof(o)) {
		set_foreground(w, o.foreground);
		if (o.cont && !w->ended)
			kill(o.cont, SIGCONT);
		send(w->orders, &o, sizeof(o), MSG_NOSIGNAL);
		return;
	}
	lose(w, &w->orders, &w->orders_ns);
}

/* Nothing is ever written to it: what can be read is its end. */
static void on_life(struct leader *w)
{
	struct pollfd p = {.fd = w->life, .events = POLLIN};

	if (poll(&p, 1, 0) == 1)
		lose(w, &w->life, &w->life_ns);
}

static void serve(struct leader *w)
{
	while (!w->ended || w->life >= 0) {
		struct pollfd fds[] = {{.fd = w->orders, .events = POLLIN},
				       {.fd = w->life, .events = POLLIN},
				       {.fd = w->signals.fd, .events = POLLIN}};
		struct signalfd_siginfo info;

		if (w->ended && w->orders < 0)
			waitpid(w->command, NULL, WNOHANG);
		fds_poll(fds, 3, -1);
		if (fds[2].revents && sigfd_take(&w->signals, &info))
			look_at_command(w);
		if (fds[0].revents)
			on_order(w);
		if (fds[1].revents)
			on_life(w);
	}
}

static int child_signals(struct sigfd *out)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	return sigfd_open(out, &set);
}

/* COMMAND waits at its gate and has done nothing yet. */
static _Noreturn void give_up(const struct leader *w, int err)
{
	tell(w, SESSION_LEADER_FAILED, -err);
	helper_end(w->command);
	_exit(1);
}

static int lead_session(struct leader *w)
{
	if (setsid() < 0 || ioctl(w->tty, TIOCSCTTY, 0) != 0)
		return -errno;
	return child_signals(&w->signals);
}

/* What the child holds open of the leader's would outlive it. */
static int fork_command(struct leader *w, const struct launch_plan *plan, struct launch_gate *gate)
{
	w->command = w->foreground = fork();
	if (w->command < 0)
		return -errno;
	if (w->command == 0) {
		close(w->news);
		close(w->orders);
		setpgid(0, 0);
		launch_become(plan, gate);
	}
	setpgid(w->command, w->command);
	return 0;
}

static _Noreturn void be_session_leader(int news, int orders, const struct session_leader_place *place,
					const struct launch_plan *plan, struct launch_gate *gate)
{
	struct leader w = {.news = news, .orders = orders, .life = place->life, .tty = place->tty};
	pid_t memwatch = getppid();
	int err = lead_session(&w);

	if (!err)
		err = fork_command(&w, plan, gate);
	if (!err)
		err = session_witness_start(&w.witness, w.command, (pid_t[]){memwatch, getpid()}, w.news,
					    tell_signal, &w);
	if (err)
		give_up(&w, err);
	fds_keep_only((int[]){w.news, w.orders, w.life, w.tty, w.signals.fd, w.witness.fd}, 6);
	helper_settle("memwatch-pty");
	set_foreground(&w, place->foreground);
	tell(&w, SESSION_LEADER_STARTED, w.command);
	serve(&w);
	_exit(0);
}

static int open_sockets(int news[2], int orders[2])
{
	int err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, news) != 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders) == 0)
		return 0;
	err = -errno;
	close(news[0]);
	close(news[1]);
	return err;
}

static int await_command(struct session_leader *m, pid_t *command)
{
	struct news first;

	if (helper_receive(m->pid, m->fd, &first, sizeof(first)) != (ssize_t)sizeof(first))
		return -ECHILD;
	if (first.kind != SESSION_LEADER_STARTED)
		return -first.value;
	*command = first.value;
	return 0;
}

/* A child that still waits at the gate ends when that is closed. */
static void forget(struct session_leader *m, struct launch_child *child)
{
	helper_end(m->pid);
	session_leader_close(m);
	*m = (struct session_leader){.fd = -1, .order_fd = -1};
	close(child->go_fd);
	close(child->report_fd);
	*child = (struct launch_child){.pid = -1, .go_fd = -1, .report_fd = -1};
}

int session_leader_fork(struct session_leader *m, const struct session_leader_place *place,
			const struct launch_plan *plan, struct launch_child *out)
{
	struct launch_gate gate;
	int news[2] = {-1, -1}, orders[2] = {-1, -1}, err = launch_gate_open(&gate);

	if (err)
		return err;
	err = open_sockets(news, orders);
	if (err) {
		launch_gate_close(&gate);
		return err;
	}
	m->pid = fork();
	if (m->pid == 0)
		be_session_leader(news[1], orders[1], place, plan, &gate);
	err = m->pid < 0 ? -errno : 0;
	close(news[1]);
	close(orders[1]);
	m->fd = news[0];
	m->order_fd = orders[0];
	launch_gate_keep(&gate, out);
	if (!err)
		err = await_command(m, &out->pid);
	if (err)
		forget(m, out);
	return err;
}

void session_leader_order(struct session_leader *m, bool foreground, pid_t cont)
{
	struct order o = {.number = ++m->orders, .foreground = foreground, .cont = cont};

	if (m->fd >= 0 && send(m->order_fd, &o, sizeof(o), MSG_NOSIGNAL) > 0)
		helper_answer(m->pid, m->order_fd, m->orders, &o, sizeof(o), ORDER_MS);
}

enum session_leader_news session_leader_next(struct session_leader *m, int *value)
{
	struct news news;
	ssize_t n = m->fd >= 0 ? recv(m->fd, &news, sizeof(news), MSG_DONTWAIT) : -1;

	m->gone = m->gone || n == 0;
	if (n != (ssize_t)sizeof(news))
		return SESSION_LEADER_NOTHING;
	*value = news.value;
	return news.kind;
}

void session_leader_close(struct session_leader *m)
{
	fds_close(&m->fd);
	fds_close(&m->order_fd);
}
