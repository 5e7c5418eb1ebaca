/* SPDX-License-Identifier: MIT */
/* Opens a recorded run, finds out by its first bytes who wrote it, and says in words why it cannot be one. Knows no
 * verdicts. */
#include "record/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { HEAD_MAX = 64 * 1024 };

struct recording {
	int fd;
	struct csv_reader *csv; /* one of the two */
	struct log_reader *log;
};

static int open_path(const char *path)
{
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
					: open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* As much of the beginning as there is, up to HEAD_MAX; -errno. */
static ssize_t read_head(int fd, char *head)
{
	size_t have = 0;
	ssize_t n = 1;

	while (n != 0 && have < HEAD_MAX) {
		n = read(fd, head + have, HEAD_MAX - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

/* The first line, NUL-terminated; the caller frees it. */
static char *first_line(const char *head, size_t n)
{
	size_t bom = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	const char *end = memchr(head + bom, '\n', n - bom);
	size_t len = (end ? (size_t)(end - head) : n) - bom;
	char *line = xcalloc(1, len + 1);

	memcpy(line, head + bom, len);
	return line;
}

/* Has the file the columns of memwatch, or at least one of them? Then it is read, or refused, as such. */
static bool is_own(const char *head, size_t n)
{
	static const char *const columns[] = {"elapsed_s", "rss_bytes", "held_bytes", "anon_bytes"};
	char *line = first_line(head, n), *rest = line, *cell;
	bool own = false;

	while ((cell = strsep(&rest, ",\r")))
		for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
			own = own || strcmp(cell, columns[i]) == 0;
	free(line);
	return own;
}

static bool has_own_columns(const char *head, size_t n)
{
	char *line = first_line(head, n), why[CSV_WHY_MAX];
	struct csv_table table;
	size_t len = strcspn(line, "\r");
	bool has = csv_table_open(&table, line, len, why) == 0;

	csv_table_close(&table);
	free(line);
	return has;
}

static int open_reader(struct recording *r, const struct log_request *how, char why[CSV_WHY_MAX])
{
	char *head = xcalloc(1, HEAD_MAX);
	ssize_t n = read_head(r->fd, head);
	int err;

	if (n <= 0)
		err = n < 0 ? (int)n : -ENODATA;
	else if (!how->choice.value && (has_own_columns(head, (size_t)n) || is_own(head, (size_t)n)))
		err = csv_reader_open(&r->csv, r->fd, head, (size_t)n, why);
	else
		err = log_reader_new(&r->log, r->fd, head, (size_t)n, how, why);
	free(head);
	return err;
}

int recording_open(struct recording **out, const char *path, const struct log_request *how,
		   char why[CSV_WHY_MAX])
{
	return recording_open_fd(out, open_path(path), how, why);
}

int recording_open_fd(struct recording **out, int fd, const struct log_request *how, char why[CSV_WHY_MAX])
{
	struct recording *r = xcalloc(1, sizeof(*r));
	int err;

	*out = NULL;
	why[0] = '\0';
	r->fd = fd;
	err = r->fd < 0 ? r->fd : open_reader(r, how, why);
	if (!err) {
		*out = r;
		return 0;
	}
	if (err == -ENODATA)
		snprintf(why, CSV_WHY_MAX, "empty file");
	else if (!why[0])
		snprintf(why, CSV_WHY_MAX, "%s", strerror(-err));
	recording_close(r);
	return err;
}

void recording_close(struct recording *r)
{
	if (!r)
		return;
	csv_reader_close(r->csv);
	log_reader_free(r->log);
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}

const struct channel *recording_channels(const struct recording *r, int *n)
{
	return r->csv ? csv_reader_channels(r->csv, n) : log_reader_channels(r->log, n);
}

int recording_next(struct recording *r, const struct sample **out)
{
	return r->csv ? csv_reader_next(r->csv, out) : log_reader_next(r->log, out);
}

const struct csv_reader_damage *recording_damage(const struct recording *r)
{
	return r->csv ? csv_reader_damage(r->csv) : log_reader_damage(r->log);
}

bool recording_has_times(const struct recording *r)
{
	return r->csv || log_reader_has_times(r->log);
}

const char *recording_tool(const struct recording *r)
{
	return r->csv ? NULL : log_reader_format(r->log);
}

const char *recording_note(const struct recording *r, int i)
{
	if (r->csv)
		return i == 0 && csv_reader_cut_off(r->csv) ? "the last row is cut off and was left out"
							    : NULL;
	return log_reader_note(r->log, i);
}
