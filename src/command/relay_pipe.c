/* SPDX-License-Identifier: MIT */
/* Pages move from pipe to pipe by splice, so that a write of up to PIPE_BUF bytes arrives whole as it would
 * without a relay; tee shows them to the copy before. Where the reader goes away, COMMAND's next write fails
 * as it would without a relay; where it reads slowly, COMMAND waits. */
#include "command/relay_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fds.h"

enum { TEE_BYTES = 65536, SPLICE_BYTES = 1048576, ROUNDS_MAX = 16, WIDE_BYTES = 262144, FAILURES_MAX = 100 };

enum step { STEP_MOVED, STEP_EMPTY, STEP_OUT_FULL, STEP_END };

static bool is_socket(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

void relay_pipe_init(struct relay_pipe *p, int in, int out, int stream)
{
	p->in = in;
	p->out = out;
	p->stream = stream;
	p->out_socket = is_socket(out);
	p->out_full = false;
	p->owed = p->at = p->len = p->to_flush = 0;
	p->in_bytes = p->out_bytes = 0;
	p->scratch[0] = p->scratch[1] = -1;
	p->failures = 0;
	p->by_write = p->out_socket || pipe2(p->scratch, O_CLOEXEC | O_NONBLOCK) != 0;
	fcntl(in, F_SETFL, O_NONBLOCK);
}

static void end(struct relay_pipe *p)
{
	close(p->in);
	close(p->out);
	fds_close(&p->scratch[0]);
	fds_close(&p->scratch[1]);
	p->in = -1;
	p->to_flush = 0;
}

static size_t unread_bytes(const struct relay_pipe *p)
{
	int n = 0;

	return ioctl(p->in, FIONREAD, &n) == 0 && n > 0 ? (size_t)n : 0;
}

static void passed_on(struct relay_pipe *p, size_t n)
{
	p->to_flush = n < p->to_flush ? p->to_flush - n : 0;
}

/* Small writes share pages in the copy only when they are written: a teed page is a slot of its own. */
static enum step show_teed(struct relay_pipe *p, struct output_copy_writer *copy)
{
	ssize_t n = tee(p->in, p->scratch[1], TEE_BYTES, SPLICE_F_NONBLOCK);
	ssize_t got;

	if (n == 0)
		return STEP_END;
	if (n < 0 && errno != EAGAIN)
		p->by_write = true;
	if (n < 0)
		return STEP_EMPTY;
	p->owed = (size_t)n;
	for (size_t shown = 0; shown < p->owed; shown += (size_t)got) {
		got = read(p->scratch[0], p->buf, sizeof(p->buf));
		if (got <= 0)
			break;
		output_copy_put(copy, p->stream, p->buf, (size_t)got);
	}
	return STEP_MOVED;
}

static enum step splice_on(struct relay_pipe *p, struct output_copy_writer *copy)
{
	ssize_t n;

	if (p->owed == 0 && output_copy_wants(copy)) {
		enum step shown = show_teed(p, copy);

		if (shown != STEP_MOVED)
			return shown;
	} else if (p->owed == 0 && copy->fd >= 0) {
		copy->lost[p->stream] = true;
	}
	n = splice(p->in, NULL, p->out, NULL, p->owed ? p->owed : SPLICE_BYTES,
		   SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
	if (n > 0) {
		p->owed -= p->owed ? (size_t)n : 0;
		passed_on(p, (size_t)n);
		return STEP_MOVED;
	}
	if (n < 0 && errno == EAGAIN)
		return p->owed || unread_bytes(p) ? STEP_OUT_FULL : STEP_EMPTY;
	if (n == 0 || errno == EPIPE)
		return STEP_END;
	p->by_write = true; /* what else is wrong with `out`, a write will say */
	return STEP_MOVED;
}

/* A pipe that polls writable takes PIPE_BUF bytes without waiting, even when its flags say it may wait. */
static ssize_t write_some(const struct relay_pipe *p)
{
	struct pollfd out = {.fd = p->out, .events = POLLOUT};

	if (p->out_socket)
		return send(p->out, p->buf + p->at, p->len, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (poll(&out, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return write(p->out, p->buf + p->at, p->len < PIPE_BUF ? p->len : PIPE_BUF);
}

/* A write without a reader fails for good; for anything else COMMAND's output is not given up at once. */
static bool is_lasting(struct relay_pipe *p, int err)
{
	if (err == EAGAIN || err == EINTR)
		return false;
	return err == EPIPE || err == ECONNRESET || ++p->failures > FAILURES_MAX;
}

/* The copy has seen what is still owed from the time of splicing. */
static void show_read(struct relay_pipe *p, struct output_copy_writer *copy)
{
	size_t seen = p->owed < p->len ? p->owed : p->len;

	p->owed -= seen;
	output_copy_put(copy, p->stream, p->buf + seen, p->len - seen);
}

static enum step write_on(struct relay_pipe *p, struct output_copy_writer *copy)
{
	ssize_t n;

	if (p->len == 0) {
		n = read(p->in, p->buf, sizeof(p->buf));
		if (n < 0)
			return is_lasting(p, errno) ? STEP_END : STEP_EMPTY;
		if (n == 0)
			return STEP_END;
		p->at = 0;
		p->len = (size_t)n;
		show_read(p, copy);
	}
	n = write_some(p);
	if (n < 0)
		return is_lasting(p, errno) ? STEP_END : STEP_OUT_FULL;
	p->at += (size_t)n;
	p->len -= (size_t)n;
	p->failures = 0;
	passed_on(p, (size_t)n);
	return STEP_MOVED;
}

/* While `out` is full, `in` is not asked: the end of its writers would be reported over and over. */
void relay_pipe_poll(const struct relay_pipe *p, struct pollfd *fds)
{
	bool open = p->in >= 0;

	fds[0] = (struct pollfd){.fd = open && !p->out_full ? p->in : -1, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = open ? p->out : -1, .events = p->out_full ? POLLOUT : 0};
}

void relay_pipe_ready(struct relay_pipe *p, const struct pollfd *fds, struct output_copy_writer *copy)
{
	enum step step = STEP_MOVED;

	if (p->in < 0 || (!fds[0].revents && !fds[1].revents))
		return;
	if (fds[1].revents & (POLLERR | POLLHUP)) {
		end(p);
		return;
	}
	p->out_full = false;
	for (int i = 0; i < ROUNDS_MAX && step == STEP_MOVED; i++)
		step = p->by_write ? write_on(p, copy) : splice_on(p, copy);
	p->out_full = step == STEP_OUT_FULL;
	if (step == STEP_END)
		end(p);
}

static int widened(int fd)
{
	int bytes = fcntl(fd, F_GETPIPE_SZ);

	return bytes > 0 && bytes < WIDE_BYTES && fcntl(fd, F_SETPIPE_SZ, WIDE_BYTES) > 0 ? bytes : 0;
}

static int narrowed(int fd, int bytes)
{
	return bytes > 0 && fcntl(fd, F_SETPIPE_SZ, bytes) < 0 ? bytes : 0;
}

void relay_pipe_widen(struct relay_pipe *p, bool wide)
{
	if (p->in < 0)
		return;
	if (wide && !p->in_bytes)
		p->in_bytes = widened(p->in);
	if (wide && !p->out_bytes)
		p->out_bytes = widened(p->out);
	if (!wide) {
		p->in_bytes = narrowed(p->in, p->in_bytes);
		p->out_bytes = narrowed(p->out, p->out_bytes);
	}
}

void relay_pipe_flush(struct relay_pipe *p)
{
	if (p->in >= 0)
		p->to_flush = p->len + unread_bytes(p);
}

bool relay_pipe_flushed(const struct relay_pipe *p)
{
	return p->in < 0 || p->to_flush == 0;
}
