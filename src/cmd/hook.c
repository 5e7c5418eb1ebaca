/* SPDX-License-Identifier: MIT */
/* `memwatch hook`: what a script runs so that it can be asked later. */
#include <stdio.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/status.h"
#include "cmd/commands.h"
#include "explain/hook.h"
#include "explain/scripts.h"

/* As a literal, a line of it in each line. */
static void put_source(const char *text)
{
	fputs("_SOURCE = (\n\"", stdout);
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n\"\n\"", stdout);
		else if (*text == '\\' || *text == '"')
			printf("\\%c", *text);
		else
			putchar(*text);
	}
	fputs("\")\n", stdout);
}

int cmd_hook(void)
{
	if (isatty(STDOUT_FILENO)) {
		puts("# These lines let 'memwatch --explain --pid PID' name what grows in this "
		     "script:\n" HOOK_LINES);
	} else {
		fputs(explain_thread_py, stdout);
		put_source(explain_agent_py);
		fputs(explain_hook_py, stdout);
	}
	return msg_flush_stdout() ? 0 : STATUS_OWN_FAILURE;
}
