/* SPDX-License-Identifier: MIT */
/* thrash FILE MIB CALM PAUSE_MS: makes FILE of that size and reads it through a mapping, an eighth of it eight times in
 * each of the first CALM epochs, all of it once in the others, until a file "enough" exists. Where all of it does not fit
 * into memory, its pages are read back again and again. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static unsigned char *map_new(const char *name, size_t bytes)
{
	static char block[1 << 20];
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	void *map;

	if (fd < 0)
		return NULL;
	for (size_t at = 0; at < bytes; at += sizeof(block))
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			return NULL;
	fsync(fd);
	map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

static unsigned read_pages(const unsigned char *map, size_t bytes)
{
	unsigned sum = 0;

	for (size_t at = 0; at < bytes; at += 4096)
		sum += ((const volatile unsigned char *)map)[at];
	return sum;
}

int main(int argc, char **argv)
{
	size_t bytes = argc == 5 ? (size_t)atoi(argv[2]) << 20 : 0;
	int calm = argc == 5 ? atoi(argv[3]) : 0;
	struct timespec pause = {.tv_nsec = argc == 5 ? atol(argv[4]) * 1000000 : 0};
	unsigned char *map = bytes ? map_new(argv[1], bytes) : NULL;

	if (!map)
		return 1;
	for (int epoch = 1; access("enough", F_OK) != 0; epoch++) {
		bool all = epoch > calm;

		printf("Epoch %d\n", epoch);
		fflush(stdout);
		for (int i = 0; i < (all ? 1 : 8); i++)
			read_pages(map, all ? bytes : bytes / 8);
		nanosleep(&pause, NULL);
	}
	return 0;
}
