#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The full-screen view of a run that is attached to, on a real terminal: tmux's.
load helper
load tmux

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	needs_view
}

# Epochs of a tenth of a second that keep 2 MiB each, for longer than any test needs.
start_leak()
{
	start "$WORKLOAD/leak" 100000 2 100 >log
	await grep -q 'Epoch 3' log
}

# view COLUMNS ROWS [NAME=VALUE]... -- [OPTION]...: of the process in $pid
view()
{
	local terminal=()
	while [ "$1" != -- ]; do terminal+=("$1"); shift; done
	shift
	open_terminal "${terminal[@]}"
	type_line "'$MEMWATCH' --pid $pid $*"
	await shows '^ ?host +[0-9.]+ [KMG]iB' # not every terminal has a second screen
}

memwatch_pid()
{
	pgrep -f "^$MEMWATCH --pid $pid" | head -n 1
}

@test "--pid on a terminal shows curve, value, slope, verdict, outlook, heap and processes" {
	start_leak
	view 80 24 --
	await shows 'growth\..* per epoch'
	shows '^ host +[0-9.]+ MiB +growth +\+2\.[0-9]+ MiB per epoch +limit [0-9.]+ GiB$'
	shows '^ .*leak 100000 2 100 .*epoch [0-9]+ of 100,?000  [0-9.:]+( s)?$'
	shows '(⠉|⠒|⣀|⠤)(⠉|⠒|⣀|⠤)'
	shows '^ +epoch [0-9]+ '
	shows 'pid +process +memory +per epoch'
	shows "^ +$pid  leak +[0-9.]+ MiB +\+[0-9.]+ [MK]iB"
	shows 'exceeds|full|left|enough'
}

@test "q ends the watching: the terminal is as it was, and the report follows" {
	start_leak
	open_terminal 100 40
	modes >before
	type_line "'$MEMWATCH' --pid $pid; echo status \$?"
	await is_full
	keys q
	await shows '^status 0$'
	is_plain
	shows_words 'running after'
	shows '^host: '
	modes | diff before -
	kill -0 "$pid"
}

@test "F10 and Ctrl-C end it as q does" {
	start_leak
	view 100 30 --
	keys F10
	await is_plain
	await shows_words 'running after'
	type_line "clear; '$MEMWATCH' --pid $pid; echo status \$?"
	await is_full
	keys C-c
	await shows '^status 0$'
	await is_plain
	cooked
}

@test "p holds the view while samples go on" {
	start_leak
	view 80 24 -- -o run.csv
	keys p
	await shows 'paused'
	shows 'p go on'
	screen | head -n 23 >held
	await_more_rows run.csv 10
	screen | head -n 23 | diff held - # the last row is for what is said meanwhile
	keys p
	await shows_not 'paused'
	await eval '! screen | diff -q held - >/dev/null'
}

@test "+ and - zoom, arrows move, End comes back" {
	start_leak
	view 80 24 -- -o run.csv
	await has_rows run.csv 20
	keys p
	await shows 'paused'
	screen | sed -n '4,14p' >whole
	keys +
	await shows 'paused  x2 '
	screen | sed -n '4,14p' >half
	run ! diff -q whole half
	keys Left
	await eval '! screen | sed -n 4,14p | diff -q half - >/dev/null'
	keys End
	await eval 'screen | sed -n 4,14p | diff -q half - >/dev/null'
	keys -
	await shows_not ' x2 '
	screen | sed -n '4,14p' | diff whole -
}

@test "? h and F1 show the keys, and any key leaves them" {
	start_leak
	view 80 24 --
	for key in '?' h F1; do
		keys "$key"
		await shows 'end the watching; the report follows'
		shows 'mark the end of an epoch'
		keys x
		await shows_not 'end the watching'
	done
	keys '?'
	await shows 'end the watching'
	keys q
	await shows_not 'end the watching'
	is_full
}

@test "m leaves epochs alone that the output tells of" {
	start sh -c 'i=1; while :; do echo "Epoch $i/900"; i=$((i + 1)); sleep 0.3; done' >out
	view 80 24 -- --interval 50ms -o run.csv
	await shows 'epoch [2-9] of 900'
	keys m
	await shows 'not marked: epochs are read from the output'
	await shows 'epoch [1-9][0-9] of 900'
}

@test "m marks the end of an epoch" {
	start sh -c 'while :; do sleep 1; done'
	view 80 24 -- --interval 50ms -o run.csv
	keys m
	await shows 'the end of an epoch is marked'
	keys m
	await grep -qE '^[^,]*,[^,]*,[12],' run.csv
}

@test "s saves the report so far" {
	start_leak
	view 80 24 --
	await shows 'growth|undetermined'
	keys s
	await shows "saved: memwatch-$pid\.txt"
	grep -q 'still running' "memwatch-$pid.txt"
	grep -qE '^host: (growth|undetermined)\.' "memwatch-$pid.txt"
	is_full
}

@test "s never overwrites what is no report" {
	start_leak
	view 80 24 --
	echo precious >"memwatch-$pid.txt"
	keys s
	await shows 'holds something that is not a memwatch report'
	[ "$(cat "memwatch-$pid.txt")" = precious ]
	keys q
	await shows '^memwatch: --report: .* holds something that is not'
}

@test "what is said meanwhile stands in the last row, and is said again at the end" {
	start_leak
	view 100 60 --
	await shows '^ host: growth\. '
	[ "$(screen | grep -cE 'host: growth')" = 1 ]
	screen | tail -n 1 | grep -q 'host: growth'
	keys q
	await is_plain
	await shows '^memwatch: host: growth\. '
}

@test "from 80x24 to 20x6, to 400x100 and back nothing is left behind" {
	start_leak
	view 80 24 -- -o run.csv
	await has_rows run.csv 15
	await shows '^ q quit'
	keys p
	await shows 'paused'
	screen >first
	resize 20 6
	await eval '[ "$(screen | wc -l)" -le 6 ]'
	await shows '^host [0-9.]+ MiB'
	shows '^q quit  \? help'
	resize 400 100
	await shows 'paused  epoch'
	await eval '[ "$(screen | sed -n 100p | grep -c "q quit")" = 1 ]'
	resize 80 24
	await eval 'screen | diff -q first - >/dev/null'
	keys C-l
	await eval 'screen | diff -q first - >/dev/null'
	is_full
}

@test "a slow terminal gets the whole screen, also while the view is held" {
	start_leak
	run -0 env TERM=xterm-256color "$BATS_TEST_DIRNAME/slow-terminal" stay run.csv "$MEMWATCH" --pid "$pid" -o run.csv
}

@test "a slow terminal is given back as it was" {
	start_leak
	env TERM=xterm-256color "$BATS_TEST_DIRNAME/slow-terminal" leave run.csv "$MEMWATCH" --pid "$pid" -o run.csv >seen
	grep -q $'\e\\[?1049l' seen
}

@test "on few rows the verdict stands above the chart" {
	start_leak
	view 60 11 --
	await shows '^ growth\. '
	verdict=$(screen | grep -nE '^ growth\. ' | cut -d: -f1)
	chart=$(screen | grep -nE '│|┤' | head -n 1 | cut -d: -f1)
	[ "$verdict" -lt "$chart" ]
}

@test "the end of the process ends the view, and the report follows" {
	start_leak
	view 100 40 --
	kill "$pid"
	await is_plain
	await shows_words 'ended after'
	await shows '^ready>$'
	cooked
}

@test "the terminal is lost: memwatch ends and writes its report" {
	start_leak
	view 80 24 -- -r lost.txt
	watcher=$(memwatch_pid)
	[ -n "$watcher" ]
	close_terminal
	await gone "$watcher"
	await grep -qE '^host: ' lost.txt
	kill -0 "$pid"
}

@test "the terminal is lost under nohup: watching goes on without the view" {
	start_leak
	open_terminal 80 24
	type_line "(trap '' HUP; exec '$MEMWATCH' --pid $pid --live -o run.csv)"
	await is_full
	watcher=$(memwatch_pid)
	close_terminal
	await_more_rows run.csv 5
	kill "$watcher"
	await gone "$watcher"
}

@test "keys are read from the terminal where standard input is something else" {
	start_leak
	open_terminal 80 24
	type_line "echo q | '$MEMWATCH' --pid $pid; echo status \$?"
	await is_full
	keys '?'
	await shows 'end the watching; the report follows'
	keys x
	keys q
	await shows '^status 0$'
}

@test "without UTF-8 and on the Linux console the screen is plain ASCII" {
	for environment in LANG=C TERM=linux; do
		start_leak
		view 80 24 $environment --
		await shows 'growth\. '
		run ! grep -qP '[^\x00-\x7f]' <(screen)
		shows '^ *[0-9.]+ [KMG]iB \+'
		close_terminal
	done
}

@test "no colour where none is wanted or none is there" {
	start_leak
	view 80 24 --
	await shows 'growth\. '
	screen -e | grep -qE $'\e\\[(1;)?3[0-7]m'
	close_terminal
	for environment in NO_COLOR=1 TERM=vt100; do
		view 80 24 $environment --
		await shows 'growth\. '
		run ! grep -qE $'\e\\[([0-9]*;)*[34][0-7](;|m)' <(screen -e)
		close_terminal
	done
	view 80 24 -- --color never
	await shows 'growth\. '
	run ! grep -qE $'\e\\[([0-9]*;)*[34][0-7](;|m)' <(screen -e)
}

@test "Ctrl-Z gives the terminal back, and fg takes it again" {
	start_leak
	view 80 24 --
	keys C-z
	await is_plain
	await shows 'Stopped'
	await cooked
	type_line fg
	await is_full
	await shows '^ host '
	keys q
	await shows_words 'running after'
	cooked
}

@test "stopped, sent to the background and brought back, it is whole again" {
	start_leak
	view 80 24 -- -o run.csv
	keys C-z
	await shows 'Stopped'
	type_line bg
	await_more_rows run.csv 5
	is_plain
	type_line fg
	await is_full
	await shows '^ host '
	keys q
	await is_plain
}

@test "a memwatch that dies by a signal leaves the terminal as it was" {
	start_leak
	open_terminal 80 24
	modes >before
	for signal in SEGV ABRT BUS TERM; do
		type_line "clear; '$MEMWATCH' --pid $pid; echo over"
		await is_full
		kill -"$signal" "$(memwatch_pid)"
		await shows '^over$'
		is_plain
		modes | diff before -
	done
}

@test "--no-live, -q and output elsewhere leave the terminal alone" {
	start_leak
	open_terminal 100 30
	# The word before may still stand there: each has a number of its own.
	local number=0
	for words in '--no-live' '-q' '-o -'; do
		number=$((number + 1))
		type_line "clear; '$MEMWATCH' --pid $pid --duration 1s $words; echo over $number"
		await shows "^over $number\$"
		is_plain
	done
	type_line "clear; '$MEMWATCH' --pid $pid --duration 1s 2>words; echo over 4"
	await shows '^over 4$'
	grep -q 'still running' words
	type_line "clear; '$MEMWATCH' --pid $pid --duration 1s & wait; echo over 5"
	await shows '^over 5$'
	is_plain
}

@test "names cannot steer the view" {
	printf '#!/bin/sh\nwhile :; do sleep 1; done\n' >$'a\e[31mb\nc'
	chmod +x $'a\e[31mb\nc'
	start ./$'a\e[31mb\nc'
	view 80 24 -- --color never
	await shows 'a\?\[31mb\?c'
}

# Runs are told apart by the second in which they began.
after_second()
{
	[ "$(date +%s)" -gt "$1" ]
}

first_epoch_shown()
{
	screen | sed -nE 's/^ +epoch ([0-9]+)( .*|$)/\1/p'
}

@test "attached again after the terminal was lost, the curve begins where it began" {
	start_leak
	view 80 24 "XDG_STATE_HOME=$PWD/state" --
	await eval '[ "$(cat state/memwatch/*.csv | wc -l)" -gt 15 ]'
	watcher=$(memwatch_pid)
	close_terminal
	await gone "$watcher"
	await after_second "$(date +%s)"
	before=$(grep -c Epoch log)
	view 100 30 "XDG_STATE_HOME=$PWD/state" --
	# It is also said, until growth is told in the same row.
	begins_before() { [ "$(first_epoch_shown | grep .)" -lt "$before" ] 2>/dev/null; }
	await begins_before
	keys q
	await shows_words 'running after'
}

@test "what was kept of another process of the same number is not taken for it" {
	start_leak
	mkdir -p state/memwatch
	printf '%s\n0.000,1000000000.000,1,1,1,1,0,0,0,,1,1,1,,\n' "$HEADER" >"state/memwatch/20010909T014640Z-$pid.csv"
	view 80 24 "XDG_STATE_HOME=$PWD/state" --
	await shows 'growth'
	shows_not 'the curve begins with'
	shows '^ +epoch [0-9]+ '
}
