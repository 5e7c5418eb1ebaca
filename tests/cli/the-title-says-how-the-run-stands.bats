#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --status: the title of the terminal, and nothing else of it.
load helper
load tmux

title_is()
{
	term display-message -p '#{pane_title}' | grep -qE -- "$1"
}

# Runs on a terminal; what appears there is in screen, byte by byte.
on_terminal()
{
	TERM=${TERM_IS-xterm} "$BATS_TEST_DIRNAME/on-terminal" 200 "$@" >screen
}

# The same without titles.
untitled()
{
	perl -0pe 's/\e\[2[23];2t//g; s/\e\]2;[^\e]*\e\\//g' screen
}

@test "a command's title says value, slope and verdict, and is taken back at the end" {
	needs_terminal
	open_terminal 100 30
	term select-pane -T before
	mkfifo go
	type_line "'$MEMWATCH' --status -- sh -c '$WORKLOAD/leak 30 4 50; cat go'; echo status \$?"
	await title_is '^[0-9.]+ MiB (growth \+[0-9.]+ MiB per epoch|undetermined|reservation).*: sh -c '
	echo >go
	await shows '^status 0$'
	title_is '^before$'
}

@test "attached, the title is that of --status and not of the view" {
	needs_terminal
	open_terminal 100 30
	term select-pane -T before
	start "$WORKLOAD/leak" 100000 2 100 >log
	type_line "'$MEMWATCH' --status --pid $pid; echo status \$?"
	await title_is '^[0-9.]+ MiB growth \+[0-9.]+ MiB per epoch: '
	is_plain
	keys C-c
	await shows '^status 0$'
	title_is '^before$'
}

@test "a full-screen program and its title stand side by side" {
	needs_terminal
	open_terminal 80 24
	seq 1000 >numbers
	type_line "'$MEMWATCH' --status -- less numbers; echo status \$?"
	await is_full
	await title_is 'MiB|KiB'
	keys Space
	await shows '^40$'
	[ "$(screen | head -n 1)" = "$(($(screen | sed -n 2p) - 1))" ]
	keys q
	await shows '^status 0$'
}

# The command stops within a sequence, or a character, until several titles were due.
@test "a title lands within no sequence and no character" {
	# shellcheck disable=SC1003 # a backslash ends the sequence
	local sixel='\033P1;1|q~~\n~~\033\\' # its line break is the terminal's
	for half in '\033[3|1mred' '\033]8;;http://a|b\033\\link' 'gr\303|\274n' "$sixel" '\033|[1m' '\033]2;its|own\007'; do
		begin=${half%%|*} end=${half#*|}
		on_terminal "$MEMWATCH" -q --status -i 20ms -o run.csv -- sh -c \
			". '$AWAIT'; printf 'start $begin'; await_more_rows run.csv 75; printf '$end end\n'; await_more_rows run.csv 60"
		grep -q $'\e]2;' screen
		untitled | tr -d '\r' >plain
		printf '%b' "start $begin$end end\n" >expected
		[ "$half" = '\033]2;its|own\007' ] || cmp plain expected
		grep -qaF "$(printf '%b' "start $begin$end end")" screen || [ "$half" = "$sixel" ]
	done
}

@test "without --status, and where the terminal has no title, nothing is written" {
	on_terminal "$MEMWATCH" -q -i 20ms -o run.csv -- sh -c ". '$AWAIT'; await_more_rows run.csv 60"
	[ ! -s screen ]
	TERM_IS=linux on_terminal "$MEMWATCH" --status -q -i 20ms -o run.csv -- sh -c ". '$AWAIT'; await_more_rows run.csv 60"
	[ ! -s screen ]
	TERM_IS=linux on_terminal "$MEMWATCH" --status -i 20ms -o run.csv -- true
	grep -q 'memwatch: --status: a terminal of TERM=linux is not known to have a title' screen
	run --separate-stderr "$MEMWATCH" --status -- true
	[[ "$stderr" == *"memwatch: --status: there is no terminal here to show it"* ]]
	[ "$status" -eq 0 ]
}

@test "where COMMAND has the terminal to itself there is no title" {
	on_terminal "$MEMWATCH" --status --epochs none -i 20ms -o run.csv -- sh -c ". '$AWAIT'; await_more_rows run.csv 60"
	grep -q 'memwatch: --status: COMMAND writes to the terminal by itself' screen
	run ! grep -q $'\e]2;' screen
}

@test "a name in the title steers nothing" {
	printf '#!/bin/sh\n. "$AWAIT"; await_more_rows run.csv 100\n' >$'a\e\\\a\nb'
	chmod +x $'a\e\\\a\nb'
	on_terminal "$MEMWATCH" -q --status -i 20ms -o run.csv -- ./$'a\e\\\a\nb'
	grep -qaF 'a?\??b' screen
	[ "$(untitled | wc -c)" -eq 0 ]
}
