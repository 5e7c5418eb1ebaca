/* SPDX-License-Identifier: MIT */
/* The COMMAND of the fault campaign: says in the file "ran" that it runs and that it has come to its end, prints three
 * epochs of so many lines, and ends with status 7. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { EPOCHS = 3, STATUS = 7 };

static void leave_word(int fd, const char *word, size_t n)
{
	if (write(fd, word, n) != (ssize_t)n)
		_exit(1);
}

int main(int argc, char **argv)
{
	static const struct timespec pause = {.tv_nsec = 25000000};
	int lines = argc > 1 ? atoi(argv[1]) : 0, ran = open("ran", O_WRONLY | O_CREAT | O_APPEND, 0600);

	leave_word(ran, "begun\n", 6);
	for (int epoch = 1; epoch <= EPOCHS; epoch++) {
		printf("Epoch %d/%d\n", epoch, EPOCHS);
		fprintf(stderr, "command: epoch %d\n", epoch);
		for (int i = 0; i < lines; i++)
			printf("%d: line %d of epoch %d\n", i * 7919, i, epoch);
		fflush(stdout);
		nanosleep(&pause, NULL);
	}
	leave_word(ran, "ended\n", 6);
	return STATUS;
}
