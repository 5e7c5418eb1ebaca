/* SPDX-License-Identifier: MIT */
/* Waits for descriptors and calls their handlers; one epoll_wait per wake-up is its whole cost in a tick. */
#include "base/loop.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { EVENTS_AT_ONCE = 16 };

struct handler {
	int fd; /* -1: free */
	loop_fn *fn;
	void *arg;
};

struct loop {
	int epoll_fd;
	bool stopped;
	struct handler handlers[LOOP_FDS_MAX];
};

int loop_new(struct loop **out)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);
	struct loop *l;

	if (fd < 0)
		return -errno;
	l = xcalloc(1, sizeof(*l));
	l->epoll_fd = fd;
	for (size_t i = 0; i < LOOP_FDS_MAX; i++)
		l->handlers[i].fd = -1;
	*out = l;
	return 0;
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	close(l->epoll_fd);
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
	if (epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
		return -errno;
	*h = (struct handler){fd, fn, arg};
	return 0;
}

void loop_remove(struct loop *l, int fd)
{
	struct handler *h = handler_of(l, fd);

	if (!h)
		return;
	epoll_ctl(l->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
	h->fd = -1;
}

void loop_run(struct loop *l)
{
	struct epoll_event events[EVENTS_AT_ONCE];

	while (!l->stopped) {
		int n = epoll_wait(l->epoll_fd, events, EVENTS_AT_ONCE, -1);

		for (int i = 0; i < n && !l->stopped; i++) {
			struct handler *h = events[i].data.ptr;

			if (h->fd >= 0) /* a handler before it may have removed it */
				h->fn(h->arg);
		}
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
