/* SPDX-License-Identifier: MIT */
/* Which of the kept runs a command is about, and that it is said. Knows nothing of what they hold. */
#include "cmd/last_runs.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/msg.h"
#include "base/status.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "record/kept.h"

static void say_taken(const char *command, const char *path)
{
	char ago[UNITS_TEXT_MAX];
	int64_t seconds;
	struct stat st;

	if (stat(path, &st) != 0)
		return;
	seconds = (int64_t)time(NULL) - (int64_t)st.st_mtim.tv_sec;
	note("%s: the run that was kept %s ago, %s", command,
	     units_duration(ago, (seconds > 1 ? seconds : 1) * NS_PER_S), path);
}

static int say_missing(const char *command, const char *folder, size_t found)
{
	const char *what = found > 0 ? "only one run is kept" : "no run is kept";

	if (folder)
		warn("%s: which FILE? %s in '%s' (see memwatch --help)", command, what, folder);
	else
		warn("%s: which FILE? (see memwatch --help)", command);
	return STATUS_OWN_FAILURE;
}

/* Whatever was given, and behind it the newest, the oldest of these first. */
static void take_newest(struct options *o, const char *command, char **newest, size_t missing)
{
	o->files = xrealloc(o->files, o->file_count + missing, sizeof(*o->files));
	for (size_t i = missing; i-- > 0;) {
		o->files[o->file_count++] = newest[i];
		say_taken(command, newest[i]);
	}
}

int last_runs_complete(struct options *o, const char *command, size_t needed)
{
	size_t missing = o->file_count < needed ? needed - o->file_count : 0, found;
	char *folder, *newest[KEPT_RUNS];
	int status = 0;

	if (missing == 0)
		return 0;
	folder = kept_folder(getenv);
	found = folder ? kept_newest(folder, newest, missing) : 0;
	if (found == missing) {
		take_newest(o, command, newest, missing);
	} else {
		status = say_missing(command, folder, found);
		for (size_t i = 0; i < found; i++)
			free(newest[i]);
	}
	free(folder);
	return status;
}
