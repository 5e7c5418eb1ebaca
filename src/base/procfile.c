/* SPDX-License-Identifier: MIT */
/* Reads and parses the small files of /proc. Knows neither which processes are wanted nor why. */
#include "base/procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

ssize_t proc_pread(int fd, char *buf, size_t cap, off_t offset)
{
	ssize_t n;

	do
		n = pread(fd, buf, cap, offset);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

int proc_open_at(int dir_fd, const char *path)
{
	int fd;

	do
		fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

FILE *proc_open_lines(const char *proc_root, pid_t pid, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%d/%s", proc_root, (int)pid, name);
	return fopen(path, "re");
}

ssize_t proc_read_at(int dir_fd, const char *path, char *buf, size_t cap)
{
	int fd = proc_open_at(dir_fd, path);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = proc_pread(fd, buf, cap, 0);
	close(fd);
	return n;
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* Digits at p, leading blanks skipped; stops at end. False when there are none; saturates at UINT64_MAX. */
static inline bool number(const char *p, const char *end, uint64_t *out, const char **out_end)
{
	enum { DIGITS_SAFE = 19 }; /* as many cannot overflow */
	const char *first;
	uint64_t v = 0;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	for (first = p; p < end && is_digit(*p); p++)
		v = v * 10 + (uint64_t)(*p - '0');
	*out = p - first > DIGITS_SAFE ? UINT64_MAX : v;
	if (out_end)
		*out_end = p;
	return p > first;
}

/* "   1728 kB" as bytes. */
static bool kib(const char *p, const char *end, uint64_t *out_bytes)
{
	uint64_t v;

	if (!number(p, end, &v, NULL))
		return false;
	*out_bytes = v > UINT64_MAX / 1024 ? UINT64_MAX : v * 1024;
	return true;
}

static const char *next_line(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return nl ? nl + 1 : end;
}

/* The text after key on the first line from p on that begins with it, or NULL. p is the start of a line. */
static const char *find(const char *p, const char *end, const char *key, size_t key_len)
{
	for (; p < end; p = next_line(p, end)) {
		if ((size_t)(end - p) >= key_len && memcmp(p, key, key_len) == 0)
			return p + key_len;
	}
	return NULL;
}

/* The same, first where it was last time: lines before Threads change their length seldom, and walking over
 * thirty of them is most of what parsing costs without this. */
static inline const char *find_hinted(const char *p, const char *end, const char *key, size_t key_len,
				      uint16_t *hint)
{
	const char *found;

	if (*hint && (size_t)(end - p) >= *hint + key_len && p[*hint - 1] == '\n' &&
	    memcmp(p + *hint, key, key_len) == 0)
		return p + *hint + key_len;
	found = find(p, end, key, key_len);
	if (found && found - p - (ptrdiff_t)key_len <= UINT16_MAX)
		*hint = (uint16_t)(found - p - (ptrdiff_t)key_len);
	return found;
}

#define FIND(p, end, key)              find(p, end, key, sizeof(key) - 1)
#define FIND_HINTED(p, end, key, hint) find_hinted(p, end, key, sizeof(key) - 1, hint)

/* The line after p's, when it begins with key. */
static inline const char *follows(const char *p, const char *end, const char *key, size_t key_len)
{
	p = next_line(p, end);
	return (size_t)(end - p) >= key_len && memcmp(p, key, key_len) == 0 ? p + key_len : NULL;
}

#define FOLLOWS(p, end, key) follows(p, end, key, sizeof(key) - 1)

/* VmRSS and the three lines after it; returns where it stopped. */
static const char *parse_rss(const char *p, const char *end, struct proc_status *out)
{
	const char *anon, *file, *shmem;

	out->mm = kib(p, end, &out->rss);
	anon = FOLLOWS(p, end, "RssAnon:");
	file = anon ? FOLLOWS(anon, end, "RssFile:") : NULL;
	shmem = file ? FOLLOWS(file, end, "RssShmem:") : NULL;
	if (!shmem)
		return p;
	out->split = kib(anon, end, &out->anon) && kib(file, end, &out->file) && kib(shmem, end, &out->shmem);
	return shmem;
}

int proc_parse_status(const char *buf, size_t len, struct proc_hints *hints, struct proc_status *out)
{
	const char *end = buf + len;
	const char *state = FIND(buf, end, "State:\t");
	const char *p, *at;
	uint64_t threads;

	memset(out, 0, sizeof(*out));
	if (!state || state >= end)
		return -EINVAL;
	out->state = *state;
	p = next_line(state, end);
	at = out->state == 'Z' ? NULL : FIND_HINTED(p, end, "VmRSS:", &hints->rss);
	if (at) {
		p = parse_rss(at, end, out);
		p = next_line(p, end);
		at = FIND_HINTED(p, end, "VmSwap:", &hints->swap);
		if (at && kib(at, end, &out->swap))
			p = next_line(at, end);
	}
	at = FIND_HINTED(p, end, "Threads:", &hints->threads);
	if (!at || !number(at, end, &threads, NULL))
		return -EINVAL;
	out->threads = threads > INT_MAX ? INT_MAX : (int)threads;
	return 0;
}

int proc_status_at(int dir_fd, const char *path, struct proc_status *out)
{
	char buf[PROC_CHUNK];
	struct proc_hints hints = {0};
	ssize_t n = proc_read_at(dir_fd, path, buf, sizeof(buf));

	return n < 0 ? (int)n : proc_parse_status(buf, (size_t)n, &hints, out);
}

static bool pid_after(const char *p, const char *end, const char *key, size_t key_len, pid_t *out)
{
	const char *at = find(p, end, key, key_len);
	uint64_t v;

	if (!at || !number(at, end, &v, NULL) || v > INT_MAX)
		return false;
	*out = (pid_t)v;
	return true;
}

int proc_parse_identity(const char *buf, size_t len, struct proc_identity *out)
{
	const char *end = buf + len;
	const char *name = FIND(buf, end, "Name:\t");
	const char *state = FIND(buf, end, "State:\t");
	const char *stop;
	size_t n;

	if (!name || !state || state >= end || !pid_after(buf, end, "Tgid:\t", 6, &out->tgid) ||
	    !pid_after(buf, end, "PPid:\t", 6, &out->ppid))
		return -EINVAL;
	stop = memchr(name, '\n', (size_t)(end - name));
	n = stop ? (size_t)(stop - name) : 0;
	if (n > sizeof(out->name) - 1)
		n = sizeof(out->name) - 1;
	memcpy(out->name, name, n);
	out->name[n] = '\0';
	out->state = *state;
	return 0;
}

/* A number of stat by its field in proc(5); the name, which may hold anything, is field 2. */
static int stat_field(const char *buf, size_t len, int field, uint64_t *out)
{
	enum { FIELD_NAME = 2 };
	const char *end = buf + len;
	const char *p = memrchr(buf, ')', len);

	for (int i = FIELD_NAME; p && i < field; i++) {
		p = memchr(p, ' ', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	return p && number(p, end, out, NULL) ? 0 : -EINVAL;
}

int proc_parse_start(const char *buf, size_t len, uint64_t *out_ticks)
{
	enum { FIELD_START = 22 };

	return stat_field(buf, len, FIELD_START, out_ticks);
}

int proc_parse_layout(const char *buf, size_t len, struct proc_layout *out)
{
	enum { FIELD_CODE = 26, FIELD_STACK = 28, FIELD_BRK = 47 };

	if (stat_field(buf, len, FIELD_CODE, &out->code) || stat_field(buf, len, FIELD_STACK, &out->stack) ||
	    stat_field(buf, len, FIELD_BRK, &out->brk))
		return -EINVAL;
	return out->stack > 0 ? proc_parse_start(buf, len, &out->start_ticks) : -EINVAL;
}

int proc_parse_major_faults(const char *buf, size_t len, uint64_t *out)
{
	enum { FIELD_MAJFLT = 12 };

	return stat_field(buf, len, FIELD_MAJFLT, out);
}

int proc_parse_pressure(const char *buf, size_t len, uint64_t *out_us)
{
	static const char key[] = " total=";
	const char *end = buf + len, *some = FIND(buf, end, "some"), *total;

	if (!some)
		return -EINVAL;
	end = next_line(some, end);
	total = memmem(some, (size_t)(end - some), key, sizeof(key) - 1);
	return total && number(total + sizeof(key) - 1, end, out_us, NULL) ? 0 : -EINVAL;
}

int proc_parse_kernel_thread(const char *buf, size_t len, bool *out)
{
	enum { FIELD_FLAGS = 9, PF_KTHREAD = 0x00200000 }; /* include/linux/sched.h */
	uint64_t flags;
	int err = stat_field(buf, len, FIELD_FLAGS, &flags);

	if (!err)
		*out = flags & PF_KTHREAD;
	return err;
}

int proc_parse_last_pid(const char *buf, size_t len, uint64_t *out_pid)
{
	const char *p = memrchr(buf, ' ', len);

	return p && number(p, buf + len, out_pid, NULL) ? 0 : -EINVAL;
}

static bool kib_after(const char *p, const char *end, const char *key, size_t key_len, uint64_t *out)
{
	const char *at = find(p, end, key, key_len);

	return at && kib(at, end, out);
}

int proc_parse_rollup(const char *buf, size_t len, struct proc_rollup *out)
{
	const char *end = buf + len;

	memset(out, 0, sizeof(*out));
	if (!kib_after(buf, end, "Pss:", 4, &out->pss))
		return -EINVAL;
	kib_after(buf, end, "Anonymous:", 10, &out->anonymous);
	kib_after(buf, end, "Private_Dirty:", 14, &out->private_dirty);
	kib_after(buf, end, "SwapPss:", 8, &out->swap_pss);
	out->parts = kib_after(buf, end, "Pss_Anon:", 9, &out->pss_anon) &&
		     kib_after(buf, end, "Pss_Shmem:", 10, &out->pss_shmem);
	return 0;
}

int proc_parse_limit_as(const char *buf, size_t len, uint64_t *out_bytes)
{
	const char *end = buf + len;
	const char *at = FIND(buf, end, "Max address space");

	if (!at)
		return -EINVAL;
	if (number(at, end, out_bytes, NULL))
		return 0;
	while (at < end && *at == ' ')
		at++;
	if ((size_t)(end - at) < 9 || memcmp(at, "unlimited", 9) != 0)
		return -EINVAL;
	*out_bytes = UINT64_MAX;
	return 0;
}

bool proc_next_pid(const char **at, const char *end, pid_t *out)
{
	const char *p = *at, *stop;
	uint64_t v;

	while (p < end && !is_digit(*p))
		p++;
	if (!number(p, end, &v, &stop) || v > INT_MAX) {
		*at = p;
		return false;
	}
	*at = stop;
	*out = (pid_t)v;
	return true;
}
