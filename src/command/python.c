/* SPDX-License-Identifier: MIT */
/* Names of interpreters, and first lines that lead to one. Runs nothing. */
#include "command/python.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/procfile.h"

enum {
	HEAD_BYTES = 1024, /* the kernel reads 256 of a first line; installers write longer second ones */
	SCRIPTS_MAX = 5,   /* scripts that run scripts, as the kernel has it */
	ENVIRON_BYTES = 65536,
};

#define SEPARATORS " \t\r\n;&|()<>{}\"'`$=,"

/* python, python3.12, python3.13t, pypy3, /opt/venv/bin/python3-dbg; not python3-config. */
static bool is_interpreter(const char *word, size_t len)
{
	static const char *const names[] = {"python", "pypy"};
	const char *end = word + len, *slash = memrchr(word, '/', len), *name = slash ? slash + 1 : word;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);

		if ((size_t)(end - name) < n || strncmp(name, names[i], n) != 0)
			continue;
		name += n;
		name += strspn(name, "0123456789.tdm");
		return name >= end || strncmp(name, "-dbg", (size_t)(end - name)) == 0;
	}
	return false;
}

static bool is_script_name(const char *word, size_t len)
{
	return len > 3 && strncmp(word + len - 3, ".py", 3) == 0;
}

/* One of the words of a command line or a shell's text. */
static bool names_python(const char *text)
{
	for (text += strspn(text, SEPARATORS); *text; text += strspn(text, SEPARATORS)) {
		size_t len = strcspn(text, SEPARATORS);

		if (is_interpreter(text, len) || is_script_name(text, len))
			return true;
		text += len;
	}
	return false;
}

/* As execvp() finds it. */
static bool find_file(const char *name, char path[PATH_MAX])
{
	const char *dirs = getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
	for (dirs = dirs ? dirs : "/bin:/usr/bin"; dirs;
	     dirs = strchr(dirs, ':') ? strchr(dirs, ':') + 1 : NULL) {
		int len = (int)strcspn(dirs, ":");

		if (snprintf(path, PATH_MAX, "%.*s%s%s", len, dirs, len ? "/" : "", name) < PATH_MAX &&
		    access(path, X_OK) == 0)
			return true;
	}
	return false;
}

/* The beginning of a regular file; false when there is none. */
static bool read_head(const char *path, char head[HEAD_BYTES])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, head, HEAD_BYTES - 1);
	close(fd);
	head[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Where the path of the interpreter is too long for a first line, or has a blank in it, pip, conda and uv write
 * "#!/bin/sh" and a second line that is shell and Python at once: '''exec' "/long path/bin/python" "$0" "$@" */
static bool second_line_names_python(const char *line)
{
	return (strncmp(line, "'''exec'", 8) == 0 || strncmp(line, "\"exec\"", 6) == 0) && names_python(line);
}

/* A script's first lines; path becomes the program that is to run it. */
static bool is_python_script(char *head, char path[PATH_MAX])
{
	char *line = head + 2, *rest = strchr(line, '\n');

	if (rest)
		*rest++ = '\0';
	if (names_python(line) || (rest && second_line_names_python(rest)))
		return true;
	line += strspn(line, " \t");
	snprintf(path, PATH_MAX, "%.*s", (int)strcspn(line, " \t\r"), line);
	return false;
}

static bool is_python_program(const char *path)
{
	char real[PATH_MAX];

	return is_interpreter(path, strlen(path)) ||
	       (realpath(path, real) && is_interpreter(real, strlen(real)));
}

static bool is_python_file(const char *name)
{
	char path[PATH_MAX], head[HEAD_BYTES];

	if (!find_file(name, path))
		return false;
	for (int i = 0; i < SCRIPTS_MAX; i++) {
		if (is_python_program(path))
			return true;
		if (!read_head(path, head) || strncmp(head, "#!", 2) != 0)
			return false;
		if (is_python_script(head, path))
			return true;
	}
	return false;
}

bool python_runs(char *const *argv)
{
	if (is_python_file(argv[0]))
		return true;
	while (*++argv)
		if (names_python(*argv))
			return true;
	return false;
}

/* Its text, whose words end in 0; false when it cannot be read. */
static bool read_words(pid_t pid, const char *file, char *buf, size_t size, const char **end)
{
	char path[PROC_PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	n = proc_read_at(AT_FDCWD, path, buf, size - 1);
	if (n < 0)
		return false;
	buf[n] = '\0';
	*end = buf + n;
	return true;
}

/* -u, -Bu: before the script or -c, -m, behind which words are not the interpreter's. */
static bool has_u(const char *words, const char *end)
{
	const char *at = words;

	if (words == end || !is_interpreter(words, strlen(words)))
		return false;
	while ((at += strlen(at) + 1) < end && *at == '-') {
		size_t own = strcspn(at, "cmWX");

		if (memchr(at, 'u', own))
			return true;
		if (at[own] == 'c' || at[own] == 'm')
			return false;
		if (at[own] && !at[own + 1]) /* -W ignore */
			at += strlen(at) + 1;
	}
	return false;
}

static bool has_variable(const char *words, const char *end)
{
	size_t n = strlen(PYTHON_UNBUFFERED);

	for (; words < end; words += strlen(words) + 1)
		if (strncmp(words, PYTHON_UNBUFFERED "=", n + 1) == 0)
			return words[n + 1];
	return false;
}

bool python_is_unbuffered(pid_t pid)
{
	char *buf = malloc(ENVIRON_BYTES);
	const char *end;
	bool yes = false;

	if (!buf)
		return false;
	if (read_words(pid, "cmdline", buf, ENVIRON_BYTES, &end))
		yes = has_u(buf, end);
	if (!yes && read_words(pid, "environ", buf, ENVIRON_BYTES, &end))
		yes = has_variable(buf, end);
	free(buf);
	return yes;
}
