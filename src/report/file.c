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
#include "draw/image.h"
#include "draw/svg.h"
#include "report/comparison_picture.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/picture.h"

enum { HEAD_BYTES = 8192, TAIL_BYTES = 256 }; /* a title is a file name: 4 KiB at most */

/* What a form is written by: of a run, and of a comparison. */
typedef void write_fn(FILE *out, const struct report_head *head, const struct run_verdict *run);
typedef int paint_fn(FILE *out, const struct report_head *head, const struct run_verdict *run);
typedef void write_comparison_fn(FILE *out, const struct comparison_report *r);
typedef int paint_comparison_fn(FILE *out, const struct comparison_report *r);

struct form {
	const char *suffix;
	write_fn *write;
	write_comparison_fn *write_comparison;
	paint_fn *paint; /* instead of both: by a library that may be missing */
	paint_comparison_fn *paint_comparison;
	bool (*wrote)(const char *head); /* is this the beginning of such a report? */
	bool (*ended)(const char *tail); /* or, instead, this its end? */
};

static bool text_wrote(const char *head)
{
	return report_text_wrote(head) || comparison_text_wrote(head);
}

static void signed_markdown(FILE *out, const struct comparison_report *r)
{
	fputs("<!-- memwatch " MEMWATCH_VERSION " -->\n\n", out);
	comparison_markdown(out, r);
}

static const struct form forms[] = {
    {".txt", .write = report_text, .write_comparison = comparison_text, .wrote = text_wrote},
    {".json", .write = report_json, .write_comparison = comparison_json, .wrote = report_json_wrote},
    {".md", .write = report_markdown, .write_comparison = signed_markdown, .wrote = report_markdown_wrote},
    {".html", .write = report_html, .write_comparison = comparison_html, .wrote = report_html_wrote},
    {".svg", .write = report_svg, .write_comparison = comparison_svg, .wrote = svg_document_wrote},
    {".png", .paint = report_png, .paint_comparison = comparison_png, .wrote = image_png_wrote},
    {".pdf", .paint = report_pdf, .paint_comparison = comparison_pdf, .ended = image_pdf_wrote},
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

/* Bytes of a file as text: what is 0 in it is a blank. */
static void read_text(int fd, off_t from, char *text, size_t size)
{
	ssize_t n = pread(fd, text, size - 1, from);

	text[n > 0 ? n : 0] = '\0';
	for (ssize_t i = 0; i < n; i++)
		text[i] = text[i] ? text[i] : ' ';
}

static bool is_own(int fd, off_t size, const struct form *form)
{
	char text[HEAD_BYTES];

	if (form->wrote) {
		read_text(fd, 0, text, sizeof(text));
		return form->wrote(text);
	}
	read_text(fd, size > TAIL_BYTES ? size - TAIL_BYTES : 0, text, TAIL_BYTES + 1);
	return form->ended(text);
}

/* -EEXIST: a file with something in it that is no report. */
static int check_content(const char *name, bool force)
{
	struct stat st;
	bool own;
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
	own = is_own(fd, st.st_size, form_of(name));
	close(fd);
	return own ? 0 : -EEXIST;
}

static int check(const char *name, bool force)
{
	const struct form *form = form_of(name);

	if (!form)
		return -EINVAL;
	if (form->paint && image_missing())
		return -ENOTSUP;
	if (access(name, W_OK) == 0)
		return check_content(name, force);
	return errno == ENOENT ? check_directory(name) : -errno;
}

static void tell(const char *name, int err)
{
	if (err == -EEXIST)
		warn("--report: '%s' holds something that is not a memwatch report (--force overwrites it)",
		     name);
	else if (err == -ENOTSUP && image_missing())
		warn("--report: cannot write '%s': %s (.svg and .html need nothing)", name, image_missing());
	else if (err)
		warn("--report: cannot write '%s': %s", name, outfile_error(err));
}

int report_file_check(const char *name, bool force)
{
	int err = strcmp(name, "-") == 0 ? 0 : check(name, force);

	tell(name, err);
	return err;
}

int report_file_check_streams(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *stream = strcmp(names[i], "-") == 0 ? NULL : outfile_stream(names[i], 0);

		if (!stream)
			continue;
		warn("--report: '%s' is the file that %s goes to", names[i], stream);
		return -EBUSY;
	}
	return 0;
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

static int write_to(FILE *f, const struct form *form, const struct report_head *head,
		    const struct run_verdict *run)
{
	if (form->paint)
		return form->paint(f, head, run);
	form->write(f, head, run);
	return 0;
}

static int open_file(const char *name, FILE **f)
{
	int fd, err = outfile_open(name, O_WRONLY | O_TRUNC, &fd);

	if (err)
		return err;
	*f = fdopen(fd, "w");
	if (!*f) {
		close(fd);
		return -ENOMEM; /* fdopen() has no other reason here */
	}
	errno = 0;
	return 0;
}

/* Half a page or picture is of no use to anybody, and the next run would take it for somebody else's. */
static void discard(const char *name)
{
	struct stat st;

	if (stat(name, &st) != 0 || !S_ISREG(st.st_mode) || truncate(name, 0) != 0)
		return;
	if (lstat(name, &st) == 0 && S_ISREG(st.st_mode))
		unlink(name);
}

/* A stream only knows that it could not write; why, the last call that failed has left behind. */
static int close_file(const char *name, FILE *f, int err)
{
	if (ferror(f))
		err = errno ? -errno : -EIO;
	if (fclose(f) != 0)
		err = -errno;
	if (err)
		discard(name);
	return err;
}

static int write_form(const char *name, const struct report_head *head, const struct run_verdict *run)
{
	FILE *f;
	int err = open_file(name, &f);

	return err ? err : close_file(name, f, write_to(f, form_of(name), head, run));
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

bool report_file_none_shown(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], "-") == 0)
			return false;
	return count > 0;
}

void report_file_say_written(const char *name)
{
	if (strcmp(name, "-") != 0 && isatty(STDERR_FILENO))
		note("%s is written", name);
}

static int write_comparison(FILE *f, const struct form *form, const struct comparison_report *r)
{
	if (form->paint_comparison)
		return form->paint_comparison(f, r);
	form->write_comparison(f, r);
	return 0;
}

int comparison_file_write(const char *name, bool force, const struct comparison_report *r)
{
	int err;
	FILE *f;

	if (strcmp(name, "-") == 0) {
		comparison_text(stdout, r);
		return 0;
	}
	err = check(name, force);
	if (!err)
		err = open_file(name, &f);
	if (!err)
		err = close_file(name, f, write_comparison(f, form_of(name), r));
	tell(name, err);
	return err;
}
