#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "the end of the process is a normal end" {
	start sh -c "while [ ! -e go ]; do sleep 0.01; done"
	target=$pid
	start "$MEMWATCH" -i 5ms -o run.csv --pid "$target" 2>words
	await has_rows run.csv 3
	touch go
	wait "$pid"
	csv_is_whole run.csv
	grep -q "ended after" words
}

@test "a target killed under way is a normal end" {
	start sleep 100
	target=$pid
	start "$MEMWATCH" -q -i 5ms -o run.csv --pid "$target"
	await has_rows run.csv 3
	kill -KILL "$target"
	wait "$pid"
	csv_is_whole run.csv
}

for_signal()
{
	start sleep 100
	target=$pid
	start env --default-signal="$1" "$MEMWATCH" -i 5ms -o run.csv --pid "$target" 2>words
	await has_rows run.csv 3
	kill -"$1" "$pid"
	wait "$pid"
	kill -0 "$target"
	csv_is_whole run.csv
	grep -q "still running" words
}

@test "Ctrl-C ends the watching only" {
	for_signal INT
}

@test "TERM ends the watching only" {
	for_signal TERM
}

@test "HUP ends the watching only" {
	for_signal HUP
}

# ignores SIGNAL: the memwatch that $pid is goes on after it, and ends in order on TERM.
ignores()
{
	await has_rows run.csv 3
	kill -"$1" "$pid"
	await_more_rows run.csv 3
	kill -TERM "$pid"
	await gone "$pid"
	csv_is_whole run.csv
	grep -q "still running" words
}

@test "under nohup it goes on when the terminal hangs up" {
	start sleep 100
	start nohup "$MEMWATCH" -i 5ms -o run.csv --pid "$pid" 2>words
	ignores HUP
}

@test "in the background of a script it goes on after Ctrl-C and Ctrl-\\" {
	start sleep 100
	for signal in INT QUIT; do
		rm -f run.csv
		sh -c '"$0" -i 5ms -o run.csv --pid "$1" 2>words 3>&- 4>&- & echo $! >number' "$MEMWATCH" "$pid"
		target=$pid
		pid=$(cat number)
		started+=("$pid")
		ignores "$signal"
		pid=$target
	done
}

@test "--duration ends the watching only" {
	start sleep 100
	"$MEMWATCH" -q -i 5ms --duration 100ms -o run.csv --pid "$pid"
	kill -0 "$pid"
	csv_is_whole run.csv
}

@test "several processes: the end comes with the last of them" {
	start sleep 100
	one=$pid
	start sleep 100
	two=$pid
	start "$MEMWATCH" -q -i 5ms -o run.csv --pid "$one" --pid "$two"
	await has_rows run.csv 3
	kill "$one"
	before=$(rows run.csv)
	await has_rows run.csv $((before + 5))
	kill "$two"
	wait "$pid"
	[ "$(awk -F, 'NR > 1 { print $4 }' run.csv | sort -u | tr '\n' ' ')" = "1 2 " ]
}

@test "the same process given twice is counted once" {
	start sleep 100
	"$MEMWATCH" -q -i 5ms --duration 50ms -o run.csv --pid "$pid" --pid "$pid"
	[ "$(awk -F, 'NR > 1 { print $4 }' run.csv | sort -u)" = 1 ]
}

@test "a child given beside its parent is counted once" {
	start sh -c 'sleep 100 & echo $! >c; mv c child; wait'
	await test -e child
	"$MEMWATCH" -q -i 5ms --duration 50ms -o run.csv --pid "$pid" --pid "$(cat child)"
	[ "$(awk -F, 'NR > 1 { print $4 }' run.csv | sort -u)" = 2 ]
	kill "$(cat child)"
}

@test "a process that execs another program is still watched" {
	start sh -c "while [ ! -e go ]; do sleep 0.01; done; exec sleep 100"
	target=$pid
	start "$MEMWATCH" -q -i 5ms -o run.csv --pid "$target"
	await has_rows run.csv 3
	touch go
	await grep -qz sleep "/proc/$target/cmdline"
	before=$(rows run.csv)
	await has_rows run.csv $((before + 3))
	kill "$target"
	wait "$pid"
}
