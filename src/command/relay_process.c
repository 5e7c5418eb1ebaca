/* SPDX-License-Identifier: MIT */
/* The relay as a process of its own: lives as long as somebody may write to what it passes on, with or
 * without memwatch. No signal but SIGKILL and SIGSTOP reaches it. */
#include "command/relay_process.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/turns.h"
#include "command/helper.h"
#include "command/relay_pipe.h"
#include "command/relay_proto.h"
#include "command/relay_pty.h"

enum {
	AT_CONTROL,
	AT_PTY,
	AT_PIPES = AT_PTY + RELAY_PTY_POLLS,
	POLLS = AT_PIPES + RELAY_PIPES_MAX * RELAY_PIPE_POLLS,
};

enum { FAILURES_MAX = 100 };

struct relay_state {
	int control; /* -1: memwatch is gone or has gone its way */
	bool ending;
	unsigned end_question; /* to be answered when that is done */
	int pipe_count;
	struct output_copy_writer copy;
	struct relay_pipe pipes[RELAY_PIPES_MAX];
	struct relay_pty pty;
	bool told_taken;
	int failures;     /* of hearing memwatch in a row, for no reason that lasts */
	bool plain_turns; /* scheduled as processes are by default */
	bool flooded;
};

static void settle_in(const struct relay_setup *setup)
{
	int keep[5 + 2 * RELAY_PIPES_MAX];
	size_t n = 0;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	keep[n++] = setup->control;
	keep[n++] = setup->copy.fd;
	keep[n++] = setup->tty;
	keep[n++] = setup->master;
	keep[n++] = setup->life;
	for (int i = 0; i < setup->pipe_count; i++) {
		keep[n++] = setup->pipes[i].in;
		keep[n++] = setup->pipes[i].out;
	}
	fds_keep_only(keep, n);
	helper_settle("memwatch-relay");
}

/* question: the number of the one that this answers, or 0. */
static void tell(struct relay_state *s, enum relay_word word, unsigned question)
{
	struct relay_message m;

	memset(&m, 0, sizeof(m)); /* what pads it is sent as well */
	m.word = word;
	m.question = question;
	m.modes = s->pty.before;
	if (s->control >= 0)
		send(s->control, &m, sizeof(m), MSG_NOSIGNAL);
}

static void tell_taken(struct relay_state *s, unsigned question)
{
	s->told_taken = s->pty.taken;
	tell(s, s->pty.taken ? RELAY_TAKEN : RELAY_NOT_TAKEN, question);
}

static void forget_memwatch(struct relay_state *s)
{
	close(s->control);
	s->control = -1;
	output_copy_close_writer(&s->copy);
	relay_pty_release(&s->pty);
}

static void start_ending(struct relay_state *s)
{
	s->ending = true;
	for (int i = 0; i < s->pipe_count; i++)
		relay_pipe_flush(&s->pipes[i]);
	relay_pty_end(&s->pty, &s->copy);
}

static void obey(struct relay_state *s)
{
	struct relay_message m;
	ssize_t n = recv(s->control, &m, sizeof(m), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR || ++s->failures < FAILURES_MAX))
		return;
	if (n != (ssize_t)sizeof(m)) {
		forget_memwatch(s);
		return;
	}
	s->failures = 0;
	switch (m.word) {
	case RELAY_TAKE:
		relay_pty_take(&s->pty);
		tell_taken(s, m.question);
		break;
	case RELAY_KEYS:
		s->pty.passing = true;
		break;
	case RELAY_RELEASE:
		relay_pty_release(&s->pty);
		tell_taken(s, m.question);
		break;
	case RELAY_TITLE:
		relay_pty_title(&s->pty, m.title);
		break;
	case RELAY_END:
		s->end_question = m.question;
		start_ending(s);
		break;
	default:
		break;
	}
}

static bool all_flushed(const struct relay_state *s)
{
	for (int i = 0; i < s->pipe_count; i++)
		if (!relay_pipe_flushed(&s->pipes[i]))
			return false;
	return s->pty.master < 0 || s->pty.drained;
}

static bool has_work(const struct relay_state *s)
{
	for (int i = 0; i < s->pipe_count; i++)
		if (s->pipes[i].in >= 0)
			return true;
	return s->pty.master >= 0;
}

/* What happened without being asked for. */
static void tell_changes(struct relay_state *s)
{
	if (s->pty.hung_up) {
		s->pty.hung_up = false;
		tell(s, RELAY_HUNG_UP, 0);
	}
	if (s->pty.taken != s->told_taken)
		tell_taken(s, 0);
	if (s->ending && all_flushed(s)) {
		s->ending = false;
		tell(s, RELAY_DONE, s->end_question);
	}
}

/* A flood keeps COMMAND, relay and reader all busy. Where they share two cores, a relay that takes its turn
 * whenever one page has come takes it from the others: so it waits for its turn, between wider pipes
 * (tests/relay/measure prints what share of a bare pipe's flow it passes on). What overflows the copy is a flood,
 * until the first output after the copy was emptied. Anything less is passed on at once, and COMMAND runs ahead of
 * its reader by no more than two pipes. */
static void meet_flood(struct relay_state *s)
{
	struct sched_param none = {0};

	if (s->copy.full == s->flooded)
		return;
	s->flooded = s->copy.full;
	if (s->plain_turns)
		sched_setscheduler(0, (s->flooded ? SCHED_BATCH : SCHED_OTHER) | SCHED_RESET_ON_FORK, &none);
	turns_short(NS_PER_MS / 10);
	for (int i = 0; i < s->pipe_count; i++)
		relay_pipe_widen(&s->pipes[i], s->flooded);
}

static void one_round(struct relay_state *s, int timeout_ms)
{
	struct pollfd fds[POLLS];

	fds[AT_CONTROL] = (struct pollfd){.fd = s->control, .events = POLLIN};
	relay_pty_poll(&s->pty, &fds[AT_PTY]);
	for (int i = 0; i < s->pipe_count; i++)
		relay_pipe_poll(&s->pipes[i], &fds[AT_PIPES + i * RELAY_PIPE_POLLS]);
	fds_poll(fds, (size_t)(AT_PIPES + s->pipe_count * RELAY_PIPE_POLLS), timeout_ms);
	for (int i = 0; i < s->pipe_count; i++)
		relay_pipe_ready(&s->pipes[i], &fds[AT_PIPES + i * RELAY_PIPE_POLLS], &s->copy);
	relay_pty_ready(&s->pty, &fds[AT_PTY], &s->copy);
	if (fds[AT_CONTROL].revents)
		obey(s);
	tell_changes(s);
	meet_flood(s);
}

/* The first round comes before READY: a reader that is gone already must be so for COMMAND's first write. */
void relay_process(const struct relay_setup *setup)
{
	static struct relay_state s;

	settle_in(setup);
	s.control = setup->control;
	s.copy = setup->copy;
	s.pipe_count = setup->pipe_count;
	s.plain_turns = sched_getscheduler(0) == SCHED_OTHER;
	turns_short(NS_PER_MS / 10);
	for (int i = 0; i < s.pipe_count; i++)
		relay_pipe_init(&s.pipes[i], setup->pipes[i].in, setup->pipes[i].out, setup->pipes[i].stream);
	s.pty.tty = s.pty.master = -1;
	if (setup->master >= 0)
		relay_pty_init(&s.pty, setup->tty, setup->master, setup->title);
	one_round(&s, 0);
	tell(&s, RELAY_READY, RELAY_FIRST_QUESTION);
	while (has_work(&s))
		one_round(&s, relay_pty_timeout_ms(&s.pty));
	_exit(0);
}
