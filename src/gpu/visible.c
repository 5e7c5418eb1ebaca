/* SPDX-License-Identifier: MIT */
/* CUDA's numbering of the devices, as far as the environment tells it. Pure, but for reading that
 * environment. */
#include "gpu/visible.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { ENVIRON_STEP = 16384 };

/* Equal cards need no order of speed. */
static bool order_is_ours(const char *order, const struct gpu_device_info *device, int n)
{
	if (order && strcmp(order, "PCI_BUS_ID") == 0)
		return true;
	for (int i = 1; i < n; i++)
		if (strcmp(device[i].name, device[0].name) != 0)
			return false;
	return true;
}

/* The device a word means, -1 none: CUDA ignores it and all that follow. */
static int find_word(const char *word, size_t len, const struct gpu_device_info *device, int n)
{
	char *end;
	long index = strtol(word, &end, 10);
	bool number = word[0] >= '0' && word[0] <= '9' && end == word + len;

	for (int i = 0; i < n; i++)
		if (number ? device[i].index == index : len > 4 && strncmp(device[i].uuid, word, len) == 0)
			return i;
	return -1;
}

static bool is_number(const char *word)
{
	return word[0] >= '0' && word[0] <= '9';
}

/* Writes the list; tells whether it is 0, 1, 2 for all devices, and whether a number stood in it. */
static int write_list(const char *visible, const struct gpu_device_info *device, int n, char *out,
		      size_t size, bool *same, bool *numbers)
{
	size_t used = strlen(out);
	int count = 0;

	*same = true;
	*numbers = false;
	for (const char *word = visible; *word;) {
		size_t len = strcspn(word, ",");
		int at = find_word(word, len, device, n);

		if (at < 0)
			break;
		*same &= device[at].index == count;
		*numbers |= is_number(word);
		used += (size_t)snprintf(out + used, used < size ? size - used : 0, "%s cuda:%d is GPU %d",
					 count ? "," : "", count, device[at].index);
		if (used > size)
			used = size;
		count++;
		word += len + (word[len] == ',');
	}
	*same &= count == n;
	return count;
}

bool gpu_visible_text(const char *visible, const char *order, const struct gpu_device_info *device, int n,
		      char *out, size_t size)
{
	bool ours = order_is_ours(order, device, n), same, numbers;
	int count;

	if (n == 0)
		return false;
	if (!visible && !ours)
		snprintf(out, size,
			 "CUDA puts the fastest GPU first: cuda:0 need not be GPU 0 "
			 "(CUDA_DEVICE_ORDER=PCI_BUS_ID makes it so)");
	if (!visible)
		return !ours;
	snprintf(out, size, "CUDA_VISIBLE_DEVICES=%.80s:", visible);
	count = write_list(visible, device, n, out, size, &same, &numbers);
	if (count == 0)
		snprintf(out, size, "CUDA_VISIBLE_DEVICES=%.80s: the program sees none of these GPUs",
			 visible);
	else if (numbers && !ours)
		snprintf(out, size,
			 "CUDA_VISIBLE_DEVICES=%.80s counts with the fastest GPU first: its numbers need not "
			 "be those of memwatch",
			 visible);
	return count == 0 || !same || (numbers && !ours);
}

static char *read_environ(const char *proc_root, pid_t pid, size_t *len)
{
	char path[256], *text = NULL;
	ssize_t got = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/%d/environ", proc_root, (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	*len = 0;
	do {
		*len += (size_t)got;
		text = xrealloc(text, *len + ENVIRON_STEP + 1, 1);
	} while ((got = read(fd, text + *len, ENVIRON_STEP)) > 0);
	text[*len] = '\0';
	close(fd);
	return text;
}

char *gpu_visible_variable(const char *proc_root, pid_t pid, const char *name)
{
	size_t len = 0, name_len = strlen(name);
	char *text = read_environ(proc_root, pid, &len), *found = NULL;

	for (const char *p = text; p && p < text + len && !found; p += strlen(p) + 1)
		if (strncmp(p, name, name_len) == 0 && p[name_len] == '=')
			found = xstrdup(p + name_len + 1);
	free(text);
	return found;
}
