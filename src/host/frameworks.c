/* SPDX-License-Identifier: MIT */
/* Names of mapped files against a short table. Knows no verdicts. */
#include "host/frameworks.h"

#include <stdio.h>
#include <string.h>

#include "base/procfile.h"

enum { FIRST_MS = 2000, LAST_MS = 64000 };
enum { LINES_MAX = 20000 }; /* of maps that are read at most */

/* A part of the path: a library, or the folder of a package. */
static const struct {
	const char *part;
	enum framework framework;
} signs[] = {
    {"/libtorch", FRAMEWORK_TORCH},
    {"/libc10.so", FRAMEWORK_TORCH},
    {"/libtensorflow", FRAMEWORK_TENSORFLOW},
    {"_pywrap_tensorflow", FRAMEWORK_TENSORFLOW},
    {"/jaxlib/", FRAMEWORK_JAX},
    {"/sklearn/", FRAMEWORK_SKLEARN},
    {"/lib_lightgbm", FRAMEWORK_BOOSTING},
    {"/libxgboost", FRAMEWORK_BOOSTING},
    {"/_catboost", FRAMEWORK_BOOSTING},
    {"/libpython", FRAMEWORK_PYTHON},
    {"/bin/python", FRAMEWORK_PYTHON},
    {"/libpypy", FRAMEWORK_PYTHON},
    {"/bin/pypy", FRAMEWORK_PYTHON},
};

void frameworks_init(struct frameworks *f)
{
	*f = (struct frameworks){.next_ms = FIRST_MS, .epoch = -1};
}

unsigned frameworks_found(const struct frameworks *f)
{
	return f->known && f->found == 0 ? FRAMEWORK_NONE : f->found;
}

static unsigned parse(FILE *maps)
{
	char line[PROC_LINE_MAX];
	unsigned found = 0;

	for (int n = 0; n < LINES_MAX && fgets(line, sizeof(line), maps); n++)
		for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
			if (strstr(line, signs[i].part))
				found |= signs[i].framework;
	return found;
}

static pid_t largest(const struct host *h)
{
	uint64_t most = 0;
	pid_t pid = 0;

	for (size_t i = 0; i < host_count(h); i++) {
		struct host_process p;

		host_process(h, i, &p);
		if (!p.live || p.rss <= most)
			continue;
		most = p.rss;
		pid = p.pid;
	}
	return pid;
}

static void read_maps(struct frameworks *f, const char *proc_root, pid_t pid)
{
	FILE *maps = proc_open_lines(proc_root, pid, "maps");

	if (!maps)
		return;
	f->found |= parse(maps);
	f->known = true;
	fclose(maps);
}

static bool due(struct frameworks *f, const struct sample *s)
{
	bool timed = s->elapsed_ms >= f->next_ms && f->next_ms <= LAST_MS;
	bool turned = s->epoch != f->epoch && s->epoch <= 1;
	uint64_t files = s->v[CH_FILE].ok ? s->v[CH_FILE].bytes : 0;

	f->epoch = s->epoch;
	while (timed && f->next_ms <= s->elapsed_ms)
		f->next_ms *= 2;
	if ((!timed && !turned) || (f->known && files <= f->file_bytes))
		return false;
	f->file_bytes = files;
	return true;
}

void frameworks_look(struct frameworks *f, const char *proc_root, const struct host *h,
		     const struct sample *s)
{
	pid_t pid = due(f, s) ? largest(h) : 0;

	if (pid > 0)
		read_maps(f, proc_root, pid);
}
