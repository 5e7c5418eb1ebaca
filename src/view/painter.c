/* SPDX-License-Identifier: MIT */
/* ncurses draws into a file in memory, from which the terminal gets as much as it takes (backlog.c). Knows nothing of
 * what is shown. */
#include "view/painter.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/msg.h"
#include "base/tty.h"
#include "base/xalloc.h"
#include "view/backlog.h"
#include "view/terminfo.h"

enum {
	ESCAPE_MS = 25, /* a lone Esc is one after this time */
	RESTORE_BYTES = 256,
	FIRST_PAIR = 1,
};

struct painter {
	SCREEN *screen;
	FILE *in, *out;
	int tty;    /* the terminal, non-blocking */
	int memory; /* what ncurses writes */
	struct backlog backlog;
	struct termios before, ours;
	locale_t locale; /* for ncurses alone: nothing else of memwatch depends on the user's */
	attr_t attributes[TONE_COUNT];
	short pairs[TONE_COUNT];
	bool released, forget;
	int rows, columns;
};

/* What a dying memwatch needs, and nothing that could be half done. */
static struct {
	volatile sig_atomic_t fd; /* 0: nothing to be restored */
	struct termios before;
	char text[RESTORE_BYTES];
	size_t n;
} last_words;

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
enum { DEADLY = sizeof(deadly) / sizeof(deadly[0]) };
static struct sigaction deadly_before[DEADLY];
static sigset_t blocked_before;

/* Somebody sent it to a memwatch that had blocked it, to be passed on to COMMAND: it is blocked again, and waits to be
 * read from its descriptor. */
static bool is_to_wait(int signo, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	if (info->si_code > 0 || !sigismember(&blocked_before, signo))
		return false;
	sigaddset(&interrupted->uc_sigmask, signo);
	return syscall(SYS_rt_sigqueueinfo, getpid(), signo, info) == 0;
}

static void restore_and_die(int signo, siginfo_t *info, void *context)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL};

	if (is_to_wait(signo, info, context))
		return;
	if (last_words.fd > 0 && write((int)last_words.fd, last_words.text, last_words.n) >= 0)
		tcsetattr((int)last_words.fd, TCSANOW, &last_words.before);
	last_words.fd = 0;
	sigaction(signo, &dfl, NULL);
	raise(signo); /* as soon as this returns */
}

static void catch_deaths(void)
{
	struct sigaction act = {.sa_sigaction = restore_and_die, .sa_flags = SA_SIGINFO};
	sigset_t own;

	sigemptyset(&own);
	sigfillset(&act.sa_mask);
	for (int i = 0; i < DEADLY; i++) {
		sigaction(deadly[i], &act, &deadly_before[i]);
		sigaddset(&own, deadly[i]);
	}
	sigprocmask(SIG_UNBLOCK, &own, &blocked_before);
}

static void leave_deaths(void)
{
	sigprocmask(SIG_SETMASK, &blocked_before, NULL);
	for (int i = 0; i < DEADLY; i++)
		sigaction(deadly[i], &deadly_before[i], NULL);
}

static void keep_last_words(const struct painter *p)
{
	last_words.n = terminfo_leave(last_words.text, sizeof(last_words.text));
	last_words.before = p->before;
	last_words.fd = p->tty;
}

static bool in_foreground(int tty)
{
	return tcgetpgrp(tty) == getpgrp();
}

static int open_terminal(struct painter *p)
{
	p->tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (p->tty < 0)
		return -ENXIO;
	if (!in_foreground(p->tty))
		return -EBUSY;
	if (tty_get_modes(p->tty, &p->before) != 0)
		return -errno;
	p->memory = memfd_create("memwatch-screen", MFD_CLOEXEC);
	return p->memory < 0 ? -errno : 0;
}

/* A stream of its own, since ncurses wants one; never read or written as such. */
static FILE *stream_of(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	FILE *f = copy < 0 ? NULL : fdopen(copy, "r+");

	if (!f && copy >= 0)
		close(copy);
	return f;
}

/* ncurses catches signals that memwatch reads from a descriptor, or that are COMMAND's. */
static SCREEN *new_screen(struct painter *p)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	struct sigaction before[4];
	SCREEN *s;

	for (int i = 0; i < 4; i++)
		sigaction(caught[i], NULL, &before[i]);
	s = newterm(NULL, p->out, p->in);
	for (int i = 0; i < 4; i++)
		sigaction(caught[i], &before[i], NULL);
	return s;
}

struct colours {
	short colour; /* -1: the terminal's own */
	attr_t with, without;
};

static const struct colours palette[TONE_COUNT] = {
    [TONE_PLAIN] = {-1, A_NORMAL, A_NORMAL},
    [TONE_STRONG] = {-1, A_BOLD, A_BOLD},
    [TONE_FAINT] = {-1, A_DIM, A_NORMAL},
    [TONE_GOOD] = {COLOR_GREEN, A_NORMAL, A_NORMAL},
    [TONE_UNSURE] = {COLOR_YELLOW, A_NORMAL, A_NORMAL},
    [TONE_BAD] = {COLOR_RED, A_BOLD, A_BOLD},
    [TONE_BAR] = {-1, A_REVERSE, A_REVERSE},
    [TONE_CHART + CANVAS_NONE] = {-1, A_NORMAL, A_NORMAL},
    [TONE_CHART + CANVAS_EPOCH] = {-1, A_DIM, A_NORMAL},
    [TONE_CHART + CANVAS_CURVE] = {COLOR_CYAN, A_NORMAL, A_NORMAL},
    [TONE_CHART + CANVAS_FREE] = {COLOR_BLUE, A_NORMAL, A_NORMAL},
    [TONE_CHART + CANVAS_FLOOR] = {COLOR_GREEN, A_NORMAL, A_NORMAL},
    [TONE_CHART + CANVAS_FIT] = {COLOR_YELLOW, A_BOLD, A_BOLD},
    [TONE_CHART + CANVAS_LIMIT] = {COLOR_RED, A_NORMAL, A_NORMAL},
    [TONE_CHART + CANVAS_JUMP] = {COLOR_MAGENTA, A_BOLD, A_BOLD},
    [TONE_CHART + CANVAS_TEXT] = {-1, A_NORMAL, A_NORMAL},
};

static void mix_colours(struct painter *p, bool wanted)
{
	bool colours = wanted && has_colors() && start_color() == OK && use_default_colors() == OK;

	for (int i = 0; i < TONE_COUNT; i++) {
		const struct colours *c = &palette[i];
		short pair = (short)(FIRST_PAIR + i);

		p->attributes[i] = colours ? c->with : c->without;
		if (colours && c->colour >= 0 && init_pair(pair, c->colour, -1) == OK)
			p->pairs[i] = pair;
	}
}

static void remember_size(struct painter *p, int rows, int columns)
{
	p->rows = rows;
	p->columns = columns;
	resizeterm(rows, columns);
}

/* ncurses keeps the number of its descriptor: behind it is from now on the file in memory. */
static int start_ncurses(struct painter *p)
{
	int rows, columns;

	p->in = stream_of(p->tty);
	p->out = stream_of(p->tty);
	if (!p->in || !p->out)
		return -ENOMEM;
	p->screen = new_screen(p);
	if (!p->screen)
		return -ENOTSUP;
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	typeahead(-1);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	if (p->locale)
		use_legacy_coding(0); /* it looks at the process's locale, which is not ours */
	mix_colours(p, msg_colours(p->tty));
	tty_get_modes(p->tty, &p->ours);
	painter_size(p, &rows, &columns);
	remember_size(p, rows, columns);
	return dup3(p->memory, fileno(p->out), O_CLOEXEC) < 0 ? -errno : 0;
}

int painter_check(void)
{
	int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC), err = 0;

	if (tty < 0)
		return -ENXIO;
	if (!in_foreground(tty))
		err = -EBUSY;
	else if (!terminfo_has_screen(tty))
		err = -ENOTSUP;
	close(tty);
	return err;
}

static locale_t enter(const struct painter *p)
{
	return p->locale ? uselocale(p->locale) : (locale_t)0;
}

static void leave(locale_t before)
{
	if (before)
		uselocale(before);
}

static void pass_on(struct painter *p)
{
	if (backlog_take(&p->backlog, p->memory))
		backlog_write(&p->backlog, p->tty);
}

static void close_all(struct painter *p)
{
	if (p->screen)
		delscreen(p->screen);
	if (p->in)
		fclose(p->in);
	if (p->out)
		fclose(p->out);
	if (p->locale)
		freelocale(p->locale);
	fds_close(&p->memory);
	fds_close(&p->tty);
	backlog_free(&p->backlog);
	free(p);
}

int painter_open(struct painter **out, bool ascii)
{
	struct painter *p = xcalloc(1, sizeof(*p));
	locale_t before;
	int err;

	*out = NULL;
	p->tty = p->memory = -1;
	p->locale = ascii ? (locale_t)0 : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	err = open_terminal(p);
	before = enter(p);
	if (!err)
		err = start_ncurses(p);
	leave(before);
	if (err) {
		if (p->screen)
			tty_set_modes(p->tty, &p->before);
		close_all(p);
		return err;
	}
	keep_last_words(p);
	catch_deaths();
	*out = p;
	return 0;
}

void painter_release(struct painter *p)
{
	locale_t before;

	if (p->released)
		return;
	p->released = true;
	before = enter(p);
	endwin();
	leave(before);
	backlog_take(&p->backlog, p->memory);
	backlog_write_all(&p->backlog, p->tty);
	tty_set_modes(p->tty, &p->before);
	last_words.fd = 0;
}

bool painter_take(struct painter *p)
{
	if (!p->released)
		return true;
	if (!in_foreground(p->tty))
		return false;
	tty_get_modes(p->tty, &p->before); /* the shell may have changed them */
	tty_set_modes(p->tty, &p->ours);
	last_words.before = p->before;
	last_words.fd = p->tty;
	p->released = false;
	p->forget = true;
	return true;
}

void painter_close(struct painter *p)
{
	if (!p)
		return;
	painter_release(p);
	leave_deaths();
	close_all(p);
}

int painter_fd(const struct painter *p)
{
	return p->tty;
}

static enum view_key key_of(int c)
{
	static const struct {
		int code;
		enum view_key key;
	} keys[] = {
	    {'q', VIEW_KEY_QUIT},        {'Q', VIEW_KEY_QUIT},          {KEY_F(10), VIEW_KEY_QUIT},
	    {'p', VIEW_KEY_PAUSE},       {'P', VIEW_KEY_PAUSE},         {'+', VIEW_KEY_CLOSER},
	    {'=', VIEW_KEY_CLOSER},      {'-', VIEW_KEY_WIDER},         {KEY_LEFT, VIEW_KEY_LEFT},
	    {KEY_RIGHT, VIEW_KEY_RIGHT}, {KEY_UP, VIEW_KEY_UP},         {KEY_DOWN, VIEW_KEY_DOWN},
	    {KEY_HOME, VIEW_KEY_HOME},   {KEY_END, VIEW_KEY_END},       {'m', VIEW_KEY_MARK},
	    {'s', VIEW_KEY_SAVE},        {'?', VIEW_KEY_HELP},          {'h', VIEW_KEY_HELP},
	    {KEY_F(1), VIEW_KEY_HELP},   {'L' & 0x1f, VIEW_KEY_REDRAW},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == c)
			return keys[i].key;
	return VIEW_KEY_OTHER;
}

static bool is_gone(const struct painter *p)
{
	struct pollfd tty = {.fd = p->tty, .events = POLLIN};

	return fds_poll(&tty, 1, 0) > 0 && (tty.revents & (POLLHUP | POLLERR | POLLNVAL));
}

enum view_key painter_key(struct painter *p, bool *gone)
{
	locale_t before = enter(p);
	int c = p->released ? ERR : getch();

	leave(before);
	*gone = c == ERR && is_gone(p);
	pass_on(p); /* getch() shows the screen first */
	return c == ERR ? VIEW_KEY_NONE : key_of(c);
}

void painter_size(const struct painter *p, int *rows, int *columns)
{
	struct winsize size;

	*rows = 24;
	*columns = 80;
	if (ioctl(p->tty, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	}
}

bool painter_ready(struct painter *p)
{
	if (!p->released)
		backlog_write_now(&p->backlog, p->tty);
	return !p->released && p->backlog.len == 0;
}

void painter_forget(struct painter *p)
{
	p->forget = true;
}

/* Cells of one tone that follow each other, at most what the buffer holds. Returns how many. */
static int run_of(const struct grid *g, int row, int column, char *text, size_t size)
{
	enum tone tone = grid_at(g, row, column)->tone;
	size_t at = 0;
	int n = 0;

	for (; column + n < g->columns && at + UTF8_MAX < size; n++) {
		const struct grid_cell *c = grid_at(g, row, column + n);

		if (c->tone != tone)
			break;
		if (c->code)
			at += (size_t)canvas_utf8(text + at, c->code);
	}
	text[at] = '\0';
	return n;
}

static void show_row(const struct painter *p, const struct grid *g, int row)
{
	char text[512];

	for (int column = 0; column < g->columns;) {
		enum tone tone = grid_at(g, row, column)->tone;
		int n = run_of(g, row, column, text, sizeof(text));

		attr_set(p->attributes[tone], p->pairs[tone], NULL);
		mvaddstr(row, column, text);
		column += n;
	}
}

void painter_show(struct painter *p, const struct grid *g)
{
	locale_t before = enter(p);

	if (g->rows != p->rows || g->columns != p->columns) {
		remember_size(p, g->rows, g->columns);
		p->forget = true;
	}
	for (int row = 0; row < g->rows; row++)
		show_row(p, g, row);
	attr_set(A_NORMAL, 0, NULL);
	if (p->forget)
		clearok(curscr, TRUE);
	p->forget = false;
	refresh();
	leave(before);
	pass_on(p);
}
