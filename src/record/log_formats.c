/* SPDX-License-Identifier: MIT */
/* To add a format: a row of the table below, a real log of it in tests/fixtures/logs, a row in the manual. Lines that
 * no header explains have a function each; it cuts its text in place. */
#include "record/log_formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum { CELLS_MAX = 64 };

static void set_figure(struct log_row *row, enum log_role role, double value)
{
	row->figures[role] = (struct log_figure){value, true};
}

static void set_text(char out[LOG_ID_MAX], const char *text)
{
	snprintf(out, LOG_ID_MAX, "%s", text);
}

/* A figure that must be there. */
static bool take_figure(const char *cell, double unit, struct log_row *row, enum log_role role)
{
	double v;

	if (log_amount(cell, unit, &v) != CELL_FIGURE)
		return false;
	set_figure(row, role, v);
	return true;
}

static bool take_moment(const char *cell, struct log_row *row)
{
	row->clock = log_moment(cell, &row->seconds);
	return row->clock != CLOCK_NONE;
}

/* FUNC NAME MIB-AT-ENTRY TIME MIB-AT-RETURN TIME LEVEL; calls within calls are left alone. */
static enum log_line mprof_call(char **cell, int n, struct log_row *row)
{
	double entered;

	if (n != 7 || strcmp(cell[6], "0") != 0 || log_moment(cell[3], &entered) != CLOCK_SINCE ||
	    !take_moment(cell[5], row))
		return LINE_QUIET;
	set_figure(row, ROLE_TIME, entered);
	set_text(row->key, cell[1]);
	return LINE_CALL;
}

/* MEM MIB TIME, then CHLD PID MIB TIME for each child where they are told apart. */
static enum log_line mprof_line(char *text, struct log_row *row)
{
	char *cell[CELLS_MAX];
	int n = log_cut(text, CUT_BLANKS, ' ', cell, CELLS_MAX), at;

	if (n > 0 && strcmp(cell[0], "CMDLINE") == 0)
		return LINE_QUIET;
	if (n > 0 && strcmp(cell[0], "FUNC") == 0)
		return mprof_call(cell, n, row);
	if (n == 0 || (strcmp(cell[0], "MEM") != 0 && strcmp(cell[0], "CHLD") != 0))
		return LINE_OTHER;
	row->first = *cell[0] == 'M';
	at = row->first ? 1 : 2;
	if (n != at + 2 || !take_figure(cell[at], (double)MIB, row, ROLE_RSS) ||
	    !take_moment(cell[at + 1], row))
		return LINE_DAMAGED;
	set_text(row->key, row->first ? "main" : cell[1]);
	return LINE_ROW;
}

/* PRM HOST TIME DATE CLOCK SECONDS PID (NAME) STATE PAGESIZE VSIZE RSS ...; the name may hold blanks. */
static enum log_line atop_line(char *text, struct log_row *row)
{
	enum { RSS = 3, SWAP = 12, IS_PROCESS = 14 };
	char *cell[CELLS_MAX], *rest[CELLS_MAX], *past;
	int n, m;

	if (strncmp(text, "PRM ", 4) != 0)
		return strcmp(text, "SEP") == 0 || strcmp(text, "RESET") == 0 ? LINE_QUIET : LINE_OTHER;
	past = strrchr(text, ')');
	if (!past)
		return LINE_DAMAGED;
	*past = '\0';
	n = log_cut(text, CUT_BLANKS, ' ', cell, CELLS_MAX);
	m = log_cut(past + 1, CUT_BLANKS, ' ', rest, CELLS_MAX);
	if (n < 8 || m <= RSS || !take_moment(cell[2], row) ||
	    !take_figure(rest[RSS], (double)KIB, row, ROLE_RSS))
		return LINE_DAMAGED;
	if (m > IS_PROCESS && strcmp(rest[IS_PROCESS], "n") == 0)
		return LINE_QUIET; /* a thread */
	if (m > SWAP)
		take_figure(rest[SWAP], (double)KIB, row, ROLE_SWAP);
	set_text(row->key, cell[6]);
	return LINE_ROW;
}

/* The text of member name of a flat object, in place; NULL if there is none. */
static char *json_member(char *text, const char *name)
{
	char sign[32], *p, *end;

	snprintf(sign, sizeof(sign), "\"%s\":", name);
	p = strstr(text, sign);
	p = p ? strchr(p + strlen(sign), '"') : NULL;
	end = p ? strchr(p + 1, '"') : NULL;
	if (!end)
		return NULL;
	*end = '\0';
	return p + 1;
}

/* docker stats --format '{{json .}}': members in the order of the alphabet, so they are cut from the last on. */
static enum log_line docker_json_line(char *text, struct log_row *row)
{
	char *name, *usage, *procs;
	double used, limit;
	enum log_cell cell;

	if (*text != '{' || !strstr(text, "\"MemUsage\":"))
		return LINE_OTHER;
	procs = json_member(text, "PIDs");
	name = json_member(text, "Name");
	usage = json_member(text, "MemUsage");
	if (!usage || !name)
		return LINE_DAMAGED;
	set_text(row->key, name);
	cell = log_usage(usage, &used, &limit);
	if (cell != CELL_FIGURE)
		return cell == CELL_ABSENT ? LINE_QUIET : LINE_DAMAGED;
	set_figure(row, ROLE_RSS, used);
	row->limit = (struct log_figure){limit, limit > 0};
	if (procs)
		take_figure(procs, 1, row, ROLE_PROCS);
	return LINE_ROW;
}

/* "top - 22:42:21 up 1 day, ..." */
static enum log_line top_banner(char *text, struct log_row *row)
{
	char *up;

	if (strncmp(text, "top - ", 6) != 0)
		return LINE_OTHER;
	up = strstr(text, " up ");
	if (up)
		*up = '\0';
	return take_moment(text + 6, row) ? LINE_MOMENT : LINE_DAMAGED;
}

static bool is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

/* nvidia-smi --format=csv,noheader: the cells say what they are; a name may hold commas, the memory comes last. */
static enum log_line nvidia_line(char *text, struct log_row *row)
{
	char *cell[CELLS_MAX];
	int n = log_cut(text, CUT_SEPARATED, ',', cell, CELLS_MAX);
	bool timed = n > 1 && strchr(cell[0], '/') && log_moment(cell[0], &row->seconds) == CLOCK_DATED;
	bool named = false;
	double v;
	enum log_cell memory = n > 1 ? log_amount(cell[n - 1], (double)MIB, &v) : CELL_BAD;

	row->clock = timed ? CLOCK_DATED : CLOCK_NONE;
	for (int i = timed; i < n - 1; i++) {
		if (strncmp(cell[i], "GPU-", 4) == 0 || strncmp(cell[i], "NVIDIA ", 7) == 0) {
			set_text(row->gpu, cell[i]);
			named = true;
		} else if (!*row->key && is_number(cell[i])) {
			set_text(row->key, cell[i]);
		}
	}
	if (!*row->key || memory == CELL_BAD || (!timed && !named && *cell[n - 1] != '['))
		return LINE_OTHER;
	if (memory == CELL_FIGURE)
		set_figure(row, ROLE_GPU, v);
	return LINE_ROW;
}

#define NVIDIA_COLUMNS                                                                                       \
	{                                                                                                    \
		{"timestamp", ROLE_TIME, 0}, {"index", ROLE_GPU_ID, 0}, {"gpu_uuid", ROLE_GPU_ID, 0},        \
		    {"uuid", ROLE_GPU_ID, 0}, {"gpu_bus_id", ROLE_GPU_ID, 0},                                \
		    {"pci.bus_id", ROLE_GPU_ID, 0}, {"gpu_name", ROLE_GPU_ID, 0}, {"pid", ROLE_KEY, 0},      \
		    {"process_name", ROLE_TEXT, 0}, {"used_gpu_memory", ROLE_GPU, 0x1p20},                   \
		    {"memory.used", ROLE_GPU, 0x1p20},                                                       \
		{                                                                                            \
			"memory.total", ROLE_GPU_TOTAL, 0x1p20                                               \
		}                                                                                            \
	}

const struct log_format log_formats[] = {
    {.name = "mprof", .line = mprof_line, .slack_s = 1e9, .early = true},
    {.name = "psrecord",
     .sign = {"Real (MB)", "Virtual (MB)"},
     .head = CUT_WIDE,
     .body = CUT_BLANKS,
     .columns = {{"Elapsed time", ROLE_TIME, 0}, {"Real (MB)", ROLE_RSS, 0x1p20}},
     .shell = true},
    {.name = "psrecord",
     .sign = {"elapsed_time", "mem_real"},
     .head = CUT_SEPARATED,
     .body = CUT_SEPARATED,
     .columns = {{"elapsed_time", ROLE_TIME, 0}, {"mem_real", ROLE_RSS, 0x1p20}, {"nproc", ROLE_PROCS, 1}},
     .shell = true},
    {.name = "pidstat",
     .sign = {"VSZ", "RSS", "%MEM", "Command"},
     .columns = {{"Time", ROLE_TIME, 0},
		 {"PID", ROLE_KEY, 0},
		 {"TGID", ROLE_KEY, 0},
		 {"RSS", ROLE_RSS, 0x1p10},
		 {"Command", ROLE_TEXT, 0}},
     .quiet = {"Linux ", "Average:"}},
    {.name = "prmon",
     .sign = {"Time", "wtime", "pss", "rss"},
     .columns = {{"Time", ROLE_TIME, 0},
		 {"pss", ROLE_PSS, 0x1p10},
		 {"rss", ROLE_RSS, 0x1p10},
		 {"swap", ROLE_SWAP, 0x1p10},
		 {"nprocs", ROLE_PROCS, 1},
		 {"gpufbmem", ROLE_GPU, 0x1p10}}},
    {.name = "syrupy",
     .sign = {"PID", "ELAPSED", "RSS", "VSIZE"},
     .columns = {{"DATE", ROLE_DATE, 0},
		 {"TIME", ROLE_TIME, 0},
		 {"PID", ROLE_KEY, 0},
		 {"RSS", ROLE_RSS, 0x1p10},
		 {"CMD", ROLE_TEXT, 0}}},
    {.name = "top",
     .sign = {"PID", "RES", "COMMAND"},
     .columns = {{"PID", ROLE_KEY, 0},
		 {"RES", ROLE_RSS, 0x1p10},
		 {"SWAP", ROLE_SWAP, 0x1p10},
		 {"COMMAND", ROLE_TEXT, 0}},
     .quiet = {"Tasks:", "Threads:", "%Cpu", "Cpu", "MiB ", "KiB ", "GiB ", "Mem"},
     .aside = top_banner,
     .interval_s = 3},
    {.name = "nvidia-smi",
     .sign = {"used_gpu_memory ["},
     .head = CUT_SEPARATED,
     .body = CUT_SEPARATED,
     .columns = NVIDIA_COLUMNS,
     .slack_s = 0.3,
     .interval_s = 1},
    {.name = "nvidia-smi",
     .sign = {"memory.used ["},
     .head = CUT_SEPARATED,
     .body = CUT_SEPARATED,
     .columns = NVIDIA_COLUMNS,
     .slack_s = 0.3,
     .interval_s = 1},
    {.name = "nvidia-smi pmon",
     .sign = {"gpu", "pid", "fb", "command"},
     .columns = {{"Date", ROLE_DATE, 0},
		 {"Time", ROLE_TIME, 0},
		 {"gpu", ROLE_GPU_ID, 0},
		 {"pid", ROLE_KEY, 0},
		 {"fb", ROLE_GPU, 0x1p20},
		 {"command", ROLE_TEXT, 0}},
     .quiet = {"#"},
     .interval_s = 1},
    {.name = "docker stats",
     .sign = {"NAME", "MEM USAGE / LIMIT"},
     .head = CUT_WIDE,
     .body = CUT_WIDE,
     .columns = {{"NAME", ROLE_KEY, 0}, {"MEM USAGE / LIMIT", ROLE_USAGE, 0}, {"PIDS", ROLE_PROCS, 1}},
     .interval_s = 1},
    {.name = "docker stats", .line = docker_json_line, .interval_s = 1},
    {.name = "atop", .line = atop_line},
    {.name = "nvidia-smi", .line = nvidia_line, .quiet = {"#"}, .slack_s = 0.3, .interval_s = 1},
};

const size_t log_formats_count = sizeof(log_formats) / sizeof(log_formats[0]);

static bool is_prmon_summary(const char *head, size_t n)
{
	return memmem(head, n, "\"prmon\"", 7) && memmem(head, n, "\"Max\"", 5);
}

const char *log_formats_refusal(const char *head, size_t n)
{
	if (n >= 2 && (memcmp(head, "\xff\xfe", 2) == 0 || memcmp(head, "\xfe\xff", 2) == 0))
		return "text in UTF-16: iconv -f UTF-16 -t UTF-8 makes it readable";
	if (n >= 2 && memcmp(head, "\x1f\x8b", 2) == 0)
		return "compressed: zcat makes it readable";
	if (n >= 15 && memcmp(head, "SQLite format 3", 15) == 0)
		return "a database of SQLite: 'sqlite3 -csv -header' writes a CSV, and --value-col reads it";
	if (n > 0 && is_prmon_summary(head, n))
		return "prmon's summary, in which there are no samples: give the file of its --filename";
	return NULL;
}
