/* SPDX-License-Identifier: MIT */
/* Parse, run, and the only place that chooses an exit status. */
#include <stdio.h>

#include "cmd_watch.h"
#include "forward.h"
#include "options.h"
#include "wrap.h"

enum { SIGNAL_BASE = 128 };

static int watch(const struct options *options)
{
	struct watch_end end;

	cmd_watch(options, &end);
	if (end.signo) {
		forward_die_by(end.signo);
		return SIGNAL_BASE + end.signo;
	}
	return end.status;
}

int main(int argc, char **argv)
{
	static struct options options;

	wrap_reserve_std_fds();
	options_parse(argc, argv, &options);
	msg_init(options.level, options.colour);
	switch (options.command) {
	case COMMAND_HELP:
		options_help();
		return 0;
	case COMMAND_VERSION:
		puts("memwatch " MEMWATCH_VERSION);
		return 0;
	case COMMAND_REPORT:
	case COMMAND_WATCH:
		return watch(&options);
	}
	return 0;
}
