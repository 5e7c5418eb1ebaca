/* SPDX-License-Identifier: MIT */
/* The cost is that of this process up to now: COMMAND's is its own. */
#include "report/run_facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "verdict/sentences.h"

/* "epochs: 12 found ..." and what else stands in lines above the verdicts. */
static void put_lines(const struct report_head *head, run_fact_fn *put, void *to)
{
	static const char sign[] = "epochs: ";
	char *lines = report_text_epochs(head), *rest = lines;

	for (char *line; (line = strsep(&rest, "\n"));) {
		bool epochs = strncmp(line, sign, sizeof(sign) - 1) == 0;

		line += strspn(line, " ");
		if (*line)
			put(to, epochs ? "epochs" : "note", epochs ? line + sizeof(sign) - 1 : line);
	}
	free(lines);
}

static void put_machine(run_fact_fn *put, void *to)
{
	struct utsname u;
	char text[sizeof(u) + 64], memory[UNITS_TEXT_MAX];
	double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

	if (uname(&u) != 0)
		return;
	snprintf(text, sizeof(text), "%s: %s %s, %s, %ld processors, %s of memory", u.nodename, u.sysname,
		 u.release, u.machine, sysconf(_SC_NPROCESSORS_ONLN), units_bytes(memory, (uint64_t)bytes));
	put(to, "machine", text);
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void put_cost(const struct run_verdict *run, run_fact_fn *put, void *to)
{
	struct rusage use;
	char text[128], memory[UNITS_TEXT_MAX];
	double cpu_s, run_s = (double)run->duration_ms / MS_PER_S;

	if (getrusage(RUSAGE_SELF, &use) != 0)
		return;
	cpu_s = seconds(&use.ru_utime) + seconds(&use.ru_stime);
	snprintf(text, sizeof(text), "%.2f s of processor time (%.2f %% of one), %s of memory at most", cpu_s,
		 run_s > 0 ? 100 * cpu_s / run_s : 0, units_bytes(memory, (uint64_t)use.ru_maxrss * KIB));
	put(to, "memwatch's own cost", text);
}

void run_facts(const struct report_head *head, const struct run_verdict *run, run_fact_fn *put, void *to)
{
	char text[SENTENCE_MAX];

	if (head->title)
		put(to, "what", head->title);
	put(to, "how long", sentence_run(text, run));
	if (head->ended)
		put(to, "end", head->ended);
	put_lines(head, put, to);
	put(to, "memwatch", MEMWATCH_VERSION);
	if (head->pid < 0)
		return;
	put_machine(put, to);
	put_cost(run, put, to);
}
