/* SPDX-License-Identifier: MIT */
/* Waits for descriptors and calls their handlers; one epoll_wait per wake-up is its whole cost in a tick. Where epoll
 * fails, poll does the same for more. */
#include "base/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "base/fds.h"
#include "base/xalloc.h"

enum { EVENTS_AT_ONCE = 16 };

struct handler {
	int fd; /* -1: free */
	loop_fn *fn;
	void *arg;
};

struct loop {
	int epoll_fd; /* -1: there is none to be had, and poll(2) does */
	bool stopped;
	loop_fn *after;
	void *after_arg;
	struct handler handlers[LOOP_FDS_MAX];
};

/* To be added to itself is EINVAL where the call is not refused altogether. */
static bool epoll_works(int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(fd, EPOLL_CTL_ADD, fd, &event) != 0 && errno == EINVAL;
}

struct loop *loop_new(void)
{
	struct loop *l = xcalloc(1, sizeof(*l));

	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll_fd >= 0 && !epoll_works(l->epoll_fd))
		fds_close(&l->epoll_fd);
	for (size_t i = 0; i < LOOP_FDS_MAX; i++)
		l->handlers[i].fd = -1;
	return l;
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	fds_close(&l->epoll_fd);
	free(l);
}

static struct handler *handler_of(struct loop *l, int fd)
{
	for (struct handler *h = l->handlers; h < l->handlers + LOOP_FDS_MAX; h++)
		if (h->fd == fd)
			return h;
	return NULL;
}

int loop_add(struct loop *l, int fd, loop_fn *fn, void *arg)
{
	struct handler *h = handler_of(l, -1);
	struct epoll_event event = {.events = EPOLLIN};

	if (!h)
		return -ENOSPC;
	event.data.ptr = h;
	if (l->epoll_fd >= 0 && epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
		if (errno != ENOMEM && errno != ENOSPC)
			return -errno;
		fds_close(&l->epoll_fd);
	}
	*h = (struct handler){fd, fn, arg};
	return 0;
}

void loop_remove(struct loop *l, int fd)
{
	struct handler *h = handler_of(l, fd);

	if (!h)
		return;
	/* What stays in would be reported for ever. */
	if (l->epoll_fd >= 0 && epoll_ctl(l->epoll_fd, EPOLL_CTL_DEL, fd, NULL) != 0 && errno != ENOENT &&
	    errno != EBADF)
		fds_close(&l->epoll_fd);
	h->fd = -1;
}

static void wait_by_epoll(struct loop *l)
{
	struct epoll_event events[EVENTS_AT_ONCE];
	int n = epoll_wait(l->epoll_fd, events, EVENTS_AT_ONCE, -1);

	if (n < 0 && errno != EINTR)
		fds_close(&l->epoll_fd);
	for (int i = 0; i < n && !l->stopped; i++) {
		struct handler *h = events[i].data.ptr;

		if (h->fd >= 0) /* a handler before it may have removed it */
			h->fn(h->arg);
	}
}

static size_t list_fds(const struct loop *l, struct pollfd *polls, size_t *at)
{
	size_t n = 0;

	for (size_t i = 0; i < LOOP_FDS_MAX; i++) {
		if (l->handlers[i].fd < 0)
			continue;
		polls[n] = (struct pollfd){.fd = l->handlers[i].fd, .events = POLLIN};
		at[n++] = i;
	}
	return n;
}

static void wait_by_poll(struct loop *l)
{
	struct pollfd polls[LOOP_FDS_MAX];
	size_t at[LOOP_FDS_MAX], n = list_fds(l, polls, at);

	fds_poll(polls, n, -1);
	for (size_t i = 0; i < n && !l->stopped; i++) {
		const struct handler *h = &l->handlers[at[i]];

		if (polls[i].revents && h->fd == polls[i].fd)
			h->fn(h->arg);
	}
}

void loop_after(struct loop *l, loop_fn *fn, void *arg)
{
	l->after = fn;
	l->after_arg = arg;
}

void loop_run(struct loop *l)
{
	while (!l->stopped) {
		(l->epoll_fd >= 0 ? wait_by_epoll : wait_by_poll)(l);
		if (l->after)
			l->after(l->after_arg);
	}
	l->stopped = false;
}

void loop_stop(struct loop *l)
{
	l->stopped = true;
}

bool loop_stopped(const struct loop *l)
{
	return l->stopped;
}
