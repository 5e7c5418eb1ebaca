/* SPDX-License-Identifier: MIT */
/* Starts the command of --on-growth by posix_spawn, so that nothing of memwatch runs in the child. */
#include "watch/hook.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "verdict/sentences.h"

enum { FACTS_MAX = 16 };

struct environment {
	char **vars; /* memwatch's own first, then the inherited ones */
	int own;
};

__attribute__((format(printf, 2, 3))) static void tell(struct environment *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&e->vars[e->own++], fmt, ap) < 0)
		e->vars[--e->own] = NULL;
	va_end(ap);
}

static void tell_series(struct environment *e, const struct series_verdict *s)
{
	char reason[SENTENCE_MAX];

	tell(e, "MEMWATCH_SERIES=%s", s->name);
	tell(e, "MEMWATCH_VERDICT=%s", detector_shape_name(s->v.shape));
	tell(e, "MEMWATCH_REASON=%s", sentence_reason(reason, s, TENSE_ANY));
	tell(e, "MEMWATCH_BYTES=%" PRIu64, s->v.last_bytes);
	tell(e, "MEMWATCH_SLOPE_BYTES_PER_S=%.0f", s->v.slope_bytes_per_s);
	if (s->v.per_epoch)
		tell(e, "MEMWATCH_SLOPE_BYTES_PER_EPOCH=%.0f", s->v.slope_bytes_per_epoch);
	if (s->limit_bytes > 0)
		tell(e, "MEMWATCH_LIMIT_BYTES=%" PRIu64, s->limit_bytes);
	if (s->full_in_s >= 0)
		tell(e, "MEMWATCH_FULL_IN_S=%.0f", s->full_in_s);
	if (s->full_in_epochs >= 0)
		tell(e, "MEMWATCH_FULL_IN_EPOCHS=%.0f", s->full_in_epochs);
}

static void environment_open(struct environment *e, const struct hook_facts *f,
			     const struct series_verdict *s)
{
	size_t n = 0, at;

	while (environ[n])
		n++;
	e->own = 0;
	e->vars = xcalloc(n + FACTS_MAX + 1, sizeof(*e->vars));
	tell(e, "MEMWATCH_PID=%" PRId64, f->pid);
	if (f->command)
		tell(e, "MEMWATCH_COMMAND=%s", f->command);
	tell(e, "MEMWATCH_ELAPSED_S=%" PRId64 ".%03d", f->elapsed_ms / MS_PER_S,
	     (int)(f->elapsed_ms % MS_PER_S));
	if (f->epoch >= 0)
		tell(e, "MEMWATCH_EPOCH=%" PRId64, f->epoch);
	tell_series(e, s);
	at = (size_t)e->own;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "MEMWATCH_", strlen("MEMWATCH_")) != 0)
			e->vars[at++] = environ[i];
}

static void environment_close(struct environment *e)
{
	for (int i = 0; i < e->own; i++)
		free(e->vars[i]);
	free(e->vars);
}

static int set_attributes(posix_spawnattr_t *attr)
{
	sigset_t all, none;
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
	int err;

	sigfillset(&all);
	sigemptyset(&none);
	err = posix_spawnattr_setsigdefault(attr, &all);
	if (!err)
		err = posix_spawnattr_setsigmask(attr, &none);
	return err ? err : posix_spawnattr_setflags(attr, flags);
}

static int set_descriptors(posix_spawn_file_actions_t *fds)
{
	int err = posix_spawn_file_actions_addopen(fds, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	if (!err)
		err = posix_spawn_file_actions_adddup2(fds, STDERR_FILENO, STDOUT_FILENO);
	return err ? err : posix_spawn_file_actions_addclosefrom_np(fds, STDERR_FILENO + 1);
}

pid_t hook_start(const char *command, const struct hook_facts *facts, const struct series_verdict *s)
{
	char sh[] = "sh", option[] = "-c", *text = xstrdup(command), *argv[] = {sh, option, text, NULL};
	posix_spawn_file_actions_t fds;
	posix_spawnattr_t attr;
	struct environment env;
	pid_t pid = -1;
	int err;

	environment_open(&env, facts, s);
	posix_spawn_file_actions_init(&fds);
	posix_spawnattr_init(&attr);
	err = set_descriptors(&fds);
	if (!err)
		err = set_attributes(&attr);
	if (!err)
		err = posix_spawn(&pid, "/bin/sh", &fds, &attr, argv, env.vars);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&fds);
	environment_close(&env);
	free(text);
	return err ? -err : pid;
}

bool hook_owns(pid_t hook, pid_t pid)
{
	return hook > 0 && (pid == hook || getsid(pid) == hook);
}
