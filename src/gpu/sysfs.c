/* SPDX-License-Identifier: MIT */
/* Small files of /proc and /sys. Knows nothing of GPUs. */
#include "gpu/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 512 };

static int read_whole(char *buf, size_t size, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	size_t have = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	while (have < size - 1 && (n = read(fd, buf + have, size - 1 - have)) > 0)
		have += (size_t)n;
	if (n < 0)
		err = -errno;
	buf[have] = '\0';
	close(fd);
	return err ? err : (int)have;
}

int gpu_sysfs_read(char *buf, size_t size, const char *path_fmt, ...)
{
	char path[PATH_BYTES];
	va_list ap;

	va_start(ap, path_fmt);
	vsnprintf(path, sizeof(path), path_fmt, ap);
	va_end(ap);
	return read_whole(buf, size, path);
}

bool gpu_sysfs_exists(const char *path_fmt, ...)
{
	char path[PATH_BYTES];
	va_list ap;

	va_start(ap, path_fmt);
	vsnprintf(path, sizeof(path), path_fmt, ap);
	va_end(ap);
	return access(path, F_OK) == 0;
}

bool gpu_sysfs_number(uint64_t *out, const char *path_fmt, ...)
{
	char path[PATH_BYTES], text[32] = "", *end;
	va_list ap;

	va_start(ap, path_fmt);
	vsnprintf(path, sizeof(path), path_fmt, ap);
	va_end(ap);
	if (read_whole(text, sizeof(text), path) <= 0 || text[0] < '0' || text[0] > '9')
		return false;
	*out = strtoull(text, &end, 10);
	return *end == '\n' || *end == '\0';
}

const char *gpu_sysfs_value(const char *text, const char *key)
{
	size_t len = strlen(key);

	while (text && *text) {
		if (strncmp(text, key, len) == 0 && (text[len] == ' ' || text[len] == '='))
			return text + len + 1;
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return NULL;
}

/* The inode number of the first namespace is fixed in the kernel (PROC_PID_INIT_INO). */
bool gpu_sysfs_initial_pids(const char *proc_root)
{
	char path[PATH_BYTES], link[64];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/self/ns/pid", proc_root);
	len = readlink(path, link, sizeof(link) - 1);
	if (len < 0)
		return true;
	link[len] = '\0';
	return strcmp(link, "pid:[4026531836]") == 0;
}
