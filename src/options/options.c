/* SPDX-License-Identifier: MIT */
/* Where memwatch's own words end and COMMAND begins. argtable does the parsing of memwatch's own words. */
#include "options/options.h"

#ifdef HAVE_ARGTABLE3
#include <argtable3.h>
#else
#include <argtable2.h>
#endif
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "options/checks.h"
#include "options/rows.h"
#include "report/file.h"

#define INTERVAL_DEFAULT_NS (INT64_C(200) * NS_PER_MS)

enum {
	ROWS_MAX = 64,
	FILES_MAX = 1024,
	ERRORS_KEPT = 2, /* even: argtable2 lays pointers behind an array of so many ints */
};

static const struct {
	const char *name;
	enum command command;
} subcommands[] = {
    {"compare", COMMAND_COMPARE}, {"gpus", COMMAND_GPUS},     {"hook", COMMAND_HOOK},
    {"mark", COMMAND_MARK},       {"report", COMMAND_REPORT},
};

static const char *command_prefix(unsigned commands)
{
	return commands == FOR_REPORT ? "report: " : commands == FOR_COMPARE ? "compare: " : "";
}

void options_help(void)
{
	puts("memwatch tells a one-time memory reservation from growth in every epoch.\n"
	     "\n"
	     "Usage:\n"
	     "  memwatch [OPTION]... --pid PID             attach to a process and its descendants\n"
	     "  memwatch [OPTION]... -- COMMAND [ARG]...   run COMMAND and watch it\n"
	     "  memwatch report [OPTION]... [FILE]...      judge recorded runs; without FILE the last one\n"
	     "  memwatch compare [OPTION]... [BASE [NEW]...]   what changed between runs, or the last two\n"
	     "  memwatch compare --run COMMAND --run COMMAND   both in turn, then what differs\n"
	     "  memwatch mark [LABEL]                      mark the end of an epoch, from within a run\n"
	     "  memwatch gpus [OPTION]...                  what the GPU drivers say, for bug reports\n"
	     "  memwatch hook                              lines for a Python script, for --explain --pid\n"
	     "\n"
	     "Options:");
	for (const struct option_row *r = option_rows; r < option_rows + option_rows_count; r++) {
		char names[64];

		snprintf(names, sizeof(names), "%s%s%s--%s%s%s", r->short_name ? "-" : "",
			 r->short_name ? r->short_name : "", r->short_name ? ", " : "    ", r->long_name,
			 r->value ? " " : "", r->value ? r->value : "");
		printf("  %-27s  %s%s\n", names, command_prefix(r->commands), r->help);
	}
	puts("\n"
	     "The exit status is COMMAND's own; 125: memwatch failed, 126: COMMAND cannot be run, "
	     "127: not found.\n"
	     "FILE may hold %p (process number), %h (host), %r (rank) and %%.\n"
	     "More: man memwatch");
}

static const struct option_row *row_of_letter(char letter)
{
	for (size_t i = 0; i < option_rows_count; i++)
		if (option_rows[i].short_name && *option_rows[i].short_name == letter)
			return &option_rows[i];
	return NULL;
}

/* As getopt_long does: an exact name, or the beginning of just one. */
static const struct option_row *row_of_name(const char *name, size_t len)
{
	const struct option_row *found = NULL;

	for (const struct option_row *r = option_rows; r < option_rows + option_rows_count; r++) {
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

static const struct option_row *row_of_word(const char *word)
{
	return row_of_name(word + 2, strcspn(word + 2, "="));
}

/* Does this word take the next one as its value? */
static bool takes_next(const char *word)
{
	const struct option_row *r;

	if (word[1] == '-') {
		r = row_of_word(word);
		return r && r->value && !strchr(word, '=');
	}
	for (const char *letter = word + 1; *letter; letter++) {
		r = row_of_letter(*letter);
		if (r && r->value)
			return letter[1] == '\0';
	}
	return false;
}

/* A value that is none, before "--": COMMAND would not stand there. */
static bool is_meant_as_value(char **next)
{
	return next[0] &&
	       (option_is_when(next[0]) || (next[0][0] != '-' && next[1] && strcmp(next[1], "--") == 0));
}

/* "--unbuffered" alone is "--unbuffered=always": argtable and getopt know no value that is a word of its own if it
 * is there at all. */
static char *with_value(char *word, char **next)
{
	static char whole[32];
	const struct option_row *r = word[1] == '-' ? row_of_word(word) : NULL;

	if (!r || !(r->commands & BARE_ALWAYS) || !takes_next(word) || is_meant_as_value(next))
		return word;
	snprintf(whole, sizeof(whole), "--%s=always", r->long_name);
	return whole;
}

/* Number of words that are memwatch's own: up to "--" or the first word that is no option. getopt alone would
 * go on and take COMMAND's options for ours. */
static int own_words(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0' || strcmp(argv[i], "--") == 0)
			break;
		argv[i] = with_value(argv[i], argv + i + 1);
		if (takes_next(argv[i]))
			i++;
	}
	return i < argc ? i : argc;
}

static const char *name_of(enum command command)
{
	for (size_t i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++)
		if (subcommands[i].command == command)
			return subcommands[i].name;
	return NULL;
}

static enum command command_of(const char *word)
{
	for (size_t i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++)
		if (strcmp(word, subcommands[i].name) == 0)
			return subcommands[i].command;
	return COMMAND_WATCH;
}

/* One letter is wrong, missing or too many, or two neighbours have changed places. */
static bool is_slip(const char *word, const char *name)
{
	size_t n = strlen(word), m = strlen(name), same = 0;

	while (word[same] && word[same] == name[same])
		same++;
	word += same;
	name += same;
	if (n == m)
		return strcmp(word + (n > same), name + (m > same)) == 0 ||
		       (n > same + 1 && word[0] == name[1] && word[1] == name[0] &&
			strcmp(word + 2, name + 2) == 0);
	return (n == m + 1 && strcmp(word + 1, name) == 0) || (m == n + 1 && strcmp(word, name + 1) == 0);
}

const char *options_command_like(const char *word)
{
	for (size_t i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++)
		if (is_slip(word, subcommands[i].name))
			return subcommands[i].name;
	return NULL;
}

/* An option may exist, but for another command. */
static _Noreturn void die_unknown(const char *word, const struct option_row *r, enum command command)
{
	const char *name = name_of(command);

	if (r && command == COMMAND_WATCH && (strcmp(word, "--csv") == 0 || strcmp(word, "--json") == 0))
		die("%s: an option of 'memwatch report'; a run is written with %s", word,
		    strcmp(word, "--csv") == 0 ? "-o run.csv" : "-r run.json");
	if (r && !(r->commands & (1U << command)))
		die("%s: not an option of 'memwatch%s%s' (see memwatch --help)", word, name ? " " : "",
		    name ? name : "");
	die("%s: no such option (see memwatch --help)", word);
}

static _Noreturn void die_too_often(const char *name)
{
	const struct option_row *r = row_of_name(name, strlen(name));

	if (r && r->max > 1)
		die("--%s: given more than %d times", name, r->max);
	die("--%s: given more than once", name);
}

/* Parse errors carry no row: their parent is the end of the table. */
static _Noreturn void die_of(const struct arg_end *end, enum command command)
{
	const char *word = end->argval[0] ? end->argval[0] : "";
	char letter[3] = {'-', (char)end->error[0], '\0'};

	if (end->parent[0] != end)
		die_too_often(((const struct arg_hdr *)end->parent[0])->longopts);
	switch (end->error[0]) {
	case ARG_EMISSARG:
		die("%s: a value is missing", word);
	case ARG_ELONGOPT:
		die_unknown(word, row_of_word(word), command);
	case ARG_ENOMATCH:
		die("%s: unexpected argument (see memwatch --help)", word);
	default:
		die_unknown(letter, row_of_letter(letter[1]), command);
	}
}

static void *argtable_entry(const struct option_row *r)
{
	if (r->value)
		return arg_strn(r->short_name, r->long_name, r->value, 0, r->max, r->help);
	return arg_litn(r->short_name, r->long_name, 0, r->max, r->help);
}

static void apply(const struct option_row *r, const void *entry, struct options *out)
{
	if (r->value) {
		const struct arg_str *str = entry;

		for (int i = 0; i < str->count; i++)
			r->apply(out, str->sval[i]);
	} else if (((const struct arg_lit *)entry)->count > 0) {
		r->apply(out, NULL);
	}
}

static void take_files(const struct arg_str *files, struct options *out)
{
	out->file_count = (size_t)files->count;
	out->files = xcalloc(out->file_count + 1, sizeof(*out->files));
	for (int i = 0; i < files->count; i++)
		out->files[i] = files->sval[i];
}

/* The value of a word that takes one: behind its '=', behind its letter, or the next word. */
static const char *value_of(const char *word, const char *next, const struct option_row *r)
{
	const char *at = word[1] == '-' ? strchr(word, '=') : strchr(word, *r->short_name);

	return at && (at[1] || word[1] == '-') ? at + 1 : next;
}

static void check_word(const char *word, const char *next, const struct option_row *r, enum command command)
{
	const char *value;

	if (!r || !(r->commands & (1U << command)))
		die_unknown(word, r, command);
	if (!r->value && word[1] == '-' && strchr(word, '='))
		die("%s: --%s takes no value", word, r->long_name);
	value = r->value ? value_of(word, next, r) : NULL;
	if (value && !*value)
		die("--%s: the value is empty", r->long_name);
}

static void check_letters(const char *word, const char *next, enum command command)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const struct option_row *r = row_of_letter(*letter);
		const char alone[] = {'-', *letter, '\0'};
		bool valued = r && r->value;

		check_word(valued ? word : alone, next, r, command);
		if (valued)
			return;
	}
}

/* argtable does not tell which word is wrong when a value is empty, a flag has one, or getopt takes the
 * beginning of another option's name for it. */
static void check_words(int argc, char **argv, enum command command)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;

		if (argv[i][0] != '-' || argv[i][1] == '\0')
			continue;
		if (argv[i][1] == '-')
			check_word(argv[i], next, row_of_word(argv[i]), command);
		else
			check_letters(argv[i], next, command);
		if (takes_next(argv[i]))
			i++;
	}
}

static void parse_own(int argc, char **argv, struct options *out)
{
	void *table[ROWS_MAX];
	const struct option_row *used[ROWS_MAX];
	enum command command = out->command;
	struct arg_end *end = arg_end(ERRORS_KEPT);
	struct arg_str *files =
	    arg_strn(NULL, NULL, "FILE", 0, command == COMMAND_WATCH ? 0 : FILES_MAX, NULL);
	size_t n = 0;

	for (size_t i = 0; i < option_rows_count; i++) {
		if (!(option_rows[i].commands & (1U << command)))
			continue;
		used[n] = &option_rows[i];
		table[n++] = argtable_entry(&option_rows[i]);
	}
	table[n] = files;
	table[n + 1] = end;
	if (arg_nullcheck(table) != 0)
		die("out of memory");
	check_words(argc, argv, command);
	if (arg_parse(argc, argv, table) > 0)
		die_of(end, command);
	for (size_t i = 0; i < n; i++)
		apply(used[i], table[i], out);
	take_files(files, out);
	arg_freetable(table, n + 2);
}

static void parse_watch(int argc, char **argv, int own, struct options *out)
{
	out->interval_ns = INTERVAL_DEFAULT_NS;
	parse_own(own, argv, out);
	out->dashes = own < argc && strcmp(argv[own], "--") == 0;
	own += out->dashes;
	if (own < argc)
		out->argv = argv + own;
	if (!out->argv && !out->output && !isatty(STDOUT_FILENO) && !options_report_to_stdout(out))
		out->output = "-";
}

/* Files before --against. */
static size_t files_before_against(int argc, char **argv)
{
	size_t n = 0;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0')
			n++;
		else if (argv[i][1] == '-' && row_of_word(argv[i]) &&
			 strcmp(row_of_word(argv[i])->long_name, "against") == 0)
			return n;
		else if (takes_next(argv[i]))
			i++;
	}
	return 0;
}

/* The word of the subcommand leaves the list that argtable sees. */
static void parse_subcommand(int argc, char **argv, int word, struct options *out)
{
	memmove(argv + word, argv + word + 1, (size_t)(argc - word) * sizeof(*argv));
	out->base_count = files_before_against(argc - 1, argv);
	parse_own(argc - 1, argv, out);
	out->log.interval_ns = out->interval_ns;
	if (out->interval_ns == 0)
		out->interval_ns = INTERVAL_DEFAULT_NS;
}

void options_parse(int argc, char **argv, struct options *out)
{
	int own = own_words(argc, argv);

	*out = (struct options){.until_ms = -1, .level = MSG_NORMAL};
	out->command = own < argc ? command_of(argv[own]) : COMMAND_WATCH;
	if (out->command == COMMAND_WATCH)
		parse_watch(argc, argv, own, out);
	else
		parse_subcommand(argc, argv, own, out);
	options_check(out);
}
