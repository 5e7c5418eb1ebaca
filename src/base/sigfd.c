/* SPDX-License-Identifier: MIT */
/* signalfd(2), or sigtimedwait(2) at short intervals. Knows no signal by name. */
#include "base/sigfd.h"

#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"

enum { LOOK_NS = 20 * NS_PER_MS };

static int open_timer(void)
{
	struct itimerspec spec = {.it_value = clock_timespec(LOOK_NS),
				  .it_interval = clock_timespec(LOOK_NS)};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0 && timerfd_settime(fd, 0, &spec, NULL) != 0)
		fds_close(&fd);
	return fd;
}

int sigfd_open(struct sigfd *s, const sigset_t *set)
{
	int err;

	*s = (struct sigfd){.fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK), .set = *set};
	if (s->fd >= 0)
		return 0;
	err = -errno;
	s->by_time = true;
	s->fd = open_timer();
	return s->fd < 0 ? err : 0;
}

void sigfd_close(struct sigfd *s)
{
	fds_close(&s->fd);
}

static bool look(const struct sigfd *s, struct signalfd_siginfo *info)
{
	static const struct timespec now;
	siginfo_t got;

	if (sigtimedwait(&s->set, &got, &now) < 0)
		return false;
	*info = (struct signalfd_siginfo){
	    .ssi_signo = (uint32_t)got.si_signo,
	    .ssi_code = got.si_code,
	    .ssi_pid = (uint32_t)got.si_pid,
	};
	if (got.si_code == SI_QUEUE)
		info->ssi_ptr = (uintptr_t)got.si_value.sival_ptr;
	return true;
}

bool sigfd_take_pending(int signo, siginfo_t *info)
{
	static const struct timespec now;
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, signo);
	return sigtimedwait(&one, info, &now) == signo;
}

bool sigfd_take(struct sigfd *s, struct signalfd_siginfo *info)
{
	uint64_t times;

	if (s->fd < 0)
		return false;
	if (!s->by_time)
		return read(s->fd, info, sizeof(*info)) == (ssize_t)sizeof(*info);
	if (look(s, info))
		return true;
	if (read(s->fd, &times, sizeof(times)) < 0)
		return false;
	return look(s, info);
}
