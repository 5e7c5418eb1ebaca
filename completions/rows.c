/* SPDX-License-Identifier: MIT */
/* Prints the rows of options as the shell given (bash, zsh, fish) wants them: the part of each completion that must
 * never differ from the program. How a value is completed is the completion's own affair. */
#include "options/options.c"

/* "watch" for no subcommand. */
static const char *command_name(enum command command)
{
	const char *name = name_of(command);

	return name ? name : "watch";
}

static void put_subcommands(void)
{
	for (size_t i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++)
		printf("%s%s", i ? " " : "", subcommands[i].name);
}

/* Options that take a value, in both spellings. */
static void put_valued(void)
{
	const char *blank = "";

	for (const struct option_row *r = option_rows; r < option_rows + option_rows_count; r++) {
		if (!r->value)
			continue;
		if (r->short_name)
			printf("%s-%s", blank, r->short_name);
		printf("%s--%s", r->short_name ? " " : blank, r->long_name);
		blank = " ";
	}
}

static bool belongs(const struct option_row *r, enum command command)
{
	return r->commands & (1U << command);
}

/* Text inside single quotes of a shell, in which special characters get a backslash. No backslash helps a quote in bash
 * and zsh: it stands between two quoted parts. */
static void put_text(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", stdout);
			continue;
		}
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

static void bash_options(enum command command)
{
	const char *blank = "";

	printf("_memwatch_%s_options='", command_name(command));
	for (const struct option_row *r = option_rows; r < option_rows + option_rows_count; r++) {
		if (!belongs(r, command))
			continue;
		if (r->short_name)
			printf("%s-%s", blank, r->short_name);
		printf("%s--%s", r->short_name ? " " : blank, r->long_name);
		blank = " ";
	}
	puts("'");
}

static void bash_values(void)
{
	puts("_memwatch_value_of() {\n\tcase $1 in");
	for (const struct option_row *r = option_rows; r < option_rows + option_rows_count; r++) {
		if (!r->value)
			continue;
		printf("\t%s%s%s--%s) echo %s ;;\n", r->short_name ? "-" : "",
		       r->short_name ? r->short_name : "", r->short_name ? " | " : "", r->long_name,
		       r->value);
	}
	puts("\t*) return 1 ;;\n\tesac\n}");
}

static void bash_lists(void)
{
	printf("_memwatch_commands='");
	put_subcommands();
	puts("'");
	bash_values();
}

static void zsh_lists(void)
{
	printf("local -a subcommands=(");
	put_subcommands();
	puts(")");
}

static void zsh_row(const struct option_row *r)
{
	bool bare = r->commands & BARE_ALWAYS; /* zsh then knows a value only behind the sign */
	const char *equals = !r->value ? "" : bare ? "=-" : "=";

	if (r->max > 1 && r->value)
		printf("\t'*'");
	else if (r->short_name)
		printf("\t'(-%s --%s)'", r->short_name, r->long_name);
	else
		putchar('\t');
	if (r->short_name)
		printf("{-%s%s,--%s%s}'[", r->short_name, r->value ? "+" : "", r->long_name, equals);
	else
		printf("'--%s%s[", r->long_name, equals);
	put_text(r->help, "[]\\");
	putchar(']');
	if (r->value)
		printf("%s:%s:_memwatch_value %s", bare ? ":" : "", r->value, r->value);
	puts("'");
}

static void zsh_options(enum command command)
{
	printf("local -a %s_options=(\n", command_name(command));
	for (const struct option_row *r = option_rows; r < option_rows + option_rows_count; r++)
		if (belongs(r, command))
			zsh_row(r);
	puts(")");
}

static void fish_lists(void)
{
	printf("set -g __memwatch_commands ");
	put_subcommands();
	printf("\nset -g __memwatch_valued ");
	put_valued();
	putchar('\n');
}

static void fish_options(enum command command)
{
	for (const struct option_row *r = option_rows; r < option_rows + option_rows_count; r++) {
		if (!belongs(r, command))
			continue;
		printf("complete -c memwatch -n '__memwatch_in %s'", command_name(command));
		if (r->short_name)
			printf(" -s %s", r->short_name);
		printf(" -l %s", r->long_name);
		if (r->value)
			printf(" -x -a '(__memwatch_value %s)'", r->value);
		printf(" -d '");
		put_text(r->help, "'\\");
		puts("'");
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*lists)(void);
		void (*options)(enum command command);
	} shells[] = {{"bash", bash_lists, bash_options},
		      {"zsh", zsh_lists, zsh_options},
		      {"fish", fish_lists, fish_options}};

	for (size_t i = 0; argc == 2 && i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(argv[1], shells[i].name) != 0)
			continue;
		shells[i].lists();
		shells[i].options(COMMAND_WATCH);
		for (size_t j = 0; j < sizeof(subcommands) / sizeof(subcommands[0]); j++)
			shells[i].options(subcommands[j].command);
		return 0;
	}
	fprintf(stderr, "usage: rows bash|zsh|fish\n");
	return 125;
}
