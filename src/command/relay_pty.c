/* SPDX-License-Identifier: MIT */
/* Bytes between two terminals. Keys are bytes too: Ctrl-C and Ctrl-Z act in COMMAND's terminal. The user's
 * terminal is touched only while the job is in its foreground. */
#include "command/relay_pty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/tty.h"

/* A shell sends no SIGCONT to a job that runs in the background and is brought to the foreground. */
enum { FOREGROUND_POLL_MS = 200, ROUNDS_MAX = 16 };
enum { AT_TTY, AT_MASTER, AT_RESIZED };

void relay_pty_init(struct relay_pty *p, int tty, int master, bool titles)
{
	sigset_t resized;

	sigemptyset(&resized);
	sigaddset(&resized, SIGWINCH);
	p->tty = tty;
	p->master = master;
	p->titles = titles;
	p->escapes.strict = true;
	sigfd_open(&p->resized, &resized);
	tty_get_modes(master, &p->copied);
}

static void end(struct relay_pty *p)
{
	close(p->master);
	p->master = -1;
	p->drained = true;
}

static void hang_up(struct relay_pty *p)
{
	p->taken = false;
	p->hung_up = true;
	end(p);
}

/* Modes the user changed while COMMAND was stopped are COMMAND's too, unless it has set its own. */
static void copy_modes(struct relay_pty *p)
{
	struct termios now;

	if (tty_get_modes(p->master, &now) != 0 || !tty_same_modes(&now, &p->copied))
		return;
	tty_set_modes(p->master, &p->before);
	tty_get_modes(p->master, &p->copied);
}

/* Keys typed before the terminal was taken have been shown already. Where lines are edited, the end of the
 * file was kept as a zero byte (n_tty). */
static void pass_typed_ahead(struct relay_pty *p)
{
	int waiting = 0;
	ssize_t n;

	if (!(p->before.c_lflag & ECHO) || ioctl(p->tty, FIONREAD, &waiting) != 0 || waiting == 0)
		return;
	n = read(p->tty, p->keys, sizeof(p->keys));
	for (ssize_t i = 0; i < n; i++)
		if (p->keys[i] == '\0' && (p->before.c_lflag & ICANON))
			p->keys[i] = (char)p->before.c_cc[VEOF];
	if (n > 0)
		tty_type_silently(p->master, p->keys, (size_t)n);
}

void relay_pty_take(struct relay_pty *p)
{
	p->wanted = true;
	if (p->taken || p->master < 0 || tcgetpgrp(p->tty) != getpgrp() ||
	    tty_get_modes(p->tty, &p->before) != 0)
		return;
	copy_modes(p);
	tty_copy_size(p->tty, p->master, &p->size);
	tty_make_raw(&p->before, &p->raw);
	if (tty_set_modes(p->tty, &p->raw) != 0)
		return;
	tty_get_modes(p->tty, &p->raw); /* as the driver has it */
	p->taken = true;
	p->passing = false;
	pass_typed_ahead(p);
}

static void follow(struct relay_pty *p, const char *bytes, size_t n)
{
	for (size_t i = 0; p->titles && i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		escapes_take(&p->escapes, bytes[i]);
		if (c >= 0xc0)
			p->utf8_left = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
		else
			p->utf8_left = c >= 0x80 && p->utf8_left > 0 ? p->utf8_left - 1 : 0;
	}
}

/* The terminal is within neither a sequence nor a character, and has taken all there is. */
static bool has_gap(const struct relay_pty *p)
{
	return p->titles && p->escapes.within == ESCAPES_TEXT && p->utf8_left == 0 && p->screen_len == 0;
}

static void restore_title(struct relay_pty *p)
{
	char bytes[TERMINAL_TITLE_BYTES];
	size_t n = terminal_title_restore(bytes);

	if (p->titled && has_gap(p) && write(p->tty, bytes, n) == (ssize_t)n)
		p->titled = false;
}

/* The user's terminal is left as COMMAND would have left it. */
static void give_back(struct relay_pty *p)
{
	struct termios now;

	if (!p->taken)
		return;
	p->taken = false;
	restore_title(p);
	if (tty_get_modes(p->master, &now) != 0 || tty_same_modes(&now, &p->copied))
		now = p->before;
	tty_restore(p->tty, &p->raw, &now);
	if (!tty_has_size(p->master, &p->size))
		tty_copy_size(p->master, p->tty, &p->size);
}

void relay_pty_release(struct relay_pty *p)
{
	p->wanted = false;
	give_back(p);
}

/* Keys of somebody else: EIO is what a process in the background gets when SIGTTIN is blocked. */
static void keys_denied(struct relay_pty *p)
{
	pid_t group = tcgetpgrp(p->tty);

	if (group < 0 || group == getpgrp())
		hang_up(p);
	else
		give_back(p);
}

static void read_keys(struct relay_pty *p)
{
	ssize_t n = read(p->tty, p->keys, sizeof(p->keys));

	if (n > 0) {
		p->keys_at = 0;
		p->keys_len = (size_t)n;
	} else if (n == 0 || errno != EAGAIN) {
		keys_denied(p);
	}
}

static void write_keys(struct relay_pty *p)
{
	ssize_t n = write(p->master, p->keys + p->keys_at, p->keys_len);

	if (n < 0)
		return;
	p->keys_at += (size_t)n;
	p->keys_len -= (size_t)n;
}

/* What was typed ahead and never read goes back to the user's terminal, for the shell, where the kernel
 * permits it (dev.tty.legacy_tiocsti). */
static void return_keys(struct relay_pty *p)
{
	struct termios t, raw;
	int slave = tty_open_slave(p->master, O_RDWR | O_NONBLOCK);
	char key;

	if (slave >= 0 && tty_get_modes(slave, &t) == 0) {
		tty_make_raw(&t, &raw);
		tty_set_modes(slave, &raw);
		while (read(slave, &key, 1) == 1 && ioctl(p->tty, TIOCSTI, &key) == 0)
			continue;
		tty_set_modes(slave, &t);
	}
	if (slave >= 0)
		close(slave);
	for (; p->keys_len > 0; p->keys_len--)
		if (ioctl(p->tty, TIOCSTI, &p->keys[p->keys_at++]) != 0)
			return;
}

static bool adds_returns(int fd)
{
	struct termios t;

	return tty_get_modes(fd, &t) == 0 && (t.c_oflag & OPOST) && (t.c_oflag & ONLCR);
}

/* COMMAND's terminal has made each newline a return and a newline; where the user's would do so once more, as
 * it does while it is not taken, the return goes out again. */
static size_t undo_returns(const struct relay_pty *p, char *buf, size_t n)
{
	size_t to = 0;

	if (p->taken || !memchr(buf, '\r', n) || !adds_returns(p->tty) || !adds_returns(p->master))
		return n;
	for (size_t i = 0; i < n; i++)
		if (buf[i] != '\r' || i + 1 == n || buf[i + 1] != '\n')
			buf[to++] = buf[i];
	return to;
}

/* Nobody has COMMAND's terminal open any more, the leader included. */
static void all_closed(struct relay_pty *p)
{
	if (p->taken)
		return_keys(p);
	give_back(p);
	end(p);
}

/* False when there is nothing to be had now. */
static bool read_screen(struct relay_pty *p, struct output_copy_writer *copy)
{
	ssize_t n = read(p->master, p->screen, sizeof(p->screen) - 1);

	if (n > 0 && p->screen[n - 1] == '\r' && read(p->master, p->screen + n, 1) == 1)
		n++;
	if (n > 0) {
		output_copy_put(copy, STDOUT_FILENO, p->screen, (size_t)n);
		p->screen_at = 0;
		p->screen_len = undo_returns(p, p->screen, (size_t)n);
		return true;
	}
	if (n >= 0 || (errno != EAGAIN && errno != EINTR))
		all_closed(p);
	else if (p->ending)
		give_back(p);
	p->drained = p->ending;
	return false;
}

static void write_screen(struct relay_pty *p)
{
	ssize_t n = write(p->tty, p->screen + p->screen_at, p->screen_len);

	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		hang_up(p);
		return;
	}
	if (n < 0)
		return;
	follow(p, p->screen + p->screen_at, (size_t)n);
	p->screen_at += (size_t)n;
	p->screen_len -= (size_t)n;
}

/* It goes out as if COMMAND had written it. */
static void insert_title(struct relay_pty *p)
{
	char bytes[TERMINAL_TITLE_BYTES];

	if (!p->title[0] || !p->taken || p->ending || !has_gap(p))
		return;
	p->screen_at = 0;
	p->screen_len = terminal_title_set(bytes, p->title, !p->titled);
	memcpy(p->screen, bytes, p->screen_len);
	p->titled = true;
	p->title[0] = '\0';
	write_screen(p);
}

void relay_pty_title(struct relay_pty *p, const char *title)
{
	snprintf(p->title, sizeof(p->title), "%s", p->titles ? title : "");
	insert_title(p);
}

static void pass_screen(struct relay_pty *p, struct output_copy_writer *copy)
{
	for (int i = 0; i < ROUNDS_MAX && p->master >= 0; i++) {
		if (p->screen_len > 0)
			write_screen(p);
		if (p->screen_len > 0 || p->master < 0 || !read_screen(p, copy))
			break;
	}
	insert_title(p);
}

static void look_at_foreground(struct relay_pty *p)
{
	if (p->wanted && !p->taken)
		relay_pty_take(p);
}

void relay_pty_poll(const struct relay_pty *p, struct pollfd *fds)
{
	bool open = p->master >= 0;
	bool keys = p->taken && p->passing && !p->ending && p->keys_len == 0;
	bool screen = p->screen_len > 0;

	fds[AT_TTY] = (struct pollfd){.fd = open ? p->tty : -1,
				      .events = (short)((keys ? POLLIN : 0) | (screen ? POLLOUT : 0))};
	/* Not asked while nothing can be done: that all others have closed it would be reported over and
	 * over. */
	fds[AT_MASTER] =
	    (struct pollfd){.fd = screen && p->keys_len == 0 ? -1 : p->master,
			    .events = (short)((screen ? 0 : POLLIN) | (p->keys_len ? POLLOUT : 0))};
	fds[AT_RESIZED] = (struct pollfd){.fd = open ? p->resized.fd : -1, .events = POLLIN};
}

int relay_pty_timeout_ms(const struct relay_pty *p)
{
	return p->master >= 0 && p->wanted && !p->taken && !p->ending ? FOREGROUND_POLL_MS : -1;
}

void relay_pty_ready(struct relay_pty *p, const struct pollfd *fds, struct output_copy_writer *copy)
{
	struct signalfd_siginfo info;

	if (p->master < 0)
		return;
	if (fds[AT_TTY].revents & (POLLERR | POLLHUP | POLLNVAL)) {
		hang_up(p);
		return;
	}
	if (fds[AT_RESIZED].revents && sigfd_take(&p->resized, &info))
		tty_copy_size(p->tty, p->master, &p->size);
	if (fds[AT_TTY].revents & POLLIN)
		read_keys(p);
	if (p->master >= 0 && p->keys_len > 0)
		write_keys(p);
	pass_screen(p, copy);
	look_at_foreground(p);
}

void relay_pty_end(struct relay_pty *p, struct output_copy_writer *copy)
{
	p->ending = true;
	p->wanted = false;
	pass_screen(p, copy);
}
