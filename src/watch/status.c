/* SPDX-License-Identifier: MIT */
/* A title is set at most once a second, and only when it reads otherwise. Where COMMAND writes to the terminal without
 * the relay there is none: it might land within what COMMAND writes. */
#include "watch/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/fds.h"
#include "base/msg.h"
#include "base/terminal_title.h"
#include "view/title.h"
#include "watch/live_model.h"

static struct {
	struct watch *watch; /* NULL: there is none */
	struct relay *relay; /* NULL: */
	int tty;             /* the terminal itself; -1 */
	int timer_fd;
	bool titled;
	struct live_model model;
	char shown[TERMINAL_TITLE_MAX];
} status = {.tty = -1, .timer_fd = -1};

bool status_wanted(const struct options *o)
{
	const char *term = getenv("TERM");

	if (!o->status)
		return false;
	if (!isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO))
		note("--status: there is no terminal here to show it");
	else if (!terminal_title_known(term))
		note("--status: a terminal of TERM=%s is not known to have a title", term ? term : "");
	else
		return true;
	return false;
}

static void write_title(const char *bytes, size_t n)
{
	if (status.tty >= 0 && tcgetpgrp(status.tty) == getpgrp() && write(status.tty, bytes, n) < 0)
		return;
}

static void show(const char *title)
{
	char bytes[TERMINAL_TITLE_BYTES];

	if (strcmp(title, status.shown) == 0)
		return;
	snprintf(status.shown, sizeof(status.shown), "%s", title);
	if (status.relay)
		relay_title(status.relay, title);
	else
		write_title(bytes, terminal_title_set(bytes, title, !status.titled));
	status.titled = true;
}

static void on_second(void *arg)
{
	char title[TERMINAL_TITLE_MAX];
	uint64_t times;

	(void)arg;
	if (read(status.timer_fd, &times, sizeof(times)) < 0)
		return;
	live_model_take(&status.model, status.watch);
	show(view_title(title, &status.model.shown));
}

static int start_timer(struct loop *loop)
{
	struct itimerspec spec = {.it_value = {.tv_nsec = 1}, .it_interval = {.tv_sec = 1}};

	status.timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (status.timer_fd < 0 || timerfd_settime(status.timer_fd, 0, &spec, NULL) != 0)
		return -errno;
	return loop_add(loop, status.timer_fd, on_second, NULL);
}

void status_open(struct watch *w, struct relay *relay)
{
	int err;

	status.relay = relay && relay->terminal ? relay : NULL;
	if (!status.relay && w->options->argv && (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO))) {
		note("--status: COMMAND writes to the terminal by itself, so that a title might land within "
		     "it");
		return;
	}
	if (!status.relay)
		status.tty = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	status.watch = w;
	err = start_timer(w->loop);
	if (err)
		warn("--status: %s", strerror(-err));
}

void status_close(void)
{
	char bytes[TERMINAL_TITLE_BYTES];

	if (!status.watch)
		return;
	if (status.timer_fd >= 0)
		loop_remove(status.watch->loop, status.timer_fd);
	fds_close(&status.timer_fd);
	if (status.titled && !status.relay)
		write_title(bytes, terminal_title_restore(bytes));
	fds_close(&status.tty);
	live_model_free(&status.model);
	status.watch = NULL;
}
