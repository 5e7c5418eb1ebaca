#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --live with a COMMAND, whose output goes elsewhere; and what is said where there can be no view.
load helper
load tmux

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	needs_view
}

# A command that prints epochs until told to end.
command_until()
{
	printf '%s\n' '#!/bin/sh' 'n=0' 'until [ -e "$1" ]; do n=$((n + 1)); echo "Epoch $n/999"; sleep 0.1; done' 'exit 7' >run
	chmod +x run
}

@test "--live shows a command whose output goes to a file; its status stays its own" {
	command_until
	open_terminal 80 24
	type_line "'$MEMWATCH' --live -- ./run end >log 2>&1; echo status \$?"
	await is_full
	await shows 'epoch [0-9]+ of 999'
	touch end
	await shows '^status 7$'
	is_plain
	shows 'exit status 7'
	grep -q 'exit status 7' log
	cooked
}

@test "q leaves the view only: the command runs on" {
	command_until
	open_terminal 80 24
	type_line "'$MEMWATCH' --live -- ./run end >log 2>&1; echo status \$?"
	await is_full
	keys '?'
	await shows 'leave the view; the run goes on'
	keys x q
	await is_plain
	await shows 'the view is closed; the run goes on'
	before=$(wc -l <log)
	await eval '[ "$(wc -l <log)" -gt $((before + 3)) ]'
	touch end
	await shows '^status 7$'
}

@test "Ctrl-C ends the command as it does without memwatch" {
	command_until
	open_terminal 80 24
	type_line "'$MEMWATCH' --live -- ./run end >log 2>&1; echo status \$?"
	await is_full
	keys C-c
	await shows 'killed by SIGINT'
	await shows '^ready>$' # what is typed before belongs to memwatch
	type_line 'echo status $?'
	await shows '^status 130$'
	is_plain
	cooked
}

@test "Ctrl-Z stops both, and fg shows the view again" {
	command_until
	open_terminal 80 24
	type_line "'$MEMWATCH' --live -- ./run end >log 2>&1; echo status \$?"
	await is_full
	keys C-z
	await shows 'Stopped'
	is_plain
	await cooked
	type_line fg
	await is_full
	touch end
	await is_plain
	cooked
}

@test "a signal sent to memwatch is the command's also while the view is shown" {
	printf '%s\n' '#!/bin/sh' "trap 'echo got it >got' SEGV" 'until [ -e "$1" ]; do sleep 0.1; done' >run
	chmod +x run
	open_terminal 80 24
	type_line "'$MEMWATCH' --live -- ./run end >log 2>&1; echo status \$?"
	await is_full
	kill -SEGV "$(pgrep -f "^$MEMWATCH --live" | head -n 1)"
	await grep -q 'got it' got
	is_full
	touch end
	await shows '^status 0$'
}

@test "where COMMAND's output goes to the terminal, --live is refused before it is started" {
	open_terminal 160 10
	type_line "'$MEMWATCH' --live -- touch started; echo status \$?"
	await shows '^status 125$'
	shows "^memwatch: --live: COMMAND's output goes to the terminal: "
	[ ! -e started ]
	# The status before may still stand there: each has a word of its own.
	type_line "clear; '$MEMWATCH' --live -o - --pid \$\$; echo then \$?"
	await shows '^then 125$'
	shows '^memwatch: --live: the samples go to the terminal'
	type_line "clear; TERM=dumb '$MEMWATCH' --live --pid \$\$; echo last \$?"
	await shows '^last 125$'
	shows '^memwatch: --live: no full screen on a terminal of this TERM'
}

@test "without a terminal --live is refused, and --pid needs none" {
	run -125 --separate-stderr setsid -w "$MEMWATCH" --live --pid $$
	says "memwatch: --live: there is no terminal here"
}
