/* SPDX-License-Identifier: MIT */
/* The schedule of samples on a timerfd. A late tick is served once; those that passed meanwhile never come in
 * a burst. */
#include "base/ticker.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"

int ticker_open(struct ticker *t, int64_t start_ns, int64_t interval_ns)
{
	struct itimerspec spec = {
	    .it_value = clock_timespec(start_ns + interval_ns),
	    .it_interval = clock_timespec(interval_ns),
	};

	*t = (struct ticker){.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
	if (t->fd < 0)
		return -errno;
	if (timerfd_settime(t->fd, TFD_TIMER_ABSTIME, &spec, NULL) != 0) {
		int err = -errno;

		ticker_close(t);
		return err;
	}
	return 0;
}

void ticker_close(struct ticker *t)
{
	fds_close(&t->fd);
}

bool ticker_take(struct ticker *t)
{
	uint64_t n;

	if (read(t->fd, &n, sizeof(n)) != (ssize_t)sizeof(n) || n == 0)
		return false;
	t->missed += n - 1;
	return true;
}
