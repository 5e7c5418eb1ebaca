#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

@test "two runs into one CSV: the second is refused, and the first stays whole" {
	start "$MEMWATCH" -q -i 5ms -o run.csv -- sh -c 'while [ ! -e go ]; do sleep 0.01; done'
	first=$pid
	await has_rows run.csv 3
	ln -s run.csv other.csv
	for name in run.csv ./run.csv other.csv; do
		run --separate-stderr "$MEMWATCH" -q -i 5ms -o "$name" -- touch ran
		[ "$status" -eq 125 ]
		says "memwatch: --output: another memwatch writes to '$name' (%r or %p in the name gives each its own)"
	done
	start sleep 100
	run --separate-stderr "$MEMWATCH" -q --duration 100ms -o run.csv --force --pid "$pid"
	[ "$status" -eq 125 ]
	[ ! -e ran ]
	touch go
	wait "$first"
	csv_is_whole run.csv
}

@test "what a killed run has left can be written to at once, while its command still runs" {
	start "$MEMWATCH" -q -i 5ms -o run.csv -- sh -c 'echo $$ >child; exec sleep 100'
	await has_rows run.csv 3
	kill -KILL "$pid"
	await gone "$pid"
	kill -0 "$(cat child)"
	"$MEMWATCH" -q -i 5ms -o run.csv -- sleep 0.1
	kill "$(cat child)"
	csv_is_whole run.csv
}

@test "rows and report in one file, by whatever name: refused before the command runs" {
	mkdir sub
	: >there.txt
	ln there.txt hard.csv
	ln -s there.txt soft.csv
	ln -s new.txt dangling.csv
	local rows report
	while read -r rows report; do
		run --separate-stderr "$MEMWATCH" -q -o "$rows" -r first.json -r "$report" -- touch ran
		[ "$status" -eq 125 ]
		says "memwatch: --report: '$report' is the file that the samples go to"
		[ ! -e ran ]
	done <<-END
		same.txt same.txt
		sub/../spelled.txt ./spelled.txt
		hard.csv there.txt
		soft.csv there.txt
		dangling.csv new.txt
	END
	start sleep 100
	run --separate-stderr sh -c '"$@" >out.txt' sh "$MEMWATCH" -q --duration 100ms -r out.txt --pid "$pid"
	[ "$status" -eq 125 ]
	[ "$stderr" = "memwatch: --report: 'out.txt' is the file that the samples go to" ]
}

# refused MESSAGE SCRIPT: the script, which has memwatch as $0, is told this on standard error and runs nothing.
refused()
{
	run sh -c "$2" "$MEMWATCH"
	[ "$status" -eq 125 ]
	[ "$(cat run.log other.log)" = "memwatch: $1" ]
	[ ! -e ran ]
	rm -f run.log other.log
}

@test "rows or report in the file that the command writes to: refused before it runs" {
	# shellcheck disable=SC2016  # for the inner shell
	while IFS='|' read -r message script; do
		: >run.log
		: >other.log
		refused "$message" "$script"
	done <<'END'
--output: 'run.log' is the file that standard output goes to|"$0" -q -o run.log -- sh -c 'touch ran; seq 1000' >run.log 2>other.log
--output: 'run.log' is the file that standard output goes to|"$0" -q -o run.log -- touch ran >>run.log 2>other.log
--output: 'run.log' is the file that standard error goes to|"$0" -q -o run.log -- touch ran >other.log 2>run.log
--output: './run.log' is the file that standard output goes to|"$0" -q --force -o ./run.log -- touch ran >run.log 2>&1
--output: './run.log' is the log that --epochs reads|"$0" -q -o ./run.log -e log:run.log -- touch ran 2>other.log
--output: 'run.log' is the file that standard output goes to|"$0" -q -e none -o run.log -- touch ran >run.log 2>other.log
END
	: >run.txt
	run --separate-stderr sh -c '"$0" -q -r run.txt -- touch ran >run.txt' "$MEMWATCH"
	[ "$status" -eq 125 ]
	says "memwatch: --report: 'run.txt' is the file that standard output goes to"
	[ ! -e ran ]
}

@test "rows in the file that an attached process writes to: refused" {
	start sh -c 'exec sleep 100 >run.log'
	await test -e run.log
	run --separate-stderr "$MEMWATCH" -q --duration 50ms -o run.log --pid "$pid"
	[ "$status" -eq 125 ]
	says "memwatch: --output: 'run.log' is the file that standard output of process $pid goes to"
	[ ! -s run.log ]
}

@test "a pipe, a device or a file of its own is no such file" {
	"$MEMWATCH" -q -i 10ms -o run.csv -- sh -c 'sleep 0.1; seq 1000' >run.log
	[ "$(wc -l <run.log)" -eq 1000 ]
	csv_is_whole run.csv
	"$MEMWATCH" -q -o /dev/null -- true >/dev/null
	"$MEMWATCH" -q -i 10ms -o - -- sleep 0.1 >rows.csv
	csv_is_whole rows.csv
}

@test "two reports in one file: refused before the command runs" {
	ln -s b.txt link.txt
	: >b.txt
	while read -r one two; do
		run --separate-stderr "$MEMWATCH" -q -r "$one" -r "$two" -- touch ran
		[ "$status" -eq 125 ]
		says "memwatch: --report: '$one' and '$two' are one file"
		[ ! -e ran ]
	done <<-END
		a.txt a.txt
		a.txt ./a.txt
		b.txt link.txt
	END
	"$MEMWATCH" -q -r a.txt -r a.json -r - -r - -- true
}

@test "ranks with names of their own do not meet" {
	for rank in 0 1; do
		start env RANK=$rank "$MEMWATCH" -q -i 5ms -o run-%r.csv -- sleep 0.2
	done
	wait "${started[@]}"
	csv_is_whole run-0.csv
	csv_is_whole run-1.csv
}
