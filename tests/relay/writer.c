/* SPDX-License-Identifier: MIT */
/* A command that writes numbered lines to standard output and keeps in a file how many it has written, so that
 * a test can tell whether one was lost. Usage: writer COUNT_FILE LINES PAUSE_US. Ends by itself or by a signal. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc == 4 ? open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
	volatile uint32_t *count;

	if (fd < 0 || ftruncate(fd, sizeof(*count)) != 0)
		return 90;
	count = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (count == MAP_FAILED)
		return 91;
	for (uint32_t i = 0; i < (uint32_t)atoi(argv[2]); i++) {
		char line[64];
		int n = snprintf(line, sizeof(line), "line %u of the writer\n", i);

		if (write(STDOUT_FILENO, line, (size_t)n) != n)
			return 92;
		*count = i + 1;
		usleep((useconds_t)atoi(argv[3]));
	}
	return 0;
}
