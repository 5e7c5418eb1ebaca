/* SPDX-License-Identifier: MIT */
/* Forms of report by suffix: one row each. */
#include "report/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fold_text.h"
#include "base/msg.h"
#include "base/outfile.h"
#include "base/tty.h"
#include "base/xalloc.h"

enum { HEAD_BYTES = 8192 }; /* a title is a file name: 4 KiB at most */

struct form {
	const char *suffix;
	void (*write)(FILE *out, const struct report_head *head, const struct run_verdict *run);
	bool (*wrote)(const char *head); /* is this the beginning of such a report? */
};

static const struct form forms[] = {
    {".txt", report_text, report_text_wrote},
    {".json", report_json, report_json_wrote},
};

static const struct form *form_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcasecmp(dot, forms[i].suffix) == 0)
			return &forms[i];
	return NULL;
}

bool report_file_known(const char *name)
{
	return strcmp(name, "-") == 0 || form_of(name);
}

static int check_directory(const char *name)
{
	const char *slash = strrchr(name, '/');
	char *dir = xasprintf("%.*s.", slash ? (int)(slash - name) + 1 : 0, name);
	int err = access(dir, W_OK | X_OK) == 0 ? 0 : -errno;

	free(dir);
	return err;
}

/* -EEXIST: a file with something in it that is no report. */
static int check_content(const char *name, bool force)
{
	char head[HEAD_BYTES];
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(name, &st) != 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (force || !S_ISREG(st.st_mode) || st.st_size == 0)
		return 0;
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, head, sizeof(head) - 1);
	close(fd);
	head[n > 0 ? n : 0] = '\0';
	return form_of(name)->wrote(head) ? 0 : -EEXIST;
}

static int check(const char *name, bool force)
{
	if (!form_of(name))
		return -EINVAL;
	if (access(name, W_OK) == 0)
		return check_content(name, force);
	return errno == ENOENT ? check_directory(name) : -errno;
}

static void tell(const char *name, int err)
{
	if (err == -EEXIST)
		warn("--report: '%s' holds something that is not a memwatch report (--force overwrites it)",
		     name);
	else if (err)
		warn("--report: cannot write '%s': %s", name, outfile_error(err));
}

int report_file_check(const char *name, bool force)
{
	int err = strcmp(name, "-") == 0 ? 0 : check(name, force);

	tell(name, err);
	return err;
}

int report_file_check_apart(const char *const *names, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(names[i], "-") != 0 && outfile_same(names[k], names[i])) {
				warn("--report: '%s' and '%s' are one file", names[k], names[i]);
				return -EBUSY;
			}
	return 0;
}

static int write_form(const char *name, const struct report_head *head, const struct run_verdict *run)
{
	int fd, err = outfile_open(name, O_WRONLY | O_TRUNC, &fd);
	FILE *f;

	if (err)
		return err;
	f = fdopen(fd, "w");
	if (!f) {
		close(fd);
		return -ENOMEM; /* fdopen() has no other reason here */
	}
	form_of(name)->write(f, head, run);
	if (ferror(f))
		err = -EIO;
	if (fclose(f) != 0)
		err = -errno;
	return err;
}

/* Standard output; its lines are broken at words where it is a terminal. */
static void print(const struct report_head *head, const struct run_verdict *run)
{
	int columns = tty_columns(STDOUT_FILENO);
	char *text = NULL, *folded;
	size_t n = 0, room;
	struct report_charts charts = report_charts_for(STDOUT_FILENO, head->symbols);
	struct report_head drawn = *head;
	FILE *f = columns >= FOLD_LEAST ? open_memstream(&text, &n) : NULL;

	drawn.charts = &charts;
	report_text(f ? f : stdout, &drawn, run);
	if (!f)
		return;
	fclose(f);
	room = 3 * n + 1; /* a break adds half a line at most */
	folded = xcalloc(1, room);
	fwrite(folded, 1, fold_text(text, n, columns, folded, room), stdout);
	free(folded);
	free(text);
}

int report_file_write(const char *name, bool force, const struct report_head *head,
		      const struct run_verdict *run)
{
	int err;

	if (strcmp(name, "-") == 0) {
		print(head, run);
		return 0;
	}
	err = check(name, force);
	if (!err)
		err = write_form(name, head, run);
	tell(name, err);
	return err;
}
