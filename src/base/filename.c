/* SPDX-License-Identifier: MIT */
/* Names of output files that tell runs, hosts and ranks apart. */
#include "base/filename.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

/* Set by torchrun, Open MPI, MPICH/Intel MPI and Slurm for each rank. */
static const char *rank(void)
{
	static const char *const names[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && *value && strspn(value, "0123456789") == strlen(value))
			return value;
	}
	return "";
}

static int expansion(char letter, pid_t pid, char *buf, size_t size)
{
	switch (letter) {
	case 'p':
		snprintf(buf, size, "%d", (int)pid);
		return 0;
	case 'h':
		if (gethostname(buf, size) != 0)
			snprintf(buf, size, "localhost");
		buf[size - 1] = '\0';
		return 0;
	case 'r':
		snprintf(buf, size, "%s", rank());
		return 0;
	case '%':
		snprintf(buf, size, "%%");
		return 0;
	default:
		return -EINVAL;
	}
}

int filename_expand(const char *pattern, pid_t pid, char **out)
{
	char *name = xcalloc(1, 1), part[256];

	for (const char *p = pattern; *p; p++) {
		char *longer;

		if (*p != '%') {
			part[0] = *p;
			part[1] = '\0';
		} else if (expansion(*++p, pid, part, sizeof(part)) != 0) {
			free(name);
			return -EINVAL;
		}
		longer = xasprintf("%s%s", name, part);
		free(name);
		name = longer;
	}
	*out = name;
	return 0;
}
