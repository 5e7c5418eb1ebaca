/* SPDX-License-Identifier: MIT */
/* The rows of the command line, what each value means, and where memwatch's own words end and COMMAND begins.
 * argtable does the parsing of memwatch's own words. */
#include "options.h"

#ifdef HAVE_ARGTABLE3
#include <argtable3.h>
#else
#include <argtable2.h>
#endif
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "units.h"

#define INTERVAL_DEFAULT_NS (INT64_C(200) * NS_PER_MS)
#define INTERVAL_MIN_NS     (INT64_C(1) * NS_PER_MS)
#define INTERVAL_MAX_NS     (3600 * NS_PER_S)

struct row {
	const char *short_name; /* one letter, NULL for none */
	const char *long_name;
	const char *value; /* what the help calls the value; NULL for a flag */
	int max;           /* how often it may be given */
	void (*apply)(struct options *o, const char *value);
	const char *help;
};

static void apply_pid(struct options *o, const char *value)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(value, &end, 10);
	if (errno || end == value || *end || pid <= 0 || pid > INT_MAX)
		die("--pid: '%s' is not a process number", value);
	o->pids[o->pid_count++] = (pid_t)pid;
}

static int64_t duration_or_die(const char *option, const char *value, const char *examples)
{
	int64_t ns = 0;

	if (units_parse_duration(value, &ns) != 0)
		die("%s: '%s' is not a duration (examples: %s)", option, value, examples);
	return ns;
}

static void apply_interval(struct options *o, const char *value)
{
	o->interval_ns = duration_or_die("--interval", value, "250ms, 1s, 1m");
	if (o->interval_ns < INTERVAL_MIN_NS || o->interval_ns > INTERVAL_MAX_NS)
		die("--interval: '%s' is out of range (1ms to 1h)", value);
}

static void apply_duration(struct options *o, const char *value)
{
	o->duration_ns = duration_or_die("--duration", value, "30s, 10m, 2h");
	if (o->duration_ns <= 0)
		die("--duration: '%s' is out of range (more than 0)", value);
}

static void apply_output(struct options *o, const char *value)
{
	if (!*value)
		die("--output: the file name is empty");
	o->output = value;
}

static void apply_force(struct options *o, const char *value)
{
	(void)value;
	o->force = true;
}

static void apply_no_children(struct options *o, const char *value)
{
	(void)value;
	o->no_children = true;
}

static void apply_quiet(struct options *o, const char *value)
{
	(void)value;
	o->level = MSG_QUIET;
}

static void apply_verbose(struct options *o, const char *value)
{
	(void)value;
	o->level = MSG_VERBOSE;
}

static void apply_color(struct options *o, const char *value)
{
	if (strcmp(value, "auto") == 0)
		o->colour = MSG_COLOUR_AUTO;
	else if (strcmp(value, "always") == 0)
		o->colour = MSG_COLOUR_ALWAYS;
	else if (strcmp(value, "never") == 0)
		o->colour = MSG_COLOUR_NEVER;
	else
		die("--color: '%s' is none of auto, always, never", value);
}

static void apply_help(struct options *o, const char *value)
{
	(void)value;
	o->command = COMMAND_HELP;
}

static void apply_version(struct options *o, const char *value)
{
	(void)value;
	o->command = COMMAND_VERSION;
}

enum { FLAG_MAX = 16 }; /* -q -q is no mistake */

static const struct row rows[] = {
    {"p", "pid", "PID", PIDS_MAX, apply_pid, "attach to this process and its descendants; may be repeated"},
    {"i", "interval", "DURATION", 1, apply_interval, "time between samples: 250ms, 1s, 1m; default 200ms"},
    {"o", "output", "FILE", 1, apply_output, "write the samples as CSV; - is standard output"},
    {NULL, "force", NULL, FLAG_MAX, apply_force, "overwrite an output file that is not a memwatch CSV"},
    {NULL, "no-children", NULL, FLAG_MAX, apply_no_children, "watch the process alone, not its descendants"},
    {NULL, "duration", "DURATION", 1, apply_duration, "stop watching after this time"},
    {"q", "quiet", NULL, FLAG_MAX, apply_quiet, "say nothing but errors"},
    {"v", "verbose", NULL, FLAG_MAX, apply_verbose, "say more"},
    {NULL, "color", "WHEN", 1, apply_color, "colours on standard error: auto, always, never"},
    {"h", "help", NULL, FLAG_MAX, apply_help, "show this help"},
    {NULL, "version", NULL, FLAG_MAX, apply_version, "show the version"},
};

/* An even number of errors: argtable2 lays pointers behind an array of so many ints. */
enum { ROWS = sizeof(rows) / sizeof(rows[0]), ERRORS_KEPT = 2 };

void options_help(void)
{
	puts("memwatch tells a one-time memory reservation from growth in every epoch.\n"
	     "\n"
	     "Usage:\n"
	     "  memwatch [OPTION]... --pid PID             attach to a process and its descendants\n"
	     "  memwatch [OPTION]... -- COMMAND [ARG]...   run COMMAND and watch it\n"
	     "\n"
	     "Options:");
	for (const struct row *r = rows; r < rows + ROWS; r++) {
		char names[64];

		snprintf(names, sizeof(names), "%s%s%s--%s%s%s", r->short_name ? "-" : "",
			 r->short_name ? r->short_name : "", r->short_name ? ", " : "    ", r->long_name,
			 r->value ? " " : "", r->value ? r->value : "");
		printf("  %-26s  %s\n", names, r->help);
	}
	puts("\nThe exit status is COMMAND's own; 125: memwatch failed, 126: COMMAND cannot be run, 127: not "
	     "found.\n"
	     "FILE may hold %p (process number), %h (host), %r (rank) and %%.\n"
	     "More: man memwatch");
}

static const struct row *row_of_letter(char letter)
{
	for (const struct row *r = rows; r < rows + ROWS; r++)
		if (r->short_name && *r->short_name == letter)
			return r;
	return NULL;
}

/* As getopt_long does: an exact name, or the beginning of just one. */
static const struct row *row_of_name(const char *name, size_t len)
{
	const struct row *found = NULL;

	for (const struct row *r = rows; r < rows + ROWS; r++) {
		if (strncmp(r->long_name, name, len) != 0)
			continue;
		if (strlen(r->long_name) == len)
			return r;
		if (found)
			return NULL;
		found = r;
	}
	return found;
}

/* Does this word take the next one as its value? */
static bool takes_next(const char *word)
{
	const struct row *r;

	if (word[1] == '-') {
		const char *equals = strchr(word, '=');

		r = row_of_name(word + 2, equals ? (size_t)(equals - word) - 2 : strlen(word + 2));
		return r && r->value && !equals;
	}
	for (const char *letter = word + 1; *letter; letter++) {
		r = row_of_letter(*letter);
		if (r && r->value)
			return letter[1] == '\0';
	}
	return false;
}

/* Number of words that are memwatch's own: up to "--" or the first word that is no option. getopt alone would
 * go on and take COMMAND's options for ours. */
static int own_words(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0' || strcmp(argv[i], "--") == 0)
			break;
		if (takes_next(argv[i]))
			i++;
	}
	return i < argc ? i : argc;
}

/* Parse errors carry no row: their parent is the end of the table. */
static _Noreturn void die_of(const struct arg_end *end)
{
	const char *word = end->argval[0] ? end->argval[0] : "";

	if (end->parent[0] != end) {
		const struct arg_hdr *hdr = end->parent[0];

		die("--%s: given more than once", hdr->longopts);
	}
	switch (end->error[0]) {
	case ARG_EMISSARG:
		die("%s: a value is missing", word);
	case ARG_ELONGOPT:
		die("%s: no such option, or the value does not belong here (see memwatch --help)", word);
	case ARG_ENOMATCH:
		die("%s: unexpected argument (see memwatch --help)", word);
	default:
		die("-%c: no such option (see memwatch --help)", end->error[0]);
	}
}

static void *argtable_entry(const struct row *r)
{
	if (r->value)
		return arg_strn(r->short_name, r->long_name, r->value, 0, r->max, r->help);
	return arg_litn(r->short_name, r->long_name, 0, r->max, r->help);
}

static void apply(const struct row *r, const void *entry, struct options *out)
{
	if (r->value) {
		const struct arg_str *str = entry;

		for (int i = 0; i < str->count; i++)
			r->apply(out, str->sval[i]);
	} else if (((const struct arg_lit *)entry)->count > 0) {
		r->apply(out, NULL);
	}
}

static void parse_own(int argc, char **argv, struct options *out)
{
	void *table[ROWS + 1];
	struct arg_end *end = arg_end(ERRORS_KEPT);

	for (size_t i = 0; i < ROWS; i++)
		table[i] = argtable_entry(&rows[i]);
	table[ROWS] = end;
	if (arg_nullcheck(table) != 0)
		die("out of memory");
	if (arg_parse(argc, argv, table) > 0)
		die_of(end);
	for (size_t i = 0; i < ROWS; i++)
		apply(&rows[i], table[i], out);
	arg_freetable(table, ROWS + 1);
}

static void check(const struct options *o)
{
	if (o->command != COMMAND_WATCH)
		return;
	if (o->argv && o->pid_count)
		die("--pid and a COMMAND ('%s') exclude each other", o->argv[0]);
	if (!o->argv && !o->pid_count)
		die("nothing to watch: give --pid PID or -- COMMAND (see memwatch --help)");
	for (size_t i = 0; i < o->pid_count; i++)
		if (o->pids[i] == getpid())
			die("--pid: %d is memwatch itself", (int)o->pids[i]);
}

void options_parse(int argc, char **argv, struct options *out)
{
	int own = own_words(argc, argv);

	*out = (struct options){.interval_ns = INTERVAL_DEFAULT_NS, .level = MSG_NORMAL};
	parse_own(own, argv, out);
	if (own < argc && strcmp(argv[own], "--") == 0)
		own++;
	if (own < argc)
		out->argv = argv + own;
	check(out);
	if (!out->argv && !out->output && !isatty(STDOUT_FILENO))
		out->output = "-";
}
