/* SPDX-License-Identifier: MIT */
/* Keys and time come from the run's own loop; nothing is drawn unless something changed, and seldom more than twice a
 * second. */
#include "watch/live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/msg.h"
#include "base/status.h"
#include "base/xalloc.h"
#include "draw/symbols.h"
#include "view/painter.h"
#include "view/screen.h"
#include "watch/closing.h"
#include "watch/earlier.h"
#include "watch/live_model.h"

enum {
	LOOK_MS = 250,     /* size and samples are looked at */
	DRAW_MS = 450,     /* least time between two screens that no key asked for */
	DRAW_SHARE = 200,  /* of a core, one part in so many at most */
	MESSAGE_MS = 8000, /* a message is shown for, unless a key is typed */
	LINES_KEPT = 32,
	LINE_BYTES = VIEW_MESSAGE_MAX,
};

struct live {
	struct watch *watch;
	struct painter *painter;
	struct live_model model;
	struct view_state state;
	struct grid grid;
	enum symbols symbols;
	int timer_fd;
	int earlier_fd;     /* -1: nothing of earlier watching is to come */
	uint64_t samples;   /* when last drawn */
	int64_t drawn_s;    /* of the run */
	int64_t draw_ns;    /* not before, unless a key asks for it */
	int64_t message_ns; /* shown until */
	bool stale;         /* to be drawn as soon as the terminal takes it */
	uint64_t said;      /* lines, the last LINES_KEPT of them kept */
	char lines[LINES_KEPT][LINE_BYTES];
};

static struct live *current;

static bool samples_to_terminal(const struct options *o)
{
	return o->output && strcmp(o->output, "-") == 0 && isatty(STDOUT_FILENO);
}

static bool takes_output(const struct options *o)
{
	return isatty(STDERR_FILENO) ||
	       (!(o->output && strcmp(o->output, "-") == 0) && isatty(STDOUT_FILENO));
}

static const char *why_not(int err)
{
	switch (err) {
	case -ENOSYS:
		return "this build has no live view (it was made without ncurses)";
	case -ENXIO:
		return "there is no terminal here";
	case -EBUSY:
		return "the terminal is another job's";
	case -ENOTSUP:
		return "no full screen on a terminal of this TERM";
	default:
		return strerror(-err);
	}
}

static int refuse(const char *why)
{
	warn("--live: %s", why);
	return STATUS_OWN_FAILURE;
}

bool live_wanted(const struct options *o, int *status)
{
	int err;

	*status = 0;
	if (o->live == LIVE_NO)
		return false;
	if (o->live == LIVE_AUTO)
		return !o->argv && !o->status && !samples_to_terminal(o) && o->level != MSG_QUIET &&
		       isatty(STDOUT_FILENO) && isatty(STDERR_FILENO) && painter_check() == 0;
	if (o->argv && takes_output(o))
		*status = refuse(
		    "COMMAND's output goes to the terminal: send it elsewhere (>log 2>&1), or use --status");
	else if (samples_to_terminal(o))
		*status = refuse("the samples go to the terminal (--output -)");
	else if ((err = painter_check()) != 0)
		*status = refuse(why_not(err));
	return *status == 0;
}

static void show_message(struct live *l, const char *text)
{
	snprintf(l->model.shown.message, sizeof(l->model.shown.message), "%s", text);
	l->message_ns = clock_mono_ns() + MESSAGE_MS * (int64_t)NS_PER_MS;
	l->stale = true;
}

/* Without the paint that it has on a terminal. */
static void plain_copy(char *out, size_t size, const char *line, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n && to + 1 < size; i++) {
		if (line[i] == '\033')
			while (i < n && line[i] != 'm')
				i++;
		else
			out[to++] = line[i];
	}
	out[to] = '\0';
}

/* Lines said while the view is shown. */
static void keep_line(void *arg, const char *line, size_t n)
{
	static const char prefix[] = "memwatch: ";
	struct live *l = arg;
	char text[LINE_BYTES];

	if (n > 0 && *line == '\n') { /* it would stand out */
		line++;
		n--;
	}
	snprintf(l->lines[l->said++ % LINES_KEPT], LINE_BYTES, "%.*s", (int)n, line);
	plain_copy(text, sizeof(text), line, n);
	show_message(l, strncmp(text, prefix, sizeof(prefix) - 1) == 0 ? text + sizeof(prefix) - 1 : text);
}

static void repeat_lines(const struct live *l)
{
	uint64_t first = l->said > LINES_KEPT ? l->said - LINES_KEPT : 0;

	for (uint64_t i = first; i < l->said; i++)
		msg_repeat(l->lines[i % LINES_KEPT]);
}

static void draw(struct live *l)
{
	int64_t began_ns = clock_cpu_ns(), now_ns;
	int rows, columns;

	if (!painter_ready(l->painter)) {
		l->stale = true;
		return;
	}
	painter_size(l->painter, &rows, &columns);
	grid_clear(&l->grid, rows, columns);
	screen_compose(&l->grid, &l->model.shown, &l->state, l->symbols);
	painter_show(l->painter, &l->grid);
	l->stale = false;
	now_ns = clock_mono_ns();
	l->draw_ns = now_ns + DRAW_SHARE * (clock_cpu_ns() - began_ns);
	if (l->draw_ns < now_ns + DRAW_MS * (int64_t)NS_PER_MS)
		l->draw_ns = now_ns + DRAW_MS * (int64_t)NS_PER_MS;
}

static void take_model(struct live *l)
{
	live_model_take(&l->model, l->watch);
	if (l->state.chosen >= l->model.shown.n_series)
		l->state.chosen = 0;
	l->samples = l->watch->summary.samples;
	l->drawn_s = l->model.shown.elapsed_ms / MS_PER_S;
}

static bool size_changed(const struct live *l)
{
	int rows, columns;

	painter_size(l->painter, &rows, &columns);
	return rows != l->grid.rows || columns != l->grid.columns;
}

static bool has_news(const struct live *l)
{
	return !l->state.paused && (l->samples != l->watch->summary.samples ||
				    l->drawn_s != watch_elapsed_ns(l->watch) / NS_PER_S);
}

static void end_message(struct live *l, int64_t now_ns)
{
	if (!l->model.shown.message[0] || now_ns < l->message_ns)
		return;
	l->model.shown.message[0] = '\0';
	l->stale = true;
}

static void on_look(void *arg)
{
	struct live *l = arg;
	int64_t now_ns = clock_mono_ns();
	uint64_t times;
	bool due;

	/* A terminal that took half a screen gets the rest, also where nothing new is to be drawn. */
	if (read(l->timer_fd, &times, sizeof(times)) < 0 || !painter_take(l->painter) ||
	    !painter_ready(l->painter))
		return;
	end_message(l, now_ns);
	due = now_ns >= l->draw_ns;
	if (due && has_news(l)) {
		take_model(l);
		l->stale = true;
	}
	if (size_changed(l) || (due && l->stale))
		draw(l);
}

static void save_report(struct live *l)
{
	char name[64], text[128];

	snprintf(name, sizeof(name), "memwatch-%d.txt", (int)l->watch->main_pid);
	if (watch_save_report(l->watch, name) != 0)
		return; /* said */
	snprintf(text, sizeof(text), "saved: %s", name);
	show_message(l, text);
}

static void mark(struct live *l)
{
	if (!l->watch->epochs.feed) {
		show_message(l, "no marks are taken with --epochs none or every:DURATION");
		return;
	}
	if (watch_epochs_from_lines(&l->watch->epochs)) {
		show_message(l,
			     "not marked: epochs are read from the output, and marks would take their place");
		return;
	}
	watch_epochs_mark(&l->watch->epochs);
	show_message(l, "the end of an epoch is marked");
}

/* True: the view is closed. */
static bool leave(struct live *l)
{
	if (!l->watch->options->argv) {
		loop_stop(l->watch->loop);
		return false;
	}
	live_close();
	note("the view is closed; the run goes on");
	return true;
}

static bool obey(struct live *l, enum view_wish wish)
{
	switch (wish) {
	case VIEW_WISH_NOTHING:
		return true;
	case VIEW_WISH_QUIT:
		return !leave(l);
	case VIEW_WISH_MARK:
		mark(l);
		break;
	case VIEW_WISH_SAVE:
		save_report(l);
		break;
	case VIEW_WISH_REDRAW:
		painter_forget(l->painter);
		break;
	case VIEW_WISH_DRAW:
		break;
	}
	return true;
}

static void on_key(void *arg)
{
	struct live *l = arg;
	enum view_key key;
	bool gone = false, typed = false;

	while ((key = painter_key(l->painter, &gone)) != VIEW_KEY_NONE) {
		l->model.shown.message[0] = '\0';
		if (!obey(l, view_key(&l->state, key, l->model.shown.n_series)))
			return;
		typed = true;
	}
	if (gone) {
		live_close();
		return;
	}
	if (typed && l->state.paused)
		live_model_hold(&l->model);
	else if (typed)
		take_model(l);
	if (typed)
		draw(l);
}

static int start_timer(struct live *l)
{
	struct itimerspec spec = {.it_value = clock_timespec(LOOK_MS * (int64_t)NS_PER_MS),
				  .it_interval = clock_timespec(LOOK_MS * (int64_t)NS_PER_MS)};

	l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->timer_fd < 0 || timerfd_settime(l->timer_fd, 0, &spec, NULL) != 0)
		return -errno;
	return loop_add(l->watch->loop, l->timer_fd, on_look, l);
}

/* Rows that were taken meanwhile are few: they are left out. */
static void on_earlier(void *arg)
{
	struct live *l = arg;
	struct watch *w = l->watch;
	struct earlier e = earlier_take(l->earlier_fd);

	loop_remove(w->loop, l->earlier_fd);
	fds_close(&l->earlier_fd);
	if (!e.history)
		return;
	w->longer = e.history;
	w->longer_ms = (clock_wall_ns() - watch_elapsed_ns(w)) / NS_PER_MS - e.began_ms;
	if (w->gpu.columns > 0)
		history_channels(w->longer, w->gpu.channels, CH_HOST_COUNT + w->gpu.columns);
	live_model_changed(&l->model);
	show_message(l, "the curve begins with what earlier watching of this process saw");
}

static void look_back(struct live *l)
{
	const struct options *o = l->watch->options;

	l->earlier_fd = o->argv || o->no_keep ? -1 : earlier_start(l->watch->main_pid);
	if (l->earlier_fd >= 0 && loop_add(l->watch->loop, l->earlier_fd, on_earlier, l) != 0)
		fds_close(&l->earlier_fd);
}

static int begin(struct live *l)
{
	int err = painter_open(&l->painter, l->grid.ascii);

	if (!err)
		err = loop_add(l->watch->loop, painter_fd(l->painter), on_key, l);
	return err ? err : start_timer(l);
}

void live_open(struct watch *w)
{
	static bool registered;
	struct live *l = xcalloc(1, sizeof(*l));
	int err;

	l->watch = w;
	l->timer_fd = l->earlier_fd = -1;
	l->symbols = w->options->symbols;
	if (l->symbols == SYMBOLS_AUTO || l->symbols == SYMBOLS_NONE)
		l->symbols = symbols_of_terminal(getenv);
	l->grid.ascii = l->symbols == SYMBOLS_ASCII;
	current = l;
	err = begin(l);
	if (err) {
		live_close();
		if (w->options->live == LIVE_YES)
			warn("--live: %s", why_not(err));
		return;
	}
	if (!registered)
		atexit(live_close);
	registered = true;
	msg_divert(keep_line, l);
	take_model(l);
	draw(l);
	look_back(l);
}

/* Who looked at the view wants to see the report, wherever standard error goes. */
static void speak_on(const struct live *l)
{
	if (l->painter && !isatty(STDERR_FILENO))
		msg_copy_to(open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
}

void live_close(void)
{
	struct live *l = current;

	if (!l)
		return;
	current = NULL;
	if (l->painter)
		loop_remove(l->watch->loop, painter_fd(l->painter));
	if (l->timer_fd >= 0)
		loop_remove(l->watch->loop, l->timer_fd);
	if (l->earlier_fd >= 0)
		loop_remove(l->watch->loop, l->earlier_fd);
	fds_close(&l->earlier_fd);
	painter_close(l->painter);
	msg_divert(NULL, NULL);
	speak_on(l);
	repeat_lines(l);
	fds_close(&l->timer_fd);
	live_model_free(&l->model);
	grid_free(&l->grid);
	free(l);
}

void live_pause(void)
{
	if (current)
		painter_release(current->painter);
}

void live_resume(void)
{
	if (current && painter_take(current->painter))
		draw(current);
}

void live_resized(void)
{
	if (current && size_changed(current))
		draw(current);
}
