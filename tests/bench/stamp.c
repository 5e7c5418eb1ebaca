/* SPDX-License-Identifier: MIT */
/* Reads rows from standard input without ever sleeping and prints, at the end of the input, the monotonic
 * nanosecond at which each row arrived. Spinning keeps the reader's own wake-up out of the lateness it measures. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { ROWS_MAX = 1 << 20 };

static int64_t stamps_ns[ROWS_MAX];

static int64_t mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

int main(void)
{
	char buffer[1 << 16];
	int rows = 0;
	ssize_t n;

	if (fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK) < 0)
		return 1;
	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) != 0) {
		int64_t now = mono_ns();

		if (n < 0 && errno != EAGAIN)
			return 1;
		for (ssize_t i = 0; i < n && rows < ROWS_MAX; i++)
			if (buffer[i] == '\n')
				stamps_ns[rows++] = now;
	}
	for (int i = 0; i < rows; i++)
		printf("%" PRId64 "\n", stamps_ns[i]);
	return 0;
}
