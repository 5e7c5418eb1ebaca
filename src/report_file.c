/* SPDX-License-Identifier: MIT */
/* Forms of report by suffix: one row each. */
#include "report_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg.h"
#include "xalloc.h"

struct form {
	const char *suffix;
	void (*write)(FILE *out, const struct report_head *head, const struct run_verdict *run);
};

static const struct form forms[] = {
    {".txt", report_text},
    {".json", report_json},
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

int report_file_check(const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t n = slash ? (size_t)(slash - name) + 1 : 0;
	char *dir;
	int err = 0;

	if (strcmp(name, "-") == 0 || access(name, W_OK) == 0)
		return 0;
	if (errno != ENOENT)
		return -errno;
	dir = xasprintf("%.*s.", (int)n, name);
	if (access(dir, W_OK | X_OK) != 0)
		err = -errno;
	free(dir);
	return err;
}

int report_file_write(const char *name, const struct report_head *head, const struct run_verdict *run)
{
	const struct form *form = form_of(name);
	FILE *f;
	int err = 0;

	if (strcmp(name, "-") == 0) {
		report_text(stdout, head, run);
		return 0;
	}
	f = form ? fopen(name, "we") : NULL;
	if (!f) {
		err = form ? -errno : -EINVAL;
	} else {
		form->write(f, head, run);
		if (ferror(f))
			err = -EIO;
		if (fclose(f) != 0)
			err = -errno;
	}
	if (err)
		warn("--report: cannot write '%s': %s", name, strerror(-err));
	return err;
}
