/* SPDX-License-Identifier: MIT */
/* Frames on a pipe: a header and at most PIPE_BUF bytes together, which the kernel writes whole or not at
 * all, so a full pipe never cuts a frame. */
#include "command/output_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"

enum { OUTPUT_COPY_PIPE_BYTES = 1048576 };

struct header {
	uint8_t stream;
	uint8_t lost;
	uint16_t n;
};

enum { PAYLOAD_MAX = PIPE_BUF - sizeof(struct header) };

int output_copy_open(struct output_copy_reader *reader, struct output_copy_writer *writer)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
		return -errno;
	/* Beyond the user's share of pipe memory this fails: the copy is then as small as any pipe. */
	fcntl(fds[1], F_SETPIPE_SZ, OUTPUT_COPY_PIPE_BYTES);
	reader->fd = fds[0];
	reader->have = 0;
	*writer = (struct output_copy_writer){.fd = fds[1]};
	return 0;
}

/* After an overflow it must be empty again, or a flood would come as a multitude of short pieces. */
bool output_copy_wants(struct output_copy_writer *w)
{
	int unread = 0;

	if (w->fd < 0)
		return false;
	if (w->full && (ioctl(w->fd, FIONREAD, &unread) != 0 || unread > 0))
		return false;
	w->full = false;
	return true;
}

static bool put_frame(struct output_copy_writer *w, int stream, const char *bytes, size_t n)
{
	char frame[PIPE_BUF];
	struct header h = {.stream = (uint8_t)stream, .lost = w->lost[stream], .n = (uint16_t)n};

	memcpy(frame, &h, sizeof(h));
	memcpy(frame + sizeof(h), bytes, n);
	if (write(w->fd, frame, sizeof(h) + n) > 0) {
		w->lost[stream] = false;
		return true;
	}
	if (errno == EAGAIN)
		w->full = true;
	else
		output_copy_close_writer(w);
	return false;
}

void output_copy_put(struct output_copy_writer *w, int stream, const char *bytes, size_t n)
{
	bool wanted = output_copy_wants(w);

	while (n > 0) {
		size_t part = n < PAYLOAD_MAX ? n : PAYLOAD_MAX;

		if (!wanted || !put_frame(w, stream, bytes, part)) {
			w->lost[stream] = true;
			return;
		}
		bytes += part;
		n -= part;
	}
}

void output_copy_close_writer(struct output_copy_writer *w)
{
	w->full = false;
	fds_close(&w->fd);
}

/* Whole frames only, neighbours of one stream as one piece: a cut within a line would be no more than a
 * frame's end. Returns how many bytes of the buffer they took. */
static size_t hand_over(struct output_copy_reader *r, output_copy_fn *fn, void *arg)
{
	int64_t now_ns = clock_mono_ns();
	size_t at = 0, n = 0;
	char *piece = r->buf;
	int stream = 0;

	for (;;) {
		struct header h = {0};
		bool whole = r->have - at >= sizeof(h);

		if (whole)
			memcpy(&h, r->buf + at, sizeof(h));
		whole = whole && r->have - at >= sizeof(h) + h.n;
		if (n > 0 && (!whole || h.lost || h.stream != stream)) {
			fn(arg, stream, piece, n, now_ns);
			n = 0;
		}
		if (!whole)
			return at;
		if (h.lost)
			fn(arg, h.stream, NULL, 0, now_ns);
		if (n == 0)
			piece = r->buf + at;
		memmove(piece + n, r->buf + at + sizeof(h), h.n);
		n += h.n;
		stream = h.stream;
		at += sizeof(h) + h.n;
	}
}

bool output_copy_read(struct output_copy_reader *r, size_t max_bytes, output_copy_fn *fn, void *arg)
{
	size_t total = 0;

	while (r->fd >= 0 && total < max_bytes) {
		ssize_t n = read(r->fd, r->buf + r->have, sizeof(r->buf) - r->have);
		size_t used;

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (n == 0)
			return false;
		total += (size_t)n;
		r->have += (size_t)n;
		used = hand_over(r, fn, arg);
		r->have -= used;
		memmove(r->buf, r->buf + used, r->have);
	}
	return r->fd >= 0;
}

void output_copy_close_reader(struct output_copy_reader *r)
{
	fds_close(&r->fd);
}
