/* SPDX-License-Identifier: MIT */
/* Words for people, on standard error, each message in one write so that it does not mix with the output
 * of the watched command. Knows nothing of what is being said. */
#include "base/msg.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/fold_text.h"
#include "base/plain_text.h"
#include "base/screen_cursor.h"
#include "base/status.h"
#include "base/tty.h"

enum {
	LINE_MAX_BYTES = 4096,
	COPY_WAIT_MS = 1000, /* for a terminal that takes nothing more; then it gets no copies */
};

static enum msg_level current_level = MSG_NORMAL;
static enum msg_colour colour_choice;
static bool colours;
static bool raw_terminal;
static struct screen_cursor cursor;
static msg_taker *taker;
static void *taker_arg;
static int copy_fd = -1;

static const char *const paints[] = {
    [PAINT_NONE] = "\033[0m",
    [PAINT_BOLD] = "\033[1m",
    [PAINT_ALARM] = "\033[1;31m",
};

bool msg_colours(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (colour_choice != MSG_COLOUR_AUTO)
		return colour_choice == MSG_COLOUR_ALWAYS;
	return isatty(fd) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

void msg_init(enum msg_level level, enum msg_colour colour)
{
	current_level = level;
	colour_choice = colour;
	colours = msg_colours(STDERR_FILENO);
}

const char *msg_paint(enum msg_paint paint)
{
	return colours ? paints[paint] : "";
}

void msg_raw_terminal(bool raw)
{
	raw_terminal = raw;
}

void msg_saw_output(const char *bytes, size_t n)
{
	screen_cursor_push(&cursor, bytes, n);
}

/* Bytes of the paint that a text begins with; 0: it does not. */
static size_t paint_length(const char *text, size_t n)
{
	for (size_t i = 0; colours && i < sizeof(paints) / sizeof(paints[0]); i++) {
		size_t length = strlen(paints[i]);

		if (n >= length && memcmp(text, paints[i], length) == 0)
			return length;
	}
	return 0;
}

/* Names of files, processes and devices may hold anything: no byte of theirs may steer the terminal or begin a line.
 * What passes is paint of our own kind. */
static void clean(char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t paint = paint_length(text + i, n - i);

		i += paint ? paint : plain_text_step(text + i);
	}
}

static size_t add_returns(const char *line, size_t n, char *out)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		if (line[i] == '\n')
			out[to++] = '\r';
		out[to++] = line[i];
	}
	return to;
}

void msg_divert(msg_taker *fn, void *arg)
{
	taker = fn;
	taker_arg = arg;
}

void msg_copy_to(int terminal)
{
	copy_fd = terminal;
}

/* A terminal that is slow takes a part; one that is stopped must not hold up the run for long. */
static bool copy_takes_more(void)
{
	struct pollfd terminal = {.fd = copy_fd, .events = POLLOUT};

	return errno == EINTR ||
	       (errno == EAGAIN && fds_poll(&terminal, 1, COPY_WAIT_MS) > 0 && (terminal.revents & POLLOUT));
}

static void write_copy(const char *line, size_t n)
{
	char folded[2 * LINE_MAX_BYTES];
	size_t done = 0;

	n = fold_text(line, n, tty_columns(copy_fd), folded, sizeof(folded));
	while (copy_fd >= 0 && done < n) {
		ssize_t written = write(copy_fd, folded + done, n - done);

		if (written >= 0)
			done += (size_t)written;
		else if (!copy_takes_more())
			fds_close(&copy_fd);
	}
}

/* One write; a failure has nowhere to be reported. The line has a newline before it, which is left out unless the
 * cursor stands within what COMMAND drew. */
static void write_out(const char *line, size_t n)
{
	char returned[4 * LINE_MAX_BYTES];
	bool terminal = isatty(STDERR_FILENO);

	if (taker)
		taker(taker_arg, line + 1, n - 2);
	if (taker && terminal)
		return;
	if (copy_fd >= 0 && !terminal && !taker)
		write_copy(line + 1, n - 1);
	if (!terminal || !cursor.mid_line) {
		line++;
		n--;
	}
	cursor = (struct screen_cursor){0};
	if (raw_terminal && terminal) {
		n = add_returns(line, n, returned);
		line = returned;
	}
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}

/* Sentences, which a terminal would break within words. */
static void write_folded(const char *line, size_t n)
{
	char folded[2 * LINE_MAX_BYTES];

	if (taker)
		write_out(line, n);
	else
		write_out(folded, fold_text(line, n, tty_columns(STDERR_FILENO), folded, sizeof(folded)));
}

__attribute__((format(printf, 3, 0))) static void put(const char *prefix,
						      void (*out)(const char *line, size_t n),
						      const char *fmt, va_list ap)
{
	char line[LINE_MAX_BYTES] = "\n";
	size_t begin = 1 + strlen(prefix), at = begin;
	int n;

	memcpy(line + 1, prefix, begin - 1);
	n = vsnprintf(line + at, sizeof(line) - at - 1, fmt, ap);
	if (n < 0)
		return;
	at += (size_t)n;
	if (at > sizeof(line) - 2)
		at = sizeof(line) - 2;
	clean(line + begin, at - begin);
	line[at++] = '\n';
	out(line, at);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put("memwatch: ", write_out, fmt, ap);
	va_end(ap);
}

void note(const char *fmt, ...)
{
	va_list ap;

	if (current_level < MSG_NORMAL)
		return;
	va_start(ap, fmt);
	put("memwatch: ", write_folded, fmt, ap);
	va_end(ap);
}

void shout(const char *fmt, ...)
{
	va_list ap;

	if (current_level < MSG_NORMAL)
		return;
	va_start(ap, fmt);
	put(isatty(STDERR_FILENO) ? "\nmemwatch: " : "memwatch: ", write_folded, fmt, ap);
	va_end(ap);
}

void detail(const char *fmt, ...)
{
	va_list ap;

	if (current_level < MSG_VERBOSE)
		return;
	va_start(ap, fmt);
	put("memwatch: ", write_out, fmt, ap);
	va_end(ap);
}

__attribute__((format(printf, 2, 3))) static void put_line(const char *prefix, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(prefix, write_folded, fmt, ap);
	va_end(ap);
}

void msg_repeat(const char *line)
{
	if (isatty(STDERR_FILENO)) /* else it has been written */
		put_line("", "%s", line);
}

bool msg_flush_stdout(void)
{
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return true;
	warn("cannot write to standard output: %s", strerror(errno));
	return false;
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put("memwatch: ", write_out, fmt, ap);
	va_end(ap);
	exit(STATUS_OWN_FAILURE);
}

void say(const char *fmt, ...)
{
	va_list ap;

	if (current_level < MSG_NORMAL)
		return;
	va_start(ap, fmt);
	put("", write_folded, fmt, ap);
	va_end(ap);
}

void say_plain(const char *text)
{
	char line[LINE_MAX_BYTES];
	int n = snprintf(line, sizeof(line) - 1, "\n%s", text);

	if (current_level < MSG_NORMAL || n < 0)
		return;
	if (n > (int)sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	line[n++] = '\n';
	write_folded(line, (size_t)n);
}
